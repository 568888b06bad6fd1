/** Checks that shared state is in the database, not in the memory of one process. */
import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Passwords } from '../src/factors/passwords.ts'
import { systemClock } from '../src/clock.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/open.ts'
import type { Deps } from '../src/deps.ts'
import { anyone, makeActor } from './actors.ts'
import { type Actor, ENGINE, newPlace, testSecrets } from './app.ts'
import { assertError, dataOf, makeApp, makeContent, makeKey, makePost, times } from './make.ts'
import { serve, work } from './process.ts'
import { deliveriesOf, makeWebhook, receive, endedDeliveries, until } from './receiver.ts'
import { startS3 } from './s3.ts'
import { drawing, makeUpload } from './uploads.ts'
import { bytesOf, makeVideo, NO_FFMPEG, slowTools } from './videos.ts'

const children = new Set<{ kill(signal: 'SIGKILL'): void }>()
const { dataDir: folder, databaseUrl } = await newPlace(async () => {
  for (const child of children) child.kill('SIGKILL')
  await db.close()
})

const slow = slowTools(folder)
const s3 = await startS3()
const settings = {
  ...testSecrets(),
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  STORAGE_URL: s3.storageUrl,
  FFMPEG: NO_FFMPEG ? 'off' : join(folder, 'ffmpeg'),
  CHROMIUM: 'off',
  RATE_LIMITS: 'enforce',
  WEBHOOK_ALLOW_PRIVATE: 'on',
  LOG_LEVEL: 'info',
}
let machines = 0
/**
 * Returns the settings of one process. On PostgreSQL each process has its own data folder. On SQLite all
 * processes share the folder with the database.
 */
function onMachine(): Record<string, string> {
  const name = ENGINE === 'postgres' ? `data-${++machines}` : 'data'
  return { ...settings, DATA_DIR: join(folder, name) }
}

const [a, b] = await Promise.all([
  serve(onMachine(), ['--no-work']),
  serve(onMachine(), ['--no-work']),
])
for (const { child } of [a, b]) children.add(child)
const config = readConfig(onMachine())
const db = openDatabase(config)

async function user(role: 'user' | 'admin' = 'user', tier = 'premium'): Promise<Actor> {
  const actor = await makeActor(
    a.url,
    { db, passwords: new Passwords(), config } as Deps,
    systemClock,
    role,
  )
  await sql(`update users set tier = '${tier}' where id = '${actor.id}'`)
  return actor
}

async function sql(text: string): Promise<Record<string, unknown>[]> {
  let rows: Record<string, unknown>[] = []
  await db.script(async (run) => {
    rows = await run(text)
  })
  return rows
}

async function startWork() {
  const worker = await work(onMachine())
  children.add(worker.child)
  return worker
}

const workers: Awaited<ReturnType<typeof startWork>>[] = []

async function jobOf(kind: string): Promise<Record<string, unknown> | undefined> {
  return (await sql(`select * from jobs where kind = '${kind}' order by id desc limit 1`))[0]
}

test('rejects a session, key or user at both servers right after one revokes or suspends it', async () => {
  const admin = await user('admin')
  const owner = await user()
  dataOf(await owner.at(b.url).get('/auth/me'))
  assert.equal((await owner.post('/auth/logout')).status, 204)
  assertError(await owner.at(b.url).get('/auth/me'), 401, 'UNAUTHORIZED')

  const maker = await user()
  const scopes = ['contents:write']
  const app = await makeApp(maker, { scopes })
  const { key, raw_key } = await makeKey(maker, app.id, { scopes })
  const program = anyone(b.url, { 'x-api-key': raw_key })
  const contents = { category: 'hype', type: 'image', title: 'By a program' }
  dataOf(await program.post('/contents', contents), 201)
  assert.equal((await maker.delete(`/devconsole/keys/${key.id}`)).status, 204)
  assertError(await program.post('/contents', contents), 401, 'UNAUTHORIZED')

  const post = await makePost(maker)
  dataOf(await maker.at(b.url).get(`/posts/${post.id}`))
  const reason = { is_suspended: true, suspension_reason: 'advertising' }
  dataOf(await admin.patch(`/admin/users/${maker.id}`, reason))
  assertError(await maker.at(b.url).get('/auth/me'), 401, 'UNAUTHORIZED')
  assert.equal((await admin.at(b.url).get(`/creators/${maker.handle}`)).status, 404)
})

test('shows acknowledged writes at the other server immediately, even under load', async () => {
  const [author, commenter, bystander] = await Promise.all([user(), user(), user()])
  const content = await makeContent(author)
  let isOver = false
  const asking = times(16, async () => {
    while (!isOver) await bystander.at(b.url).get('/auth/me')
  })
  try {
    for (let i = 1; i <= 60; i++) {
      dataOf(await commenter.post(`/contents/${content.id}/comments`, { body: `No. ${i}` }), 201)
      const { unread_count } = dataOf(await author.at(b.url).get('/notifications/unread-count'))
      assert.equal(unread_count, i)
    }
  } finally {
    isOver = true
    await asking
  }
})

test('enforces a quota exactly across both servers', async () => {
  const owner = await user('user', 'regular')
  const answers = await times(90, (i) => owner.at(i % 2 ? a.url : b.url).get('/auth/me'))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(
    [
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 429).length,
    ],
    [60, 30],
  )
})

test('serves a file from shared storage at one server when it was uploaded at the other', async () => {
  const owner = await user()
  const bytes = await drawing(40, 30).png().toBuffer()
  const { url, id } = await makeUpload(owner, bytes)
  const answer = await fetch(b.url + url)
  assert.equal(answer.status, 200)
  assert.ok((await answer.arrayBuffer()).byteLength > 0)
  const content = await makeContent(owner, { upload_ids: [id] })
  const seen = dataOf(await owner.at(b.url).get(`/contents/${content.id}`)).content
  assert.equal((await fetch(b.url + seen.thumbnail_url)).status, 200)
  assert.ok(s3.objects.size > 0)
  assert.ok(!existsSync(join(folder, 'data', 'files')))
})

test('delivers webhooks and converts media only once a worker runs', {
  skip: NO_FFMPEG,
}, async () => {
  const owner = await user()
  const receiver = await receive()
  const { webhook } = await makeWebhook(owner, receiver.url)
  const upload = await makeUpload(owner.at(b.url), bytesOf(makeVideo()))
  const video = await makeContent(owner, { type: 'video', upload_ids: [upload.id] })
  await makeContent(owner)
  await sleep(1500)
  assert.deepEqual(
    [(await jobOf('conversion'))?.['status'], receiver.received.length],
    ['queued', 0],
  )
  const [pending] = await deliveriesOf(owner, webhook.id)
  assert.deepEqual([pending.status, pending.attempt_count], ['pending', 0])

  const worker = await startWork()
  await until(() => receiver.received.length === 2, 'a delivery for both contents')
  const { status } = dataOf(await owner.at(b.url).get(`/contents/${video.id}`)).content
  assert.equal(status, 'published')
  const { conversion } = dataOf(await owner.get(`/contents/${video.id}/conversion`))
  for (const { url } of conversion.renditions) assert.equal((await fetch(b.url + url)).status, 200)
  const log = await endedDeliveries(owner, webhook.id)
  assert.deepEqual(
    log.map((entry) => [entry.status, entry.attempt_count]),
    [
      ['delivered', 1],
      ['delivered', 1],
    ],
  )
  workers.push(worker)
})

test('reassigns a job to another worker when its worker is killed or stopped', {
  skip: NO_FFMPEG,
}, async () => {
  const owner = await user()
  writeFileSync(slow, '')
  const killed = workers.pop()
  assert.ok(killed)
  const upload = await makeUpload(owner, bytesOf(makeVideo({ seconds: 30 })))
  const { id } = await makeContent(owner, { type: 'video', upload_ids: [upload.id] })
  const jobState = async () => {
    const { status, attempts, lease } = (await jobOf('conversion')) ?? {}
    return { status, attempts: Number(attempts), isHeld: lease !== null }
  }
  const isTaken = (attempt: number) => async () => {
    const { status, attempts } = await jobState()
    return status === 'processing' && attempts === attempt
  }
  await until(isTaken(1), 'the worker to take the job')
  killed.child.kill('SIGKILL')
  await killed.ended
  assert.deepEqual(await jobState(), { status: 'processing', attempts: 1, isHeld: true })

  const secondWorker = await startWork()
  assert.equal((await jobState()).attempts, 1, 'the lease is still valid')
  await sql('update jobs set due_at = 1 where lease is not null')
  await until(isTaken(2), 'the other worker to take the job')
  secondWorker.child.kill('SIGTERM')
  assert.equal(await secondWorker.ended, 0)
  assert.deepEqual(await jobState(), { status: 'queued', attempts: 1, isHeld: false })

  rmSync(slow)
  const last = await startWork()
  const isDone = async () => (await jobState()).status === 'completed'
  await until(isDone, 'the last worker to do the job')
  const { content } = dataOf(await owner.at(b.url).get(`/contents/${id}`))
  assert.equal(content.status, 'published')
  last.child.kill('SIGTERM')
  for (const { child } of [a, b]) child.kill('SIGTERM')
  for (const { ended, out } of [last, a, b]) {
    assert.equal(await ended, 0)
    assert.doesNotMatch(out(), /"level":(50|60)/)
  }
})
