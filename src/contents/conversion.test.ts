import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { conversionOf, makeMediaContent } from '../../test/conversions.ts'
import { assertError, dataOf, makeContent } from '../../test/make.ts'
import { makeBrokenMp4, makePng, makeWav, upload } from '../../test/uploads.ts'

const app = await startApp()
const isNothing = { status: 'not_required', progress: 1, renditions: [], error: null }

describe('without ffmpeg', () => {
  test('publishes every content item immediately, with the uploaded files', async () => {
    const ana = await app.user()
    const contents = [
      await makeMediaContent(ana, [makeBrokenMp4()]),
      await makeMediaContent(ana, [makeWav()], { type: 'audio' }),
      await makeMediaContent(ana, [await makePng()], { type: 'image' }),
      await makeContent(ana, { type: 'article', body: 'Text' }),
    ]
    for (const content of contents) {
      assert.equal(content.status, 'published')
      const { updated_at, ...conversion } = await conversionOf(app.anon, content)
      assert.deepEqual(conversion, isNothing)
      assert.equal(updated_at, content.created_at)
    }
    assert.deepEqual(await app.sql(`select * from jobs where kind = 'conversion'`), [])
  })

  test('publishes a draft on request', async () => {
    const ana = await app.user()
    const content = await makeMediaContent(ana, [makeBrokenMp4()], { publish: false })
    assert.equal(content.status, 'draft')
    const answer = await ana.patch(`/contents/${content.id}`, { status: 'published' })
    assert.equal(dataOf(answer).content.status, 'published')
  })
})

test("queues a conversion in the name of the content's creator", async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const content = await makeContent(ana, { publish: false })
  assert.equal((await conversionOf(ana, content)).status, 'not_required')
  for (const id of [content.id, 'cnt_01h455vb4pex5vsknk084sn02q', 'nothing']) {
    assertError(await ben.get(`/contents/${id}/conversion`), 404, 'CONTENT_NOT_FOUND')
  }
})

test('rejects a playlist that is uploaded as a video', async () => {
  const ana = await app.user()
  for (const text of [
    '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
    "ffconcat version 1.0\nfile '/etc/passwd'\n",
    '<?xml version="1.0"?><MPD><BaseURL>file:///etc/passwd</BaseURL></MPD>',
  ]) {
    assertError(await upload(ana, text, 'film.mp4'), 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
})
