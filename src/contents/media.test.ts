import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  makeApp,
  makeContent,
  makeKey,
  makeLegacyKey,
  program,
  times,
  valuesOf,
} from '../../test/make.ts'
import { makeModule, zipOf } from '../../test/playing.ts'
import { drawing, makeBrokenMp4, makePng, makeUpload, makeWav, served } from '../../test/uploads.ts'
import { newId } from '../db/ids.ts'
import { examineDatabase } from '../doctor/examine.ts'

const app = await startApp()
const ana = await app.user()
const bea = await app.user()
const [picture, otherPicture, video, sound] = [
  await makeUpload(ana, await makePng()),
  await makeUpload(ana, await makePng()),
  await makeUpload(ana, makeBrokenMp4()),
  await makeUpload(ana, makeWav()),
]
const foreign = await makeUpload(bea, await makePng())
const page = '<!doctype html><title>A game</title>'
const game = await makeUpload(
  ana,
  await zipOf({ 'index.html': page, 'more/two.html': page, 'a.js': '1' }),
)
const module = await makeUpload(ana, makeModule())

const image = { category: 'hype', type: 'image', title: 'A work' }
const jump = { category: 'jump', type: 'game', title: 'A game' }
const create = (body: object) => ana.post('/contents', body)
async function thumbnailOf({ sha256 }: { sha256: string }): Promise<string> {
  return `/uploads/${String(await app.value(`select thumbnail_path from files where sha256 = '${sha256}'`))}`
}
const countContents = async () => app.count('contents')

describe('media of a content item', () => {
  test('appear in order in the content and in lists, and never change', async () => {
    const content = await makeContent(ana, { upload_ids: [otherPicture.id, picture.id] })
    const { id: _, sha256: _hash, created_at: _at, bundle: _bundle, ...shown } = otherPicture
    assert.deepEqual(content.media[0], {
      upload_id: otherPicture.id,
      ...shown,
      original_url: otherPicture.url,
      sizes: [],
    })
    assert.deepEqual(valuesOf(content.media, 'upload_id'), [otherPicture.id, picture.id])
    const read = dataOf(await app.anon.get(`/contents/${content.id}`)).content
    const seen = content.media.map((medium: object) => ({ ...medium, original_url: null }))
    assert.deepEqual(read.media, seen)
    const { feeds } = dataOf(await app.anon.get(`/creators/${ana.handle}/contents`))
    assert.deepEqual(feeds.find(({ id }: { id: string }) => id === content.id).media, seen)
    const patch = { title: 'Another title', upload_ids: [sound.id], media: [] }
    const after = dataOf(await ana.patch(`/contents/${content.id}`, patch)).content
    assert.deepEqual(after.media, content.media)
    const rows = await app.sql(
      `select position, upload_id from content_media where content_id = '${content.id}' order by position`,
    )
    assert.deepEqual(
      rows.map((row) => [Number(row['position']), row['upload_id']]),
      [
        [0, otherPicture.id],
        [1, picture.id],
      ],
    )
  })

  test('can be used by several content items, with each kind that the type allows', async () => {
    for (const [type, ids] of [
      ['image', [picture.id, otherPicture.id]],
      ['video', [video.id]],
      ['audio', [sound.id]],
      ['article', [picture.id, video.id, sound.id]],
    ] as const) {
      const content = await makeContent(ana, { type, upload_ids: ids })
      assert.equal(content.media.length, ids.length, type)
    }
    await makeContent(ana, { category: 'swipe', upload_ids: [picture.id] })
  })

  test("must be the author's own, exist and appear once", async () => {
    const before = await countContents()
    const unknown = newId('upl', Date.now())
    const ids = [picture.id, foreign.id, unknown, 'zzz', picture.id]
    const answer = await create({ ...image, upload_ids: ids, thumbnail_upload_id: foreign.id })
    assertError(answer, 422, 'VALIDATION_ERROR')
    assert.deepEqual(answer.error?.details?.map(({ field }) => field).sort(), [
      'thumbnail_upload_id',
      'upload_ids.1',
      'upload_ids.2',
      'upload_ids.3',
      'upload_ids.4',
    ])
    // Another user's upload gets the same error as a missing one.
    const [mine, none] = [
      await create({ ...image, upload_ids: [foreign.id] }),
      await create({ ...image, upload_ids: [unknown] }),
    ]
    assert.deepEqual(mine.error, none.error)
    assertInvalid(await create({ ...image, upload_ids: Array(21).fill('x') }), 'upload_ids')
    assert.equal(await countContents(), before)
  })

  test('must be of a kind that the type allows', async () => {
    for (const [type, id] of [
      ['image', video.id],
      ['image', sound.id],
      ['image', game.id],
      ['video', picture.id],
      ['video', sound.id],
      ['audio', video.id],
      ['audio', picture.id],
      ['article', game.id],
    ]) {
      assertInvalid(await create({ ...image, type, upload_ids: [id] }), 'upload_ids.0')
    }
    assertInvalid(await create({ ...jump, upload_ids: [picture.id, sound.id] }), 'upload_ids.1')
    assertInvalid(await create({ ...jump, upload_ids: [game.id, module.id] }), 'upload_ids.1')
  })

  test('belong to the owner of the API key that uploads and creates', async () => {
    const { id } = await makeApp(ana, { scopes: ['contents:write'] })
    const keyed = program(app, (await makeKey(ana, id)).raw_key)
    const legacy = program(app, (await makeLegacyKey(ana)).raw_key)
    const upload = await makeUpload(keyed, await makePng())
    const answer = await legacy.post('/contents', { ...image, upload_ids: [upload.id, picture.id] })
    assert.equal(dataOf(answer, 201).content.media.length, 2)
    assertInvalid(
      await legacy.post('/contents', { ...image, upload_ids: [foreign.id] }),
      'upload_ids.0',
    )
  })

  test('are the same in content items created in parallel', async () => {
    const contents = await times(20, () => makeContent(ana, { upload_ids: [picture.id] }))
    assert.equal(new Set(contents.map(({ id }) => id)).size, 20)
    for (const content of contents) assert.deepEqual(content.media, contents[0].media)
  })

  test('are stored with a draft', async () => {
    const draft = await makeContent(ana, { upload_ids: [picture.id], publish: false })
    const path = `/contents/${draft.id}`
    const published = dataOf(await ana.patch(path, { status: 'published' })).content
    assert.deepEqual(published.media, draft.media)
  })
})

describe('the thumbnail of a content item', () => {
  test('comes from its first image, or is null', async () => {
    const content = await makeContent(ana, {
      type: 'article',
      upload_ids: [sound.id, otherPicture.id, picture.id],
    })
    assert.equal(content.thumbnail_url, await thumbnailOf(otherPicture))
    const shown = await served(app, content.thumbnail_url)
    const sha256 = createHash('sha256').update(shown).digest('hex')
    assert.equal(content.thumbnail_url, `/uploads/${sha256}.webp`)
    assert.equal(
      (await makeContent(ana, { type: 'audio', upload_ids: [sound.id] })).thumbnail_url,
      null,
    )
  })

  test('is the chosen image until the choice is removed', async () => {
    const content = await makeContent(ana, {
      upload_ids: [picture.id],
      thumbnail_upload_id: otherPicture.id,
    })
    const [own, chosen] = [await thumbnailOf(picture), await thumbnailOf(otherPicture)]
    assert.equal(content.thumbnail_url, chosen)
    const change = async (body: object) =>
      dataOf(await ana.patch(`/contents/${content.id}`, body)).content.thumbnail_url
    assert.equal(await change({ title: 'Another' }), chosen)
    assert.equal(await change({ thumbnail_upload_id: null }), own)
    assert.equal(await change({ thumbnail_upload_id: null }), own)
    assert.equal(await change({ thumbnail_upload_id: otherPicture.id }), chosen)
    const plain = await makeContent(ana, { thumbnail_upload_id: otherPicture.id })
    assert.equal(plain.thumbnail_url, chosen)
    const none = { thumbnail_upload_id: null }
    assert.equal(dataOf(await ana.patch(`/contents/${plain.id}`, none)).content.thumbnail_url, null)
  })

  test('must be an image of the author', async () => {
    const content = await makeContent(ana, { upload_ids: [picture.id] })
    const unknown = newId('upl', Date.now())
    for (const id of [foreign.id, video.id, sound.id, game.id, unknown, 'zzz', '']) {
      const body = { thumbnail_upload_id: id }
      assertInvalid(
        await ana.patch(`/contents/${content.id}`, { ...body, title: 'Other' }),
        'thumbnail_upload_id',
      )
      assertInvalid(await create({ ...image, ...body }), 'thumbnail_upload_id')
    }
    assert.equal(dataOf(await ana.get(`/contents/${content.id}`)).content.title, content.title)
    // The server validates the request body before it checks authorship.
    const answer = await bea.patch(`/contents/${content.id}`, { thumbnail_upload_id: unknown })
    assertInvalid(answer, 'thumbnail_upload_id')
    for (const id of ['zzz', '%00', 'cnt_01h455vb4pex5vsknk084sn02q']) {
      const path = `/contents/${id}`
      assertInvalid(await bea.patch(path, { thumbnail_upload_id: unknown }), 'thumbnail_upload_id')
      assertError(await bea.patch(path, { title: 'x' }), 404, 'CONTENT_NOT_FOUND')
    }
    const own = { thumbnail_upload_id: foreign.id }
    assertError(await bea.patch(`/contents/${content.id}`, own), 403, 'NOT_CONTENT_AUTHOR')
  })
})

describe('a game', () => {
  test("takes its runtime from the bundle and starts at the given page or the bundle's own", async () => {
    const pictured = [picture.id, game.id]
    const own = await makeContent(ana, { ...jump, upload_ids: pictured })
    assert.deepEqual([own.game.runtime, own.game.entry], ['html5', 'index.html'])
    assert.equal(own.thumbnail_url, await thumbnailOf(picture))
    const given = await makeContent(ana, {
      ...jump,
      upload_ids: [game.id],
      game: { entry: 'more/two.html', orientation: 'portrait' },
    })
    assert.deepEqual(given.game, {
      runtime: 'html5',
      entry: 'more/two.html',
      orientation: 'portrait',
      controls: null,
    })
    const wasm = await makeContent(ana, { ...jump, upload_ids: [module.id], game: { entry: null } })
    assert.deepEqual([wasm.game.runtime, wasm.game.entry], ['wasm', null])
  })

  test('rejects an entry that is missing in the bundle or is not a page', async () => {
    const before = await countContents()
    for (const entry of [
      'none.html',
      'a.js',
      '../index.html',
      '/index.html',
      'INDEX.html',
      'more',
    ]) {
      const body = { ...jump, upload_ids: [game.id], game: { entry } }
      assertInvalid(await create(body), 'game.entry')
    }
    const body = { ...jump, upload_ids: [module.id], game: { entry: 'index.html' } }
    assertInvalid(await create(body), 'game.entry')
    assert.equal(await countContents(), before)
  })
})

describe('an avatar', () => {
  test("is the thumbnail of the user's own image until it is removed", async () => {
    const large = await makeUpload(ana, await drawing(900, 900).jpeg().toBuffer())
    const set = async (avatar_upload_id: string | null) =>
      dataOf(await ana.patch('/auth/me', { avatar_upload_id })).user.avatar_url
    const url = await set(large.id)
    assert.equal(url, await thumbnailOf(large))
    assert.equal(dataOf(await app.anon.get(`/creators/${ana.handle}`)).creator.avatar_url, url)
    assert.equal((await makeContent(ana)).creator.avatar_url, url)
    assert.equal(dataOf(await ana.patch('/auth/me', { bio: 'x' })).user.avatar_url, url)
    assert.equal(await set(null), null)
  })

  test("rejects other files and other users' images", async () => {
    // Leaves out the storage usage, which jobs of earlier tests may still change.
    const profile = async () => ({ ...dataOf(await ana.get('/auth/me')).user, storage: null })
    const before = await profile()
    for (const id of [foreign.id, video.id, game.id, newId('upl', Date.now()), 'x', '']) {
      const answer = await ana.patch('/auth/me', { bio: 'half', avatar_upload_id: id })
      assertInvalid(answer, 'avatar_upload_id')
    }
    assert.deepEqual(await profile(), before)
  })
})

test('media records match the stored references after all tests', async () => {
  const { counts } = await examineDatabase(app.db)
  assert.ok(counts.some(({ name }) => name.startsWith('contents.media')))
  assert.deepEqual(await app.drifted(), [])
})
