/** Measures how long a user waits for a clip and a thumbnail while another account has a full queue. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { zipOf } from '../../test/playing.ts'
import { makeTokens } from './users.ts'
import { startPlaza } from '../../bench/servers.ts'

/**
 * Numbers of heavy jobs. LONG: 15-minute videos in 8K. CLIPS: clips with a conversion longer than their metadata
 * suggests. GAMES: games with endless loops.
 */
const [LONG, CLIPS, GAMES] = [3, 6, 4]
const TARGETS_S = { clip: 30, thumbnail: 60 }
const GIVE_UP_S = 600

interface Caller {
  url: string
  token: string
}

export async function measureQueue(json: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-bench-'))
  const dataDir = join(folder, 'data')
  const [heavy, light] = (await makeTokens(dataDir, 2)) as [string, string]
  const server = await startPlaza(
    { DATA_DIR: dataDir, FFMPEG: 'ffmpeg', CHROMIUM: 'chromium' },
    undefined,
  )
  try {
    const [ana, ben] = [heavy, light].map((token) => ({ url: server.url, token })) as [
      Caller,
      Caller,
    ]
    const contents = await fillQueue(ana, folder)
    const rows = [
      { name: 'clip of one second', seconds: await timeClip(ben, folder), target: TARGETS_S.clip },
      { name: 'thumbnail of a game', seconds: await timeGame(ben), target: TARGETS_S.thumbnail },
    ]
    let left = 0
    for (const { id, path } of contents) {
      if (['queued', 'processing'].includes(await statusOf(ana, id, path))) left++
    }
    if (json) console.log(JSON.stringify({ queued: contents.length, left, rows }, null, 2))
    else {
      console.table(rows)
      console.log(`${left} of ${contents.length} heavy jobs had not finished`)
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Publishes all heavy contents. Returns them once the first job of each kind is running. */
async function fillQueue(ana: Caller, folder: string): Promise<{ id: string; path: string }[]> {
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
    await until(async () => {
      const statuses = await Promise.all(ids.map((id) => statusOf(ana, id, path)))
      return statuses.includes('processing')
    })
  }
  return contents
}

async function timeClip(ben: Caller, folder: string): Promise<number> {
  const file = join(folder, 'light.mp4')
  makeVideo('testsrc=size=64x48:rate=10:duration=1', file)
  return timeUntilDone(ben, await publishVideo(ben, file), 'conversion')
}

async function timeGame(ben: Caller): Promise<number> {
  const id = await publishGame(ben, '<!doctype html><title>A game</title><h1>Play!</h1>')
  return timeUntilDone(ben, id, 'thumbnail-job')
}

async function timeUntilDone(caller: Caller, id: string, path: string): Promise<number> {
  const start = performance.now()
  await until(async () => (await statusOf(caller, id, path)) === 'completed')
  return Number(((performance.now() - start) / 1000).toFixed(1))
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const start = performance.now(); !(await condition()); await sleep(200)) {
    if (performance.now() - start > GIVE_UP_S * 1000) {
      throw new Error(`not ready after ${GIVE_UP_S} seconds`)
    }
  }
}

function ffmpeg(...args: string[]): void {
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args])
}

function makeVideo(source: string, file: string): void {
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  ffmpeg('-f', 'lavfi', '-i', source, ...codec, file)
}

interface Data {
  upload: { id: string }
  content: { id: string }
  conversion?: { status: string }
  job?: { status: string }
}

async function publishVideo(caller: Caller, file: string): Promise<string> {
  return publish(caller, await openAsBlob(file), { category: 'hype', type: 'video' })
}

async function publishGame(caller: Caller, page: string): Promise<string> {
  const zip = await zipOf({ 'index.html': page })
  return publish(caller, new Blob([zip]), { category: 'jump', type: 'game' })
}

async function publish(caller: Caller, bytes: Blob, over: object): Promise<string> {
  const form = new FormData()
  form.set('file', bytes, 'file')
  const { upload } = await send(caller, '/uploads', { method: 'POST', body: form })
  const body = JSON.stringify({ title: 'A title', upload_ids: [upload.id], ...over })
  const headers = { 'content-type': 'application/json' }
  const { content } = await send(caller, '/contents', { method: 'POST', headers, body })
  return content.id
}

async function statusOf(caller: Caller, id: string, path: string): Promise<string> {
  const { conversion, job } = await send(caller, `/contents/${id}/${path}`)
  return (conversion ?? job)?.status ?? ''
}

async function send({ url, token }: Caller, path: string, init: RequestInit = {}): Promise<Data> {
  const headers = { ...init.headers, authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/v1${path}`, { ...init, headers })
  const { data, error } = (await answer.json()) as { data: Data; error?: { code: string } }
  if (!answer.ok) throw new Error(`${path} returned ${answer.status} ${error?.code}`)
  return data
}
