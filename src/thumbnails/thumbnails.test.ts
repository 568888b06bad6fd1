import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { assertError, dataOf, makeContent, times } from '../../test/make.ts'
import { makeFlashGame, makeModuleGame, makePageGame } from '../../test/playing.ts'
import { drawing, makeUpload, served } from '../../test/uploads.ts'
import { newId } from '../db/ids.ts'
import { until } from '../../test/receiver.ts'

const app = await startApp()
const creator = await app.user()
const otherUser = await app.user()

const pathOf = (id: string) => `/contents/${id}/thumbnail-job`
const contentOf = async (id: string) => dataOf(await creator.get(`/contents/${id}`)).content

async function jobOf(author: Actor, id: string): Promise<Loose> {
  const read = async () => dataOf(await author.get(pathOf(id))).job
  await until(async () => !['queued', 'processing'].includes((await read()).status), 'the job')
  return read()
}

async function redo(id: string): Promise<Loose> {
  dataOf(await creator.post(pathOf(id)), 202)
  return jobOf(creator, id)
}

function pictureOf(colour: string, width = 400, height = 300): Promise<Buffer> {
  const square = Buffer.from(`<svg><rect width="${width / 2}" height="${height / 2}"/></svg>`)
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .composite([{ input: square, left: 0, top: 0 }])
    .png()
    .toBuffer()
}

async function cornerOf(url: string): Promise<number[]> {
  const { data, info } = await sharp(await served(app, url))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  assert.equal(info.channels, 3)
  return [...data.subarray(-3)].map((value) => Math.round(value / 51))
}

describe('the thumbnail of a game', () => {
  test('is made automatically for a game without a picture, for every runtime', async () => {
    for (const make of [makePageGame, makeModuleGame, makeFlashGame]) {
      const game = await make(creator)
      assert.equal(game.thumbnail_url, null)
      const job = await jobOf(creator, game.id)
      assert.match(job.id, /^job_/)
      assert.deepEqual([job.status, job.error], ['completed', null])
      const { thumbnail_url, status, updated_at } = await contentOf(game.id)
      assert.equal(thumbnail_url, job.thumbnail_url)
      assert.deepEqual([status, updated_at], [game.status, game.updated_at])
      const { format, width, height } = await sharp(await served(app, thumbnail_url)).metadata()
      assert.deepEqual([format, width, height], ['webp', 640, 360])
    }
  })

  test('is a drawing unique to the game, portrait for portrait games, and always the same', async () => {
    const game = await makePageGame(creator, {}, { game: { orientation: 'portrait' } })
    const first = await jobOf(creator, game.id)
    const { width, height } = await sharp(await served(app, first.thumbnail_url)).metadata()
    assert.deepEqual([width, height], [360, 640])
    assert.equal((await redo(game.id)).thumbnail_url, first.thumbnail_url)
    const another = await jobOf(creator, (await makePageGame(creator)).id)
    assert.notEqual(another.thumbnail_url, first.thumbnail_url)
  })

  test('prefers a bundle picture with a descriptive name to the largest one', async () => {
    const files = {
      'art/huge.png': await pictureOf('#ff0000', 1000, 800),
      'art/cover.png': await pictureOf('#00ff00'),
      'art/sprites.png': await pictureOf('#0000ff', 1200, 1000),
      'icon.png': await pictureOf('#ffff00', 64, 64),
    }
    const game = await makePageGame(creator, files)
    assert.deepEqual(await cornerOf((await jobOf(creator, game.id)).thumbnail_url), [0, 5, 0])
    const { 'art/cover.png': _, ...less } = files
    const plain = await makePageGame(creator, less)
    assert.deepEqual(await cornerOf((await jobOf(creator, plain.id)).thumbnail_url), [5, 0, 0])
  })

  test('ignores broken, blank and very narrow pictures', async () => {
    const bundled = await makePageGame(creator, {
      'cover.png': 'not a picture',
      'screenshot.png': await sharp({
        create: { width: 400, height: 300, channels: 3, background: '#123456' },
      })
        .png()
        .toBuffer(),
      'title.png': await pictureOf('#ff0000', 2000, 130),
      'cover.jpg': (await pictureOf('#ff0000')).subarray(0, 300),
    })
    const drawn = await sharp(
      await served(app, (await jobOf(creator, bundled.id)).thumbnail_url),
    ).metadata()
    assert.deepEqual([drawn.width, drawn.height], [640, 360])
  })

  test('ignores pictures whose type differs from their name or that need too much memory', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">'
    const [side, red] = [5200, await pictureOf('#ff0000')]
    const large = sharp({ create: { width: side, height: side, channels: 3, background: '#f00' } })
    const square = { create: { width: side / 2, height: side, channels: 3, background: '#00f' } }
    const game = await makePageGame(creator, {
      'og-image.avif': await large
        .composite([{ input: square as Loose, left: 0, top: 0 }])
        .avif({ effort: 0 })
        .toBuffer(),
      'cover.png': `${svg}<rect width="400" height="300" fill="#f00"/><rect width="9" height="300"/></svg>`,
      'thumb.png': await sharp(red).jpeg().toBuffer(),
      'icon.png': await pictureOf('#00ff00'),
    })
    assert.deepEqual(await cornerOf((await jobOf(creator, game.id)).thumbnail_url), [0, 5, 0])
  })

  test("keeps the author's chosen picture, and is made when that choice is removed", async () => {
    const picture = await makeUpload(creator, await drawing().png().toBuffer())
    const game = await makePageGame(creator, {}, { thumbnail_upload_id: picture.id })
    const chosen = game.thumbnail_url
    assert.ok(chosen)
    assert.equal((await jobOf(creator, game.id)).status, 'none')
    const job = await redo(game.id)
    assert.deepEqual([job.status, job.thumbnail_url], ['completed', chosen])
    dataOf(await creator.patch(`/contents/${game.id}`, { thumbnail_upload_id: null }))
    const { status, thumbnail_url } = await jobOf(creator, game.id)
    assert.equal(status, 'completed')
    assert.ok(thumbnail_url && thumbnail_url !== chosen)
    assert.equal((await contentOf(game.id)).thumbnail_url, thumbnail_url)
    const { updated_at } = await jobOf(creator, game.id)
    app.clock.advance(1000)
    dataOf(await creator.patch(`/contents/${game.id}`, { thumbnail_upload_id: null }))
    assert.equal((await jobOf(creator, game.id)).updated_at, updated_at)
  })

  test('does not publish a draft', async () => {
    const draft = await makePageGame(creator, {}, { publish: false })
    assert.equal((await redo(draft.id)).status, 'completed')
    assert.equal((await contentOf(draft.id)).status, 'draft')
    assertError(await otherUser.get(`/contents/${draft.id}`), 404, 'CONTENT_NOT_FOUND')
  })
})

describe('the thumbnail job', () => {
  test('is the same job when many requests start it', async () => {
    const game = await makePageGame(creator)
    const before = await jobOf(creator, game.id)
    const sibling = await app.sibling()
    const creatorOnSibling = creator.at(sibling.url)
    const answers = await times(100, async (i) => {
      const { job } = dataOf(await (i % 2 ? creatorOnSibling : creator).post(pathOf(game.id)), 202)
      assert.deepEqual(Object.keys(job), ['id', 'status', 'thumbnail_url', 'error', 'updated_at'])
      return job
    })
    assert.deepEqual([...new Set(answers.map(({ id }) => id))], [before.id])
    assert.equal((await jobOf(creator, game.id)).status, 'completed')
    const rows = await app.sql(
      `select id from jobs where subject = '${game.id}' and kind = 'thumbnail'`,
    )
    assert.equal(rows.length, 1)
    await sibling.close()
  })

  test('is null without a bundle, and cannot be started then', async () => {
    const none = { id: null, status: 'none', error: null, updated_at: null }
    const contents = [
      await makeContent(creator, { category: 'jump', type: 'game' }),
      await makeContent(creator),
    ]
    for (const { id } of contents) {
      assert.deepEqual(dataOf(await creator.get(pathOf(id))).job, { ...none, thumbnail_url: null })
      assertError(await creator.post(pathOf(id)), 409, 'CONTENT_NOT_READY')
      assert.deepEqual(dataOf(await creator.get(pathOf(id))).job, { ...none, thumbnail_url: null })
    }
  })

  test('is available only to the author', async () => {
    const game = await makePageGame(creator)
    const draft = await makePageGame(creator, {}, { publish: false })
    for (const method of ['GET', 'POST']) {
      const call = (caller: Loose, id: string) => caller.request(method, pathOf(id))
      assertError(await call(otherUser, game.id), 403, 'NOT_CONTENT_AUTHOR')
      assertError(await call(otherUser, draft.id), 404, 'CONTENT_NOT_FOUND')
      for (const id of [newId('cnt', Date.now()), '1', otherUser.id]) {
        assertError(await call(creator, id), 404, 'CONTENT_NOT_FOUND')
      }
      assertError(await call(app.anon, game.id), 401, 'UNAUTHORIZED')
    }
    await creator.delete(`/contents/${game.id}`)
    assertError(await creator.post(pathOf(game.id)), 409, 'CONTENT_ARCHIVED')
    assertError(await otherUser.get(pathOf(game.id)), 404, 'CONTENT_NOT_FOUND')
    assert.equal((await jobOf(creator, game.id)).status, 'completed')
  })

  test('is finished by another process after its process died', async () => {
    const game = await makePageGame(creator)
    const { id } = await jobOf(creator, game.id)
    await app.sql(
      `update jobs set status = 'processing', lease = 'of the dead', due_at = 1, attempts = 1 where id = '${id}'`,
    )
    await app.sql(`update contents set thumbnail_url = null where id = '${game.id}'`)
    app.deps.worker.wake()
    const job = await jobOf(creator, game.id)
    assert.deepEqual([job.id, job.status], [id, 'completed'])
    assert.ok((await contentOf(game.id)).thumbnail_url)
  })
})
