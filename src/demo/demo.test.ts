import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { anyone, type Loose } from '../../test/actors.ts'
import { dropDatabase, newDatabase, testSecrets } from '../../test/app.ts'
import { dataOf } from '../../test/make.ts'
import { plaza, serve } from '../../test/process.ts'
import { until } from '../../test/receiver.ts'
import { NO_FFMPEG } from '../../test/videos.ts'

const databases: string[] = []
const folders: string[] = []
after(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  for (const url of databases) await dropDatabase(url)
})

/** A small community on a server of its own; gives what the command said, too. */
async function community(more: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-demo-'))
  folders.push(folder)
  const url = await newDatabase()
  if (url) databases.push(url)
  const settings = {
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    CHROMIUM: 'off',
    ...(url && { DATABASE_URL: url, ...testSecrets() }),
    ...more,
  }
  const { code, out } = await plaza(['demo', '--people', '40', '--works', '80'], settings)
  assert.equal(code, 0, out)
  const server = await serve(settings)
  after(() => server.child.kill('SIGKILL'))
  return { out, settings, server, anon: anyone(server.url) }
}

const CATEGORIES = ['hype', 'swipe', 'jump']

async function listWorks(anon: ReturnType<typeof anyone>): Promise<Loose[]> {
  const feeds = await Promise.all(CATEGORIES.map((name) => anon.get(`/feeds/${name}?per_page=50`)))
  return feeds.flatMap((answer) => dataOf(answer).feeds)
}

async function stop({ child, ended }: Awaited<ReturnType<typeof serve>>): Promise<void> {
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
}

test('demo gives works and people files that are served whole, and games of each kind to play', async () => {
  const { out, settings, server, anon } = await community({ FFMPEG: 'off' })
  assert.match(out, /no videos, since there is no ffmpeg and 3 games \(html5, wasm, swf\)/)
  const works = await listWorks(anon)
  for (const { type, media, thumbnail_url } of works) {
    const types = media.map(({ mime_type }: Loose) => mime_type)
    if (type === 'image')
      assert.ok(types.length > 0 && types.every((one: string) => one === 'image/jpeg'))
    if (type === 'audio') assert.deepEqual(types, ['audio/wav'])
    if (type === 'video') assert.deepEqual(types, [])
    if (type !== 'article') assert.match(thumbnail_url, /\.webp$/)
  }
  const urls = works.flatMap(({ media, thumbnail_url, creator }) => [
    ...media.map(({ url }: Loose) => url),
    thumbnail_url,
    creator.avatar_url,
  ])
  for (const url of new Set(urls.filter((one) => one !== null))) {
    const answer = await fetch(server.url + url)
    assert.equal(answer.status, 200, url)
    const hash = createHash('sha256').update(Buffer.from(await answer.arrayBuffer()))
    assert.ok(url.includes(hash.digest('hex')), url)
  }
  const login = { identifier: 'demo', password: 'demo-password-1' }
  const { tokens } = dataOf(await anon.post('/auth/login', login))
  const demo = anyone(server.url, { authorization: `Bearer ${tokens.access_token}` })
  for (const runtime of ['html5', 'wasm', 'swf']) {
    const game = works.find((work) => work.game?.runtime === runtime)
    assert.ok(game.play_count >= 0)
    const { play } = dataOf(await demo.post(`/jump/games/${game.id}/play`, { id: game.id }))
    const launched = await fetch(play.launch_url)
    assert.deepEqual([play.runtime, launched.status], [runtime, 200])
  }
  await stop(server)
  const doctor = await plaza(['doctor'], settings)
  assert.equal(doctor.code, 0, doctor.out)
})

test('videos of demo are published at once, and converted once a server runs', {
  skip: NO_FFMPEG,
}, async () => {
  const { out, settings, server, anon } = await community({})
  assert.match(out, /4 videos and 3 games/)
  const works = (await listWorks(anon)).filter(({ type }) => type === 'video')
  assert.ok(works.length > 4)
  for (const { media, status, thumbnail_url } of works) {
    assert.deepEqual([media.length, media[0].mime_type, status], [1, 'video/mp4', 'published'])
    assert.match(thumbnail_url, /\.webp$/)
  }
  const login = { identifier: 'demo_admin', password: 'demo-password-1' }
  const { tokens } = dataOf(await anon.post('/auth/login', login))
  const admin = anyone(server.url, { authorization: `Bearer ${tokens.access_token}` })
  await until(async () => {
    const answers = await Promise.all(
      works.map(({ id }) => admin.get(`/contents/${id}/conversion`)),
    )
    return answers.some((answer) => dataOf(answer).conversion.status === 'completed')
  }, 'the end of a conversion')
  await stop(server)
  const doctor = await plaza(['doctor'], settings)
  assert.equal(doctor.code, 0, doctor.out)
})
