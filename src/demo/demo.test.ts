import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { anyone, type Loose } from '../../test/actors.ts'
import { ENGINE, newPlace, settingsOf } from '../../test/app.ts'
import { dataOf, valuesOf } from '../../test/make.ts'
import { childEnv, plaza, serve } from '../../test/process.ts'
import { NO_FFMPEG } from '../../test/videos.ts'
import { openDatabase } from '../db/open.ts'
import { findBirth } from '../files/queries.ts'

async function newSettings(more: Record<string, string>): Promise<Record<string, string>> {
  return { LOG_LEVEL: 'warn', CHROMIUM: 'off', ...settingsOf(await newPlace()), ...more }
}

async function community(more: Record<string, string>, { users = 40, contents = 80 } = {}) {
  const settings = await newSettings(more)
  const size = ['--people', String(users), '--works', String(contents)]
  const { code, out } = await plaza(['demo', ...size], settings)
  assert.equal(code, 0, out)
  const server = await serve(settings)
  after(() => server.child.kill('SIGKILL'))
  return { out, settings, server, anon: anyone(server.url) }
}

const CATEGORIES = ['hype', 'swipe', 'jump']

async function listContents(anon: ReturnType<typeof anyone>): Promise<Loose[]> {
  const feeds = await Promise.all(CATEGORIES.map((name) => anon.get(`/feeds/${name}?per_page=50`)))
  return feeds.flatMap((answer) => dataOf(answer).feeds)
}

async function signIn(url: string, identifier: string): Promise<ReturnType<typeof anyone>> {
  const login = { identifier, password: 'demo-password-1' }
  const { tokens } = dataOf(await anyone(url).post('/auth/login', login))
  return anyone(url, { authorization: `Bearer ${tokens.access_token}` })
}

async function stopAndCheck({
  server: { child, ended },
  settings,
}: Pick<typeof shared, 'server' | 'settings'>): Promise<void> {
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
  const doctor = await plaza(['doctor', '--files'], settings)
  assert.equal(doctor.code, 0, doctor.out)
}

const shared = await community({ FFMPEG: 'off' })

test('creates contents with complete files and one playable game for each runtime', async () => {
  const { out, server, anon } = shared
  assert.match(out, /40 people, 80 works, .*demo-password-1/s)
  assert.match(out, /no videos \(ffmpeg was not found\) and 3 games \(html5, wasm, swf\)/)
  const contents = await listContents(anon)
  for (const { type, media, thumbnail_url } of contents) {
    const types = valuesOf(media, 'mime_type')
    if (type === 'image')
      assert.ok(types.length > 0 && types.every((mime: string) => mime === 'image/jpeg'))
    if (type === 'audio') assert.deepEqual(types, ['audio/mpeg'])
    if (type === 'video') assert.deepEqual(types, [])
    if (type !== 'article') assert.match(thumbnail_url, /\.webp$/)
  }
  const urls = contents.flatMap(({ media, thumbnail_url, creator }) => [
    ...valuesOf(media, 'url'),
    thumbnail_url,
    creator.avatar_url,
  ])
  for (const url of new Set(urls.filter((path) => path !== null))) {
    const answer = await fetch(server.url + url)
    assert.equal(answer.status, 200, url)
    const hash = createHash('sha256').update(Buffer.from(await answer.arrayBuffer()))
    assert.ok(url.includes(hash.digest('hex')), url)
  }
  const demo = await signIn(server.url, 'demo')
  for (const runtime of ['html5', 'wasm', 'swf']) {
    const game = contents.find((content) => content.game?.runtime === runtime)
    assert.ok(game.play_count >= 0)
    const { play } = dataOf(await demo.post(`/jump/games/${game.id}/play`, { id: game.id }))
    const launched = await fetch(play.launch_url)
    assert.deepEqual([play.runtime, launched.status], [runtime, 200])
  }
})

test('spreads contents and activity over ninety days', async () => {
  const { server, anon } = shared
  const contents = await listContents(anon)
  const times = contents.map(({ published_at }) => Date.parse(published_at))
  const days = (Math.max(...times) - Math.min(...times)) / 86_400_000
  assert.ok(days > 45 && days < 90, `${days} days`)
  assert.ok(times.every((time) => time < Date.now()))
  assert.equal(new Set(times).size, times.length)
  for (const { view_count, like_count } of contents) assert.ok(view_count >= like_count)
  const likes = contents.map(({ like_count }) => like_count).sort((a, b) => b - a)
  assert.ok(likes[0] >= 4 * likes[Math.floor(likes.length * 0.75)])
  const demo = await signIn(server.url, 'demo')
  const { notifications, unread_count } = dataOf(await demo.get('/notifications?per_page=50'))
  assert.equal(unread_count, 12)
  const kinds = new Set(valuesOf(notifications.slice(0, unread_count), 'type'))
  for (const kind of ['like', 'comment', 'follow', 'mention']) assert.ok(kinds.has(kind), kind)
  const { conversations } = dataOf(await demo.get('/dm/conversations'))
  assert.ok(conversations[0].unread_count > 0)
  assert.ok(conversations.slice(4).every((conversation: Loose) => conversation.unread_count === 0))
  // The demo must have closed its sessions.
  const { sessions } = dataOf(await demo.get('/auth/sessions'))
  for (const { created_at } of sessions) assert.ok(Date.parse(created_at) > Math.max(...times))
  const sentTimes = valuesOf(notifications, 'created_at')
  assert.deepEqual(sentTimes, sentTimes.toSorted().reverse())
  const own = dataOf(await demo.get('/users/me/contents?per_page=100')).feeds as Loose[]
  assert.equal(new Set(own.map(({ type }) => type)).size, 5)
})

test('creates an app whose webhook events are delivered, and suspends users', async () => {
  const { server } = shared
  const demo = await signIn(server.url, 'demo')
  const [app] = dataOf(await demo.get('/devconsole/apps')).apps
  assert.equal(dataOf(await demo.get(`/devconsole/apps/${app.id}/keys`)).keys.length, 3)
  const [webhook] = dataOf(await demo.get(`/devconsole/apps/${app.id}/webhooks`)).webhooks
  assert.deepEqual([webhook.is_active, webhook.failure_count], [false, 0])
  const log = dataOf(await demo.get(`/devconsole/webhooks/${webhook.id}/deliveries`))
  assert.ok(log.deliveries.some(({ event }: Loose) => event !== 'webhook.test'))
  for (const { status } of log.deliveries) assert.equal(status, 'delivered')
  const admin = await signIn(server.url, 'demo_admin')
  const { users } = dataOf(await admin.get('/admin/users?per_page=100'))
  const suspended = users.filter(({ is_suspended }: Loose) => is_suspended)
  assert.ok(suspended.length > 1)
  for (const { id, suspended_at, suspension_reason, last_seen_at } of suspended) {
    assert.ok(last_seen_at < suspended_at)
    const { audit } = dataOf(await admin.get(`/admin/users/${id}/audit`))
    assert.deepEqual([audit[0].action, audit[0].reason], ['suspended', suspension_reason])
  }
})

test('creates the accounts demo, with followers and messages, and demo_admin', async () => {
  const { server } = shared
  const demo = await signIn(server.url, 'demo')
  const { creator } = dataOf(await demo.get('/creators/demo'))
  assert.ok(creator.content_count > 2 && creator.follower_count > 2)
  assert.ok(dataOf(await demo.get('/dm/conversations')).conversations.length > 2)
  assert.equal(dataOf(await demo.get('/auth/me')).user.role, 'user')
  const admin = await signIn(server.url, 'demo_admin')
  const { users } = dataOf(await admin.get('/admin/users?per_page=100')) as { users: Loose[] }
  const admins = users.filter(({ role }) => role === 'admin').map(({ handle }) => handle)
  assert.deepEqual(admins, ['demo_admin'])
})

test('leaves all counters correct and refuses a database with accounts', async () => {
  const { settings, server } = shared
  const countUsers = async () => {
    const admin = await signIn(server.url, 'demo_admin')
    return dataOf(await admin.get('/admin/users')).pagination.total
  }
  const { code, out } = await plaza(['demo', '--people', '24', '--works', '60'], settings)
  assert.equal(code, 1)
  assert.match(out, /^plaza: there are accounts in this database already.*\n$/)
  assert.equal(await countUsers(), 40)
  await stopAndCheck(shared)
})

// Skips slow tests without FFmpeg. Also skips them on PostgreSQL, because conversion does not depend on the engine.
const skip = NO_FFMPEG || (ENGINE === 'postgres' && 'covered on SQLite')

test('converts videos of 15 to 60 seconds before it publishes them', { skip }, async () => {
  const { out, settings, server, anon } = await community({}, { users: 10, contents: 30 })
  assert.match(out, /4 videos and 3 games/)
  const contents = (await listContents(anon)).filter(({ type }) => type === 'video')
  assert.ok(contents.length > 4)
  const admin = await signIn(server.url, 'demo_admin')
  for (const { id, media, status, thumbnail_url } of contents) {
    assert.deepEqual([media.length, media[0].mime_type, status], [1, 'video/mp4', 'published'])
    const seconds = media[0].duration_ms / 1000
    assert.ok(seconds > 14.9 && seconds < 60, `${seconds} s`)
    assert.match(thumbnail_url, /\.webp$/)
    const { conversion } = dataOf(await admin.get(`/contents/${id}/conversion`))
    assert.deepEqual([conversion.status, conversion.progress], ['completed', 1])
  }
  await stopAndCheck({ server, settings })
})

async function interrupt(
  settings: Record<string, string>,
  shouldStop: (output: string) => boolean,
) {
  const entry = join(import.meta.dirname, '../../bin/plaza.mjs')
  const child = spawn(process.execPath, [entry, 'demo', '--people', '24', '--works', '60'], {
    env: childEnv(settings),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()))
  }
  const timer = setInterval(() => !child.killed && shouldStop(output) && child.kill('SIGINT'), 5)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  return { code, output }
}

test('deletes incomplete files when interrupted', {
  skip,
}, async () => {
  const settings = await newSettings({})
  const incoming = join(settings['DATA_DIR'] as string, 'incoming')
  const listFolders = () =>
    existsSync(incoming) ? readdirSync(incoming).filter((name) => !name.startsWith('.')) : []
  const { code, output } = await interrupt(settings, () => listFolders().length > 0)
  assert.deepEqual([code, listFolders()], [1, []])
  assert.match(output, /^plaza: interrupted; the data created so far stays.*\n$/m)
})

test('reports that data remains when interrupted, and refuses to start again', async () => {
  const settings = await newSettings({ FFMPEG: 'off' })
  const { code, output } = await interrupt(settings, (text) => text.includes('living week 2'))
  assert.equal(code, 1)
  assert.match(output, /^plaza: interrupted; the data created so far stays/m)
  const again = await plaza(['demo'], settings)
  assert.equal(again.code, 1)
  assert.match(again.out, /^plaza: there are accounts in this database already/m)
  const db = openDatabase({
    databaseUrl: settings['DATABASE_URL'],
    dataDir: settings['DATA_DIR'] ?? '',
  })
  try {
    // The creation time of the database must be the real one. With an earlier time, the file sweep could delete older
    // files of another database.
    assert.ok(Date.now() - (await findBirth(db)) < 600_000)
  } finally {
    await db.close()
  }
})
