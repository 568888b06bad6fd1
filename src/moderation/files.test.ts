import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf, makeContent } from '../../test/make.ts'
import { makePageGame, zipOf } from '../../test/playing.ts'
import { until } from '../../test/receiver.ts'
import { drawing, makeBrokenMp4, makeUpload, makeWav, upload } from '../../test/uploads.ts'
import { makeDecision, decide, makeModerator, undo } from '../../test/moderating.ts'

const app = await startApp()
const sibling = await app.sibling()
const admin = await app.admin()
const moderator = await makeModerator(app, admin)

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const hashIn = (url: string) => url.slice(9, 73)
let width = 300
/** Returns a picture with a unique thumbnail. */
const picture = () => drawing(++width).png().toBuffer()
/**
 * Returns a picture with metadata, which the server removes. Its stored bytes therefore differ from the sent
 * ones.
 */
const photo = () =>
  drawing(++width)
    .withExif({ IFD0: { Make: 'A camera' } })
    .jpeg()
    .toBuffer()

const ask = (actor: Actor, id: string, over: object = {}) =>
  decide(actor, 'block_file', 'file', id, over)
const block = (id: string) => makeDecision(moderator, 'block_file', 'file', id)
const unblock = async (decision: Loose) => dataOf(await undo(moderator, decision)).decision

async function statusesOf(urls: string[]): Promise<number[]> {
  const answers = [app, sibling].flatMap(({ url: origin }) =>
    urls.map((url) => fetch(origin + url)),
  )
  return [...new Set((await Promise.all(answers)).map(({ status }) => status))]
}
/** Returns the record without `view_count`, because reading counts a view. */
async function detailOf({ id }: Loose): Promise<Loose> {
  const { view_count: _views, ...record } = dataOf(await app.anon.get(`/contents/${id}`)).content
  return record
}
const avatarOf = async ({ handle }: Actor) =>
  dataOf(await app.anon.get(`/creators/${handle}`)).creator.avatar_url

test('removes a picture and what was made from it everywhere, and restores it exactly', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const bytes = await picture()
  const own = await makeUpload(ana, bytes)
  const again = await makeUpload(ben, bytes)
  const otherPicture = await makeUpload(ana, await picture())
  const both = await makeContent(ana, { upload_ids: [own.id, otherPicture.id] })
  const chosen = await makeContent(ben, { thumbnail_upload_id: again.id })
  dataOf(await ana.patch('/auth/me', { avatar_upload_id: own.id }))
  await until(async () => (await app.count("jobs where kind = 'sizes'")) === 0, 'the sizes')
  const before = {
    avatar: await avatarOf(ana),
    both: await detailOf(both),
    chosen: await detailOf(chosen),
  }
  const urls = [own.url, before.avatar, before.both.thumbnail_url]
  assert.deepEqual(await statusesOf(urls), [200])
  const { headers } = await fetch(app.url + own.url)
  assert.match(headers.get('cache-control') ?? '', /max-age=31536000.*s-maxage=3600/)

  const decision = await block(own.sha256)
  assert.deepEqual(
    [decision.subject, decision.subject_user, decision.affected_count, decision.status],
    [{ kind: 'file', id: own.sha256 }, null, 1, 'in_effect'],
  )
  assert.deepEqual(await statusesOf(urls), [404])
  assert.deepEqual(await statusesOf([otherPicture.url]), [200])
  const { error } = (await (await fetch(app.url + own.url)).json()) as Loose
  assert.equal(error.code, 'UPLOAD_NOT_FOUND')
  assert.equal(await avatarOf(ana), null)
  assert.equal(dataOf(await ana.get('/auth/me')).user.avatar_url, null)
  for (const actor of [app.anon, ana, moderator]) {
    const { content } = dataOf(await actor.get(`/contents/${both.id}`))
    assert.deepEqual(
      content.media.map(({ url }: Loose) => url),
      [null, otherPicture.url],
    )
    assert.equal(content.media[0].original_url, null)
    assert.equal(content.thumbnail_url, null)
    assert.equal(content.creator.avatar_url, null)
  }
  const { feeds } = dataOf(await app.anon.get(`/creators/${ben.handle}/contents`))
  assert.equal(feeds[0].thumbnail_url, null)

  for (const actor of [ana, ben, await app.user()])
    assertInvalid(await upload(actor, bytes), 'file')
  const named = {
    category: 'hype',
    type: 'image',
    title: 'x',
    upload_ids: [otherPicture.id, own.id],
  }
  assertInvalid(await ana.post('/contents', named), 'upload_ids.1')
  const thumbnail = { ...named, upload_ids: [], thumbnail_upload_id: own.id }
  assertInvalid(await ana.post('/contents', thumbnail), 'thumbnail_upload_id')
  assertInvalid(
    await ana.patch(`/contents/${both.id}`, { thumbnail_upload_id: own.id }),
    'thumbnail_upload_id',
  )
  assertInvalid(await ben.patch('/auth/me', { avatar_upload_id: again.id }), 'avatar_upload_id')
  assert.deepEqual(await app.drifted(), [])

  const undone = await unblock(decision)
  assert.equal(undone.status, 'undone')
  assert.deepEqual(await statusesOf(urls), [200])
  assert.equal(await avatarOf(ana), before.avatar)
  assert.deepEqual(await detailOf(both), before.both)
  assert.deepEqual(await detailOf(chosen), before.chosen)
  dataOf(await upload(ben, bytes), 201)
  assert.deepEqual(await app.drifted(), [])
})

test('notifies every user who uploaded the file, and lets each of them appeal', async () => {
  const [ana, ben, laterUploader] = [await app.user(), await app.user(), await app.user()]
  const bytes = await picture()
  const { sha256 } = await makeUpload(ana, bytes)
  await makeUpload(ana, bytes)
  await makeUpload(ben, bytes)
  const decision = await block(sha256.toUpperCase())
  assert.equal(decision.subject.id, sha256)
  for (const actor of [ana, ben]) {
    const { notifications } = dataOf(await actor.get('/notifications'))
    const about = notifications.filter(({ link }: Loose) => link === `/decisions/${decision.id}`)
    assert.equal(about.length, 1)
    const own = dataOf(await actor.get(`/decisions/${decision.id}`)).decision
    assert.deepEqual([own.action, own.can_appeal, own.decided_by], ['block_file', true, undefined])
  }
  assertError(await laterUploader.get(`/decisions/${decision.id}`), 404, 'DECISION_NOT_FOUND')
  const { appeal } = dataOf(
    await ben.post(`/decisions/${decision.id}/appeal`, { body: 'Mine' }),
    201,
  )
  dataOf(
    await moderator.post(`/admin/appeals/${appeal.id}/answer`, {
      outcome: 'granted',
      answer: 'Yes',
    }),
  )
  const { notifications } = dataOf(await ana.get('/notifications'))
  assert.equal(notifications[0].link, `/decisions/${decision.id}`)
  dataOf(await upload(laterUploader, bytes), 201)
})

test('knows a photo by its received bytes, its stored bytes and its thumbnail', async () => {
  for (const name of ['received', 'stored', 'thumbnail']) {
    const ana = await app.user()
    const bytes = await photo()
    const { id, sha256, url } = await makeUpload(ana, bytes)
    assert.notEqual(sha256, hashOf(bytes))
    const stored = Buffer.from(await (await fetch(app.url + url)).arrayBuffer())
    dataOf(await ana.patch('/auth/me', { avatar_upload_id: id }))
    const hashes: Record<string, string> = {
      received: hashOf(bytes),
      stored: sha256,
      thumbnail: hashIn(await avatarOf(ana)),
    }
    const decision = await block(hashes[name] as string)
    assert.equal(decision.affected_count, 1, name)
    assert.deepEqual(await statusesOf([url]), [404], name)
    assert.equal(await avatarOf(ana), null, name)
    const ben = await app.user()
    assertInvalid(await upload(ben, bytes), 'file')
    assertInvalid(await upload(ben, stored), 'file')
    await unblock(decision)
    assert.deepEqual(await statusesOf([url]), [200], name)
    dataOf(await upload(ben, bytes), 201)
  }
})

test('is one picture when files differ but their thumbnails do not', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const image = drawing(++width)
  const bytes = (level: number) => image.clone().png({ compressionLevel: level }).toBuffer()
  const [own, copy] = [await makeUpload(ana, await bytes(9)), await makeUpload(ben, await bytes(1))]
  assert.notEqual(own.sha256, copy.sha256)
  dataOf(await ana.patch('/auth/me', { avatar_upload_id: own.id }))
  const decision = await block(copy.sha256)
  assert.equal(decision.affected_count, 2)
  assert.equal(await avatarOf(ana), null)
  assert.deepEqual(await statusesOf([own.url, copy.url]), [404])
  for (const actor of [ana, ben]) {
    assert.equal(dataOf(await actor.get('/decisions')).decisions[0].id, decision.id)
  }
  assertInvalid(await upload(ben, await bytes(4)), 'file')
  assert.deepEqual(await app.drifted(), [])
  await unblock(decision)
  assert.notEqual(await avatarOf(ana), null)
  assert.deepEqual(await app.drifted(), [])

  await makeUpload(admin, await bytes(6))
  assertError(await ask(moderator, copy.sha256), 403, 'FORBIDDEN')
})

test('blocks bytes that were never stored, also as what remains of a photo', async () => {
  const ana = await app.user()
  const wav = makeWav()
  const decision = await block(hashOf(wav))
  assert.equal(decision.affected_count, 0)
  assertInvalid(await upload(ana, wav), 'file')
  assert.deepEqual(await app.sql(`select * from files where sha256 = '${hashOf(wav)}'`), [])
  await unblock(decision)
  await makeUpload(ana, wav)

  const bytes = await photo()
  const elsewhere = await startApp()
  const { sha256 } = await makeUpload(await elsewhere.user(), bytes)
  await elsewhere.close()
  await block(sha256)
  assertInvalid(await upload(ana, bytes), 'file')
  assert.deepEqual(await app.sql(`select * from files where sha256 = '${sha256}'`), [])
})

test('hides videos with their renditions, and ends games', async () => {
  const ana = await app.user()
  const video = await makeUpload(ana, makeBrokenMp4())
  const rendition = `${video.sha256}/ab/hls/1.mp4`
  const file = app.deps.staging.newFile()
  writeFileSync(file, 'rendition')
  await app.deps.store.put(rendition, file, '')
  const urls = [video.url, `/uploads/${rendition}`]
  assert.deepEqual(await statusesOf(urls), [200])
  const decision = await block(video.sha256)
  assert.deepEqual(await statusesOf(urls), [404])
  await unblock(decision)
  assert.deepEqual(await statusesOf(urls), [200])

  const game = await makePageGame(ana)
  const [{ file_sha256 } = { file_sha256: '' }] = await app.sql(
    `select file_sha256 from content_media where content_id = '${game.id}'`,
  )
  const play = (actor: Actor) => actor.post(`/jump/games/${game.id}/play`, { id: game.id })
  const { launch_url } = dataOf(await play(ana)).play
  assert.equal((await fetch(launch_url)).status, 200)
  const blocked = await block(String(file_sha256))
  for (const actor of [ana, await app.user()]) {
    assertError(await play(actor), 409, 'CONTENT_NOT_READY')
    const stream = actor.post(`/jump/games/${game.id}/stream`, { id: game.id })
    assertError(await stream, 409, 'CONTENT_NOT_READY')
  }
  assert.equal((await fetch(launch_url)).status, 404)
  await unblock(blocked)
  assert.equal((await fetch(launch_url)).status, 200)
  dataOf(await play(ana))
  dataOf(await upload(ana, await zipOf({ 'index.html': 'x' })), 201)
})

test('shows no picture of a blocked game', async () => {
  const ana = await app.user()
  const game = await makePageGame(ana)
  const isShown = async () => (await detailOf(game)).thumbnail_url !== null
  await until(isShown, 'a thumbnail')
  const before = await detailOf(game)
  const media = `content_media where content_id = '${game.id}'`
  const decision = await block(String(await app.value(`select file_sha256 from ${media}`)))
  assert.equal(await isShown(), false)
  await unblock(decision)
  assert.deepEqual(await detailOf(game), before)
})

test('keeps what its user did in the meantime, and other blocks', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const bytes = await picture()
  const [first, second] = [await makeUpload(ana, bytes), await makeUpload(ana, await picture())]
  await makeUpload(ben, bytes)
  dataOf(await ana.patch('/auth/me', { avatar_upload_id: first.id }))
  const shown = await avatarOf(ana)
  const earlierDecision = await block(first.sha256)
  const laterDecision = dataOf(await ask(admin, first.sha256, { reason: 'Another' }), 201).decision
  assert.equal(
    dataOf(await ask(admin, first.sha256, { reason: 'Another' }), 200).decision.id,
    laterDecision.id,
  )
  await unblock(earlierDecision)
  assert.equal(await avatarOf(ana), null)
  assert.deepEqual(await statusesOf([first.url]), [404])
  await unblock(laterDecision)
  assert.equal(await avatarOf(ana), shown)

  for (const avatar of [second.id, null]) {
    dataOf(await ana.patch('/auth/me', { avatar_upload_id: first.id }))
    const decision = await block(first.sha256)
    dataOf(await ana.patch('/auth/me', { display_name: 'Ana' }))
    dataOf(await ana.patch('/auth/me', { avatar_upload_id: avatar }))
    const replaced = await avatarOf(ana)
    await unblock(decision)
    assert.equal(await avatarOf(ana), replaced)
  }
  assert.deepEqual(await app.drifted(), [])
})

test('lets moderators block neither their own files nor those of admins', async () => {
  const bytes = await picture()
  const { sha256 } = await makeUpload(moderator, bytes)
  assertError(await ask(moderator, sha256), 409, 'SELF_ACTION_FORBIDDEN')
  const decision = dataOf(await ask(admin, sha256), 201).decision
  assertError(await undo(moderator, decision), 409, 'SELF_ACTION_FORBIDDEN')
  dataOf(await undo(admin, decision))
  const uploaded = await makeUpload(admin, await picture())
  assertError(await ask(moderator, uploaded.sha256), 403, 'FORBIDDEN')
  assertInvalid(await ask(moderator, 'abc'), 'subject.id')
  const subject = { kind: 'content', id: uploaded.sha256 }
  assertInvalid(await ask(moderator, uploaded.sha256, { subject }), 'action')
})
