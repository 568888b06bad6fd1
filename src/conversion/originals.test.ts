import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import {
  conversionOf,
  makeMediaContent,
  untilConverted,
  contentOf,
} from '../../test/conversions.ts'
import { dataOf, valuesOf } from '../../test/make.ts'
import { makeUpload, served } from '../../test/uploads.ts'
import { bytesOf, makeVideo, NO_FFMPEG } from '../../test/videos.ts'

const app = await startApp({ FFMPEG: NO_FFMPEG ? 'off' : 'ffmpeg' })

test('serves viewers no file with the location, comment or device of a video', {
  skip: NO_FFMPEG,
}, async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const metadata = ['location=+37.5665+126.9780/', 'comment=At home', 'make=Apple', 'model=iPhone']
  const args = metadata.flatMap((text) => ['-metadata', text])
  const film = bytesOf(makeVideo({ args: ['-movflags', 'use_metadata_tags', ...args] }))
  assert.ok(film.includes('+37.5665'))
  const upload = await makeUpload(ana, film)
  const content = await makeMediaContent(ana, [], { type: 'video', upload_ids: [upload.id] })
  const { url: whileWaiting, original_url } = content.media[0]
  assert.deepEqual([whileWaiting, original_url], [upload.url, upload.url])
  await untilConverted(ana, content)

  const mine = (await contentOf(ana, content)).media[0]
  assert.equal(mine.original_url, upload.url)
  assert.notEqual(mine.url, upload.url)
  const { renditions } = await conversionOf(ben, content)
  for (const viewer of [ben, app.anon]) {
    const seen = await contentOf(viewer, content)
    assert.equal(seen.media[0].original_url, null)
    assert.equal(seen.media[0].url, mine.url)
    assert.ok(!JSON.stringify(seen).includes(upload.url))
    for (const url of [seen.media[0].url, seen.thumbnail_url, ...valuesOf(renditions, 'url')]) {
      const bytes = await served(app, url)
      for (const secret of ['+37.5665', 'At home', 'Apple', 'iPhone']) {
        assert.ok(!bytes.includes(secret), `${url} contains ${secret}`)
      }
    }
  }
  const feed = dataOf(await app.anon.get('/feeds?per_page=100')).feeds
  const listed = feed.find(({ id }: { id: string }) => id === content.id)
  assert.deepEqual(listed.media, (await contentOf(app.anon, content)).media)

  // The URL of a rendition contains the original's hash, but not the secret part of the original's path.
  const hash = /^\/uploads\/([0-9a-f]{64})\//.exec(mine.url)?.[1]
  assert.equal(hash, upload.sha256)
  assert.equal((await fetch(`${app.url}/uploads/${hash}.mp4`)).status, 404)
  assert.deepEqual(await served(app, upload.url), film)
  const again = await makeMediaContent(ana, [], { type: 'video', upload_ids: [upload.id] })
  assert.deepEqual(again.media, (await contentOf(ana, content)).media)
  assert.deepEqual(await app.drifted(), [])
})
