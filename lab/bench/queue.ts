/** Measures how long a user waits for a clip and a thumbnail while another account has a full queue. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Anyone, anyone } from '../../test/actors.ts'
import { dataOf } from '../../test/make.ts'
import { zipOf } from '../../test/playing.ts'
import { makeUpload } from '../../test/uploads.ts'
import { type Harness, until } from '../harness/harness.ts'
import { makeUsers } from '../harness/users.ts'
import { startOn } from './compare.ts'

/**
 * Numbers of heavy jobs. LONG: 15-minute videos in 8K. CLIPS: clips with a conversion longer than their metadata
 * suggests. GAMES: games with endless loops.
 */
const [LONG, CLIPS, GAMES] = [3, 6, 4]
const TARGETS_S = { clip: 30, thumbnail: 60 }
const PATIENCE_MS = 600_000

export async function measureQueue(harness: Harness): Promise<void> {
  const users = await harness.withDatabase((db) => makeUsers(db, 2))
  const server = await startOn(harness, { FFMPEG: 'ffmpeg', CHROMIUM: 'chromium' })
  const [ana, ben] = users.map(({ token }) =>
    anyone(server.url, { authorization: `Bearer ${token}` }),
  ) as [Anyone, Anyone]
  const contents = await fillQueue(ana, harness.folder)
  console.table([
    { name: 'clip', seconds: await timeClip(ben, harness.folder), target: TARGETS_S.clip },
    { name: 'thumbnail of a game', seconds: await timeGame(ben), target: TARGETS_S.thumbnail },
  ])
  let left = 0
  for (const { id, path } of contents) {
    if (['queued', 'processing'].includes(await statusOf(ana, id, path))) left++
  }
  console.log(`${left} of ${contents.length} heavy jobs had not finished`)
}

/** Publishes all heavy contents. Returns them once the first job of each kind is running. */
async function fillQueue(ana: Anyone, folder: string): Promise<{ id: string; path: string }[]> {
  const contents: { id: string; path: string }[] = []
  const second = join(folder, 'second.mp4')
  makeVideo('color=black:size=7680x4320:rate=60:duration=1', second)
  for (let i = 0; i < LONG; i++) {
    const file = join(folder, `long-${i}.mp4`)
    ffmpeg('-stream_loop', '899', '-i', second, '-c', 'copy', '-metadata', `comment=${i}`, file)
    contents.push({ id: await publishVideo(ana, file), path: 'conversion' })
  }
  for (let i = 0; i < CLIPS; i++) {
    const file = join(folder, `clip-${i}.mp4`)
    makeVideo(`testsrc2=size=854x480:rate=240:duration=${10 + i / 10}`, file)
    contents.push({ id: await publishVideo(ana, file), path: 'conversion' })
  }
  const page = '<!doctype html><script>setTimeout(() => { for (;;); }, 900)</script>'
  for (let i = 0; i < GAMES; i++) {
    contents.push({ id: await publishGame(ana, `${page}<p>${i}`), path: 'thumbnail-job' })
  }
  for (const path of ['conversion', 'thumbnail-job']) {
    const ids = contents.filter((content) => content.path === path).map(({ id }) => id)
    const isRunning = async () => {
      const statuses = await Promise.all(ids.map((id) => statusOf(ana, id, path)))
      return statuses.includes('processing')
    }
    await until(isRunning, PATIENCE_MS, `no ${path} runs`)
  }
  return contents
}

async function timeClip(ben: Anyone, folder: string): Promise<number> {
  const file = join(folder, 'light.mp4')
  makeVideo('testsrc=size=64x48:rate=10:duration=1', file)
  return timeUntilDone(ben, await publishVideo(ben, file), 'conversion')
}

async function timeGame(ben: Anyone): Promise<number> {
  const id = await publishGame(ben, '<!doctype html><title>A game</title><h1>Play!</h1>')
  return timeUntilDone(ben, id, 'thumbnail-job')
}

async function timeUntilDone(caller: Anyone, id: string, path: string): Promise<number> {
  const start = performance.now()
  const isDone = async () => (await statusOf(caller, id, path)) === 'completed'
  await until(isDone, PATIENCE_MS, `${path} does not end`)
  return Number(((performance.now() - start) / 1000).toFixed(1))
}

function ffmpeg(...args: string[]): void {
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args])
}

function makeVideo(source: string, file: string): void {
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  ffmpeg('-f', 'lavfi', '-i', source, ...codec, file)
}

function publishVideo(caller: Anyone, file: string): Promise<string> {
  return publish(caller, readFileSync(file), { category: 'hype', type: 'video' })
}

async function publishGame(caller: Anyone, page: string): Promise<string> {
  const zip = await zipOf({ 'index.html': page })
  return publish(caller, zip, { category: 'jump', type: 'game' })
}

async function publish(caller: Anyone, bytes: Buffer, over: object): Promise<string> {
  const { id } = await makeUpload(caller, bytes)
  const body = { title: 'A title', upload_ids: [id], ...over }
  return dataOf(await caller.post('/contents', body), 201).content.id
}

async function statusOf(caller: Anyone, id: string, path: string): Promise<string> {
  const { conversion, job } = dataOf(await caller.get(`/contents/${id}/${path}`))
  return (conversion ?? job)?.status ?? ''
}
