import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { dataOf, makeComment, makeContent, makePost } from '../../test/make.ts'
import { until } from '../../test/receiver.ts'
import { drawing, makeUpload, served } from '../../test/uploads.ts'
import { queueMissingSizes } from './sizes.ts'
import { makeDecision, undo } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
await app.admin()

const meOf = async (user: Actor) => dataOf(await user.get('/auth/me')).user
const noJob = async () => (await app.count("jobs where kind = 'sizes'")) === 0
const statusOf = async (url: string) => (await fetch(app.url + url)).status
const statusesOf = (sizes: Loose[]) => Promise.all(sizes.map(({ url }) => statusOf(url)))

async function choose(user: Actor, bytes: Buffer): Promise<Loose> {
  const { id } = await makeUpload(user, bytes)
  const { user: chosen } = dataOf(await user.patch('/auth/me', { avatar_upload_id: id }))
  await until(noJob, 'the sizes')
  return { id, chosen, sizes: (await meOf(user)).avatar_sizes as Loose[] }
}

/** Height of the last picture. It increases with each picture, so that no two pictures have the same bytes. */
let height = 300
const picture = (width = 400) => drawing(width, ++height).png().toBuffer()

const EACH_TYPE = ['image/avif', 'image/webp']

test('an avatar has three widths, each as AVIF and as WebP, by ascending width', async () => {
  const ana = await app.user()
  const { chosen, sizes } = await choose(ana, await picture())
  assert.deepEqual(chosen.avatar_sizes, [])
  assert.deepEqual(
    sizes.map(({ width, mime_type }: Loose) => [width, mime_type]),
    [48, 96, 192].flatMap((width) => EACH_TYPE.map((type) => [width, type])),
  )
  for (const { url, width, height: rows, mime_type } of sizes) {
    const answer = await fetch(app.url + url)
    assert.equal(answer.headers.get('content-type'), mime_type)
    assert.match(answer.headers.get('cache-control') as string, /max-age=31536000.*immutable/)
    const found = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    assert.deepEqual([found.width, found.height], [width, rows])
    assert.equal(found.format, mime_type === 'image/avif' ? 'heif' : 'webp')
    assert.ok(Math.abs(rows / width - height / 400) < 0.02, `${width} x ${rows}`)
  }
  const [smallest] = sizes
  assert.ok(smallest)
  assert.ok((await served(app, smallest.url)).length < 2000)
  assert.deepEqual(await app.drifted(), [])
})

test('every record of the user has the sizes', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const { sizes } = await choose(ana, await picture())
  const content = await makeContent(ana)
  await makeComment(ana, content.id)
  await makePost(ana)
  dataOf(await ben.post(`/creators/${ana.handle}/follow`))
  dataOf(await ana.post(`/creators/${ben.handle}/follow`))
  const page = await Promise.all([
    ben.get('/feeds'),
    ben.get(`/contents/${content.id}/comments`),
    ben.get('/feed'),
    ben.get('/notifications'),
    ben.get(`/creators/${ben.handle}/followers`),
    admin.get(`/admin/users?q=${ana.handle}`),
  ])
  const records = page.flatMap((answer) => usersIn(dataOf(answer), ana.id))
  assert.ok(records.length >= 6, String(records.length))
  records.push(dataOf(await ben.get(`/creators/${ana.handle}`)).creator)
  for (const record of records) assert.deepEqual(record.avatar_sizes, sizes)
  const others = page.flatMap((answer) => usersIn(dataOf(answer), ben.id))
  for (const record of others) assert.deepEqual(record.avatar_sizes, [])
})

function usersIn(value: unknown, id: string): Loose[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'avatar_url' in value && (value as Loose).id === id ? [value as Loose] : []
  return [...own, ...Object.values(value).flatMap((part) => usersIn(part, id))]
}

test('is never wider than the picture, and an animation has none', async () => {
  const ana = await app.user()
  const small = await choose(ana, await picture(100))
  assert.deepEqual([...new Set(small.sizes.map(({ width }: Loose) => width))], [48, 96])
  assert.deepEqual((await choose(ana, await picture(47))).sizes, [])
  const frames = [
    await drawing(300, 300).png().toBuffer(),
    await drawing(300, 300).negate().png().toBuffer(),
  ]
  const animation = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const { chosen, sizes } = await choose(ana, animation)
  assert.ok(chosen.avatar_url)
  assert.deepEqual(sizes, [])
  assert.deepEqual(
    await app
      .sql(`select avatar_sizes from users where id = '${ana.id}'`)
      .then(([row]) => ({ ...row })),
    { avatar_sizes: '[]' },
  )
})

test('the bytes count once for each owner, and a picture chosen again has its sizes at once', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const bytes = await picture()
  const { used_bytes: before } = (await meOf(ana)).storage
  const { id, sizes } = await choose(ana, bytes)
  const lengths = await Promise.all(
    sizes.map(async ({ url }: Loose) => (await served(app, url)).length),
  )
  const made = lengths.reduce((sum, length) => sum + length, 0)
  const used = (await meOf(ana)).storage.used_bytes - before
  const { id: copy } = await makeUpload(ben, bytes)
  assert.equal((await meOf(ben)).storage.used_bytes, used)
  assert.ok(used > bytes.length + made)
  const { user } = dataOf(await ben.patch('/auth/me', { avatar_upload_id: copy }))
  assert.deepEqual(user.avatar_sizes, sizes)
  dataOf(await ana.patch('/auth/me', { avatar_upload_id: null }))
  assert.deepEqual((await meOf(ana)).avatar_sizes, [])
  const { user: again } = dataOf(await ana.patch('/auth/me', { avatar_upload_id: id }))
  assert.deepEqual(again.avatar_sizes, sizes)
  assert.ok(await noJob())
  assert.deepEqual(await app.drifted(), [])
})

test('avatars from before the server made sizes follow', async () => {
  const ana = await app.user()
  const { sizes } = await choose(ana, await picture())
  await app.sql('update users set avatar_sizes = null')
  await app.sql('delete from picture_sizes')
  await app.sql(`update storage_usage set used_bytes = used_bytes - (
    select coalesce(sum(rendition_bytes), 0) from files where sha256 in (
      select file_sha256 from uploads where owner_id = storage_usage.user_id))`)
  await app.sql('update files set rendition_bytes = 0')
  assert.deepEqual((await meOf(ana)).avatar_sizes, [])
  await queueMissingSizes(app.db, app.clock.now())
  await until(noJob, 'the sizes')
  const found = (await meOf(ana)).avatar_sizes
  assert.deepEqual(
    found.map(({ width }: Loose) => width),
    sizes.map(({ width }: Loose) => width),
  )
  for (const status of await statusesOf(found)) assert.equal(status, 200)
  await queueMissingSizes(app.db, app.clock.now())
  assert.ok(await noJob())
})

test('parallel choices end with the sizes of the avatar that is shown', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const [first, second] = [await picture(), await picture()]
  const [own, replaced] = [await makeUpload(ana, first), await makeUpload(ana, second)]
  const { id } = await makeUpload(ben, first)
  await Promise.all([
    ana.patch('/auth/me', { avatar_upload_id: own.id }),
    ben.patch('/auth/me', { avatar_upload_id: id }),
    ana.patch('/auth/me', { avatar_upload_id: replaced.id }),
  ])
  await until(noJob, 'the sizes')
  for (const user of [ana, ben]) {
    const { avatar_url, avatar_sizes } = await meOf(user)
    assert.equal(avatar_sizes.length, 6)
    for (const { url } of avatar_sizes) assert.equal(url.slice(0, 73), avatar_url.slice(0, 73))
  }
})

test('sizes are hidden with a blocked picture and with a suspended user', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const { id, sizes } = await choose(ana, await picture())
  const sha256 = await app.value(`select file_sha256 from uploads where id = '${id}'`)
  const decision = await makeDecision(admin, 'block_file', 'file', String(sha256))
  assert.deepEqual([...new Set(await statusesOf(sizes))], [404])
  assert.deepEqual((await meOf(ana)).avatar_sizes, [])
  dataOf(await undo(admin, decision))
  assert.deepEqual((await meOf(ana)).avatar_sizes, sizes)
  assert.deepEqual([...new Set(await statusesOf(sizes))], [200])

  const hidden = await choose(ben, await picture())
  dataOf(await admin.patch(`/admin/users/${ben.id}`, { is_suspended: true }))
  const isHidden = async () => (await statusesOf(hidden.sizes)).every((status) => status === 404)
  await until(isHidden, 'the suspension')
})

test('erasing the account removes its sizes, except those of a picture that another user shows', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const shared = await picture()
  const kept = await choose(ben, shared)
  dataOf(await ana.patch('/auth/me', { avatar_upload_id: (await makeUpload(ana, shared)).id }))
  const own = await choose(ana, await picture())
  const body = { contents: 'erase', texts: 'erase', reason: 'On request' }
  dataOf(await admin.post(`/admin/users/${ana.id}/erasure`, body), 202)
  const isErased = async () => (await app.count("jobs where kind = 'erasure'")) === 0
  await until(isErased, 'the erasure')
  assert.deepEqual([...new Set(await statusesOf(own.sizes))], [404])
  assert.deepEqual([...new Set(await statusesOf(kept.sizes))], [200])
  const paths = await Array.fromAsync(app.deps.store.list(`${own.sizes[0].url.slice(9, 73)}/`))
  assert.deepEqual(paths, [])
  assert.deepEqual(await app.drifted(), [])
})
