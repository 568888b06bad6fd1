import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { contentOf, makeMediaContent, untilConverted } from '../../test/conversions.ts'
import { assertError, dataOf, makeContent, valuesOf } from '../../test/make.ts'
import { makePageGame } from '../../test/playing.ts'
import { until } from '../../test/receiver.ts'
import { drawing, makeUpload, makeWav, served } from '../../test/uploads.ts'
import { makeVideo, NO_FFMPEG } from '../../test/videos.ts'
import { queueMissingSizes } from './sizes.ts'
import { makeDecision, undo } from '../../test/moderating.ts'

const app = await startApp({ FFMPEG: NO_FFMPEG ? 'off' : 'ffmpeg' })
const admin = await app.admin()

const noJob = async () =>
  (await app.count("jobs where kind in ('sizes', 'thumbnail') and due_at is not null")) === 0
const untilMade = () => until(noJob, 'the sizes')

/** Height of the last picture. It increases with each picture, so that no two pictures have the same bytes. */
let height = 300
const picture = (width = 700) => drawing(width, ++height).png().toBuffer()

const usedBy = async (user: Actor) => dataOf(await user.get('/auth/me')).user.storage.used_bytes
const statusesOf = async (sizes: Loose[]) => [
  ...new Set(await Promise.all(sizes.map(async ({ url }) => (await fetch(app.url + url)).status))),
]
const widthsOf = (sizes: Loose[]) => valuesOf(sizes, 'width')
const shownBy = ({ media, thumbnail_sizes }: Loose): Loose[] => [
  ...media.flatMap(({ sizes }: Loose) => sizes),
  ...thumbnail_sizes,
]

/** Creates a content item with these pictures, and returns it with its sizes. */
async function publish(user: Actor, pictures: Buffer[], over: object = {}): Promise<Loose> {
  const upload_ids = []
  for (const bytes of pictures) upload_ids.push((await makeUpload(user, bytes)).id)
  const content = await makeContent(user, { upload_ids, ...over })
  assert.deepEqual(shownBy(content), [])
  await untilMade()
  return contentOf(user, content)
}

async function makeAnimation(): Promise<Buffer> {
  const frames = [await picture(), await drawing(700, 350).negate().png().toBuffer()]
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
}

test('a picture and its thumbnail have several widths as WebP, by ascending width', async () => {
  const ana = await app.user()
  const { media, thumbnail_url, thumbnail_sizes } = await publish(ana, [await picture(2600)])
  const { url: original, sizes } = media[0]
  assert.deepEqual(widthsOf(sizes), [320, 640, 1280, 1920, 2560])
  assert.deepEqual(widthsOf(thumbnail_sizes), [160, 320, 640, 1280])
  assert.deepEqual(thumbnail_sizes.slice(1), sizes.slice(0, 3))
  for (const { url, width, height: rows, mime_type } of [...sizes, ...thumbnail_sizes]) {
    const answer = await fetch(app.url + url)
    assert.deepEqual([mime_type, answer.headers.get('content-type')], ['image/webp', 'image/webp'])
    assert.match(answer.headers.get('cache-control') as string, /max-age=31536000.*immutable/)
    const found = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    assert.deepEqual([found.format, found.width, found.height], ['webp', width, rows])
    assert.ok(Math.abs(rows / width - height / 2600) < 0.01, `${width} x ${rows}`)
    // The smaller versions must be in the thumbnail's folder, not in the original's.
    assert.notEqual(url.slice(0, 73), original.slice(0, 73))
    assert.equal(url.slice(0, 73), thumbnail_url.slice(0, 73))
  }
  assert.deepEqual(await app.drifted(), [])
})

test('every list shows the sizes, and no size is wider than the picture', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const content = await publish(ana, [await picture(700), await picture(319), await picture(159)])
  assert.deepEqual(
    content.media.map(({ sizes }: Loose) => widthsOf(sizes)),
    [[320, 640], [], []],
  )
  assert.deepEqual(widthsOf(content.thumbnail_sizes), [160, 320, 640])
  dataOf(await ben.post(`/creators/${ana.handle}/follow`))
  dataOf(await ben.post(`/contents/${content.id}/bookmark`))
  for (const path of [
    '/feeds',
    '/feeds/hype?sort=popular',
    '/feeds?sort=following',
    `/creators/${ana.handle}/contents`,
    '/users/me/bookmarks',
  ]) {
    const { feeds } = dataOf(await ben.get(path))
    const found = feeds.find(({ id }: Loose) => id === content.id)
    assert.deepEqual(found?.thumbnail_sizes, content.thumbnail_sizes, path)
    assert.deepEqual(found.media[0].sizes, content.media[0].sizes, path)
  }
})

test('animations and other files have none', async () => {
  const ana = await app.user()
  const { media, thumbnail_url, thumbnail_sizes } = await publish(ana, [await makeAnimation()])
  assert.ok(thumbnail_url)
  assert.deepEqual([media[0].sizes, thumbnail_sizes], [[], []])
  const sound = await publish(ana, [makeWav()], { type: 'audio' })
  assert.deepEqual([sound.thumbnail_url, shownBy(sound)], [null, []])
  await queueMissingSizes(app.db, app.clock.now())
  assert.ok(await noJob())
})

test('a chosen thumbnail replaces the sizes, and keeps those of the pictures', async () => {
  const ana = await app.user()
  const content = await publish(ana, [await picture()])
  const { id } = await makeUpload(ana, await picture(1300))
  const path = `/contents/${content.id}`
  const { content: chosen } = dataOf(await ana.patch(path, { thumbnail_upload_id: id }))
  assert.deepEqual([chosen.thumbnail_sizes, chosen.media], [[], content.media])
  await untilMade()
  const { thumbnail_url, thumbnail_sizes, media, updated_at } = await contentOf(ana, content)
  assert.deepEqual(widthsOf(thumbnail_sizes), [160, 320, 640, 1280])
  for (const { url } of thumbnail_sizes) assert.equal(url.slice(0, 73), thumbnail_url.slice(0, 73))
  assert.deepEqual([media, updated_at], [content.media, chosen.updated_at])
  dataOf(await ana.patch(path, { title: 'Another' }))
  assert.deepEqual((await contentOf(ana, content)).thumbnail_sizes, thumbnail_sizes)
  dataOf(await ana.patch(path, { thumbnail_upload_id: null }))
  await untilMade()
  assert.deepEqual((await contentOf(ana, content)).thumbnail_sizes, content.thumbnail_sizes)
  assert.deepEqual(await app.drifted(), [])
})

test('parallel choices end with the sizes of the thumbnail that is shown', async () => {
  const ana = await app.user()
  const content = await publish(ana, [await picture()])
  const ids = []
  for (let i = 0; i < 3; i++) ids.push((await makeUpload(ana, await picture())).id)
  const choices = [...ids, null].map((id) =>
    ana.patch(`/contents/${content.id}`, { thumbnail_upload_id: id }),
  )
  for (const answer of await Promise.all(choices)) dataOf(answer)
  await untilMade()
  const { thumbnail_url, thumbnail_sizes } = await contentOf(ana, content)
  assert.deepEqual(widthsOf(thumbnail_sizes), [160, 320, 640])
  for (const { url } of thumbnail_sizes) assert.equal(url.slice(0, 73), thumbnail_url.slice(0, 73))
  assert.deepEqual(await app.drifted(), [])
})

test('generated thumbnails have sizes too', async () => {
  const ana = await app.user()
  const game = await makePageGame(ana)
  await until(async () => (await contentOf(ana, game)).thumbnail_url !== null, 'the thumbnail')
  await untilMade()
  const { thumbnail_sizes } = await contentOf(ana, game)
  assert.deepEqual(widthsOf(thumbnail_sizes), [160, 320, 640])
  assert.deepEqual(await statusesOf(thumbnail_sizes), [200])
  assert.deepEqual(await app.drifted(), [])
})

test('posters of videos have sizes after the next maintenance', { skip: NO_FFMPEG }, async () => {
  const ana = await app.user()
  const content = await makeMediaContent(ana, [makeVideo({ size: '400x300' })])
  await untilConverted(ana, content)
  const before = await contentOf(ana, content)
  assert.match(before.thumbnail_url, /poster\.webp$/)
  assert.deepEqual(shownBy(before), [])
  const used = await usedBy(ana)
  await queueMissingSizes(app.db, app.clock.now())
  await untilMade()
  const { media, thumbnail_sizes } = await contentOf(ana, content)
  assert.deepEqual(widthsOf(thumbnail_sizes), [160, 320])
  assert.deepEqual(media, before.media)
  let made = 0
  for (const { url } of thumbnail_sizes) made += (await served(app, url)).length
  assert.equal((await usedBy(ana)) - used, made)
  assert.deepEqual(await app.drifted(), [])
  dataOf(await ana.delete(`/contents/${content.id}`), 204)
  await erase(ana, content)
  assert.deepEqual(await statusesOf(thumbnail_sizes), [404])
  assert.equal(await usedBy(ana), 0)
})

async function erase(author: Actor, { id }: Loose): Promise<void> {
  dataOf(await author.post(`/contents/${id}/erasure`, {}), 202)
  await until(async () => (await app.count("jobs where kind = 'erasure'")) === 0, 'the erasure')
}

test('pictures from before the server made sizes follow, except those of archived content', async () => {
  const ana = await app.user()
  const [content, archived] = [
    await publish(ana, [await picture()]),
    await publish(ana, [await picture()]),
  ]
  dataOf(await ana.delete(`/contents/${archived.id}`), 204)
  for (const { id } of [content, archived]) {
    const media = `replace(media, '"sizes"', '"former"')`
    await app.sql(`update contents set thumbnail_sizes = null, media = ${media} where id = '${id}'`)
  }
  assert.deepEqual(shownBy(await contentOf(ana, content)), [])
  await queueMissingSizes(app.db, app.clock.now())
  await untilMade()
  assert.deepEqual(shownBy(await contentOf(ana, content)), shownBy(content))
  assert.deepEqual(shownBy(await contentOf(ana, archived)), [])
  dataOf(await ana.post(`/contents/${archived.id}/restore`))
  await queueMissingSizes(app.db, app.clock.now())
  await untilMade()
  assert.deepEqual(shownBy(await contentOf(ana, archived)), shownBy(archived))
})

test('only viewers who can read the content see its sizes', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const content = await publish(ana, [await picture()], { visibility: 'followers' })
  assert.equal(shownBy(content).length, 5)
  assertError(await ben.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
  for (const path of ['/feeds', `/creators/${ana.handle}/contents`]) {
    const { text } = await ben.get(path)
    for (const { url } of shownBy(content)) assert.ok(!text.includes(url), path)
  }
  dataOf(await ben.post(`/creators/${ana.handle}/follow`))
  assert.deepEqual(shownBy(await contentOf(ben, content)), shownBy(content))
  await makeDecision(admin, 'hide', 'content', content.id)
  assertError(await ben.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
  assert.deepEqual(shownBy(await contentOf(ana, content)), shownBy(content))
})

test('sizes are hidden with a blocked picture and with a suspended user', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const content = await publish(ana, [await picture()])
  const id = content.media[0].upload_id
  const sha256 = await app.value(`select file_sha256 from uploads where id = '${id}'`)
  const decision = await makeDecision(admin, 'block_file', 'file', String(sha256))
  assert.deepEqual(await statusesOf(shownBy(content)), [404])
  const blocked = await contentOf(ana, content)
  assert.deepEqual(
    [blocked.media[0].url, blocked.thumbnail_url, shownBy(blocked)],
    [null, null, []],
  )
  dataOf(await undo(admin, decision))
  assert.deepEqual(shownBy(await contentOf(ana, content)), shownBy(content))
  assert.deepEqual(await statusesOf(shownBy(content)), [200])

  const hidden = shownBy(await publish(ben, [await picture()]))
  dataOf(await admin.patch(`/admin/users/${ben.id}`, { is_suspended: true }))
  await until(async () => (await statusesOf(hidden)).every((status) => status === 404), 'the end')
})

test('the bytes count for the owner, and go with the content unless another one shows the picture', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const bytes = await picture()
  const upload = await makeUpload(ana, bytes)
  const before = await usedBy(ana)
  const content = await makeContent(ana, { upload_ids: [upload.id] })
  await untilMade()
  const shown = shownBy(await contentOf(ana, content))
  const files = new Map<string, number>()
  for (const { url } of shown) files.set(url, (await served(app, url)).length)
  const made = [...files.values()].reduce((sum, length) => sum + length, 0)
  assert.equal((await usedBy(ana)) - before, made)
  const copy = await publish(ben, [bytes])
  assert.deepEqual(shownBy(copy), shown)
  assert.equal(await usedBy(ben), await usedBy(ana))
  dataOf(await ana.delete(`/contents/${content.id}`), 204)
  assert.deepEqual(shownBy(await contentOf(ana, content)), shown)
  await erase(ana, content)
  assert.equal(await usedBy(ana), 0)
  assert.deepEqual(await statusesOf(shown), [200])
  dataOf(await ben.delete(`/contents/${copy.id}`), 204)
  await erase(ben, copy)
  assert.deepEqual(await statusesOf(shown), [404])
  assert.equal(await usedBy(ben), 0)
  const folder = `${shown[0]?.url.slice(9, 73)}/`
  assert.deepEqual(await Array.fromAsync(app.deps.store.list(folder)), [])
  assert.deepEqual(await app.drifted(), [])
})
