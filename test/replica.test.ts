/** Checks which requests read from a replica, by pausing the replay on a real standby. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { onServer, startPrivatePostgres } from '../scripts/postgres.ts'
import { ENGINE, startApp, type TestApp } from './app.ts'
import { dataOf, idsOf, makeComment, makeContent, makePost, times } from './make.ts'
import { layWire, type Wire } from './wire.ts'

const skip = ENGINE !== 'postgres' && 'needs PostgreSQL'

const named = (url: string, name: string) => url.replace(/\/postgres$/, `/${name}`)

async function makeWorld() {
  const primary = await startPrivatePostgres()
  after(() => primary.stop())
  await onServer(primary.url, 'create database plaza')
  await onServer(primary.url, 'create database later')
  const standby = await startPrivatePostgres({}, { standbyOf: primary.url })
  after(() => standby.stop())
  const wire = await layWire(standby.url)
  after(() => wire.close())
  const settings = (name: string) => ({
    DATABASE_URL: named(primary.url, name),
    DATABASE_REPLICA_URL: wire.through(named(standby.url, name)),
  })
  const app = await startApp(settings('plaza'))
  return { app, primary, standby, wire, settings }
}

interface World {
  app: TestApp
  primary: { url: string }
  standby: { url: string }
  wire: Wire
  settings(name: string): Record<string, string>
}
const world = skip ? undefined : ((await makeWorld()) as World)

async function rowOf(url: string, text: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows[0] as Record<string, unknown>
  } finally {
    await client.end()
  }
}

/** Pauses replay on the standby while `action` runs, then waits until the standby has caught up. */
async function heldBack<T>({ primary, standby }: World, action: () => Promise<T>): Promise<T> {
  await rowOf(standby.url, 'select pg_wal_replay_pause()')
  for (;;) {
    const { state } = await rowOf(standby.url, 'select pg_get_wal_replay_pause_state() as state')
    if (state === 'paused') break
    await sleep(10)
  }
  try {
    return await action()
  } finally {
    await rowOf(standby.url, 'select pg_wal_replay_resume()')
    const { lsn } = await rowOf(primary.url, 'select pg_current_wal_lsn() as lsn')
    for (;;) {
      const text = `select pg_last_wal_replay_lsn() >= '${String(lsn)}' as has`
      if ((await rowOf(standby.url, text))['has'] === true) break
      await sleep(10)
    }
  }
}

const feedOf = async (app: TestApp) =>
  idsOf(dataOf(await app.anon.get('/feeds?limit=50')).feeds as { id: string }[])

function isUsed(setup: World, app: TestApp = setup.app): Promise<boolean> {
  return heldBack(setup, async () => {
    const { id } = await makeContent(await app.user())
    return !(await feedOf(app)).includes(id)
  })
}

async function untilUsed(setup: World, app?: TestApp): Promise<void> {
  for (let tries = 0; !(await isUsed(setup, app)); tries++) {
    assert.ok(tries < 40, 'the replica was not used within 40 tries')
    await sleep(200)
  }
}

test('reads public lists from the replica for anonymous clients, and authors see their own writes', {
  skip,
}, async () => {
  assert.ok(world)
  const { app } = world
  const author = await app.user()
  const reader = await app.user()
  const old = await makeContent(author)
  const oldPost = await makePost(author)
  await untilUsed(world)
  await heldBack(world, async () => {
    const content = await makeContent(author)
    await makeComment(author, old.id, { body: 'new' })
    const post = await makePost(author)
    dataOf(await reader.post(`/creators/${author.handle}/follow`))
    const lists: [string, string, string][] = [
      ['/feeds', 'feeds', content.id],
      ['/feeds/hype', 'feeds', content.id],
      [`/creators/${author.handle}/contents`, 'feeds', content.id],
      [`/contents/${old.id}/recommendations`, 'feeds', content.id],
      ['/feed', 'posts', post.id],
      [`/creators/${author.handle}/followers`, 'users', reader.id],
    ]
    for (const [path, name, id] of lists) {
      const nobodys = idsOf(dataOf(await app.anon.get(path))[name])
      assert.ok(!nobodys.includes(id), `${path} came from the primary`)
      const authors = idsOf(dataOf(await author.get(path))[name])
      assert.ok(authors.includes(id), `${path} came from the replica for the author`)
    }
    const comments = `/contents/${old.id}/comments`
    assert.equal(dataOf(await app.anon.get(comments)).comments.length, 0)
    assert.equal(dataOf(await author.get(comments)).comments.length, 1)
    const own = idsOf(dataOf(await author.get('/users/me/contents')).feeds)
    assert.ok(own.includes(content.id))

    // A content item that the replica lacks must not cause a 404.
    dataOf(await app.anon.get(`/contents/${content.id}`))
    assert.deepEqual(dataOf(await app.anon.get(`/contents/${content.id}/comments`)).comments, [])
    dataOf(await app.anon.get(`/contents/${content.id}/recommendations`))
    dataOf(await app.anon.get(`/posts/${post.id}/thread`))
    dataOf(await app.anon.get(`/posts/${oldPost.id}/thread`))

    assert.equal((await author.post('/auth/logout')).status, 204)
    assert.equal((await author.get('/auth/me')).status, 401)
  })
  assert.ok((await feedOf(app)).length >= 2)
})

test('keeps reads fast and successful when the replica fails, hangs or returns', {
  skip,
}, async () => {
  assert.ok(world)
  const { app, wire } = world
  await makeContent(await app.user())
  await untilUsed(world)
  const seen = { reads: 0, slowest: 0 }
  let isOver = false
  const reading = times(4, async () => {
    while (!isOver) {
      const start = performance.now()
      assert.ok((await feedOf(app)).length > 0)
      seen.reads++
      seen.slowest = Math.max(seen.slowest, performance.now() - start)
      await sleep(5)
    }
  })
  await sleep(100)
  await wire.cut()
  await sleep(300)
  assert.equal(await isUsed(world), false)
  await wire.mend()
  await untilUsed(world)
  wire.hang()
  await sleep(1500)
  assert.equal(await isUsed(world), false)
  await wire.mend()
  await untilUsed(world)
  isOver = true
  await reading
  assert.ok(seen.reads > 20)
  assert.ok(seen.slowest < 3000, `${seen.slowest} ms`)
})

test('does not use a replica until it has the schema and all acknowledged writes', {
  skip,
}, async () => {
  assert.ok(world)
  const held = world
  const app = await heldBack(held, async () => {
    const late = await startApp(held.settings('later'))
    const { id } = await makeContent(await late.user())
    await sleep(1200)
    assert.deepEqual(await feedOf(late), [id])
    return late
  })
  await untilUsed(held, app)
})
