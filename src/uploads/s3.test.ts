/** Uploads whose files live in an S3-compatible service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, makeContent } from '../../test/make.ts'
import { zipOf } from '../../test/playing.ts'
import { startS3 } from '../../test/s3.ts'
import {
  assertNothingLeft,
  drawing,
  makeBrokenMp4,
  makePng,
  makeUpload,
  served,
  upload,
} from '../../test/uploads.ts'

const s3 = await startS3()
const app = await startApp({ STORAGE_URL: s3.storageUrl })
const ana = await app.user()

test('a picture, its thumbnail, a video and a game are served from there', async () => {
  const bytes = await makePng()
  const picture = await makeUpload(ana, bytes)
  assert.deepEqual(await served(app, picture.url), bytes)
  const work = await makeContent(ana, { upload_ids: [picture.id] })
  assert.equal((await served(app, work.thumbnail_url)).toString('latin1', 8, 12), 'WEBP')
  const video = makeBrokenMp4(200_000)
  assert.deepEqual(await served(app, (await makeUpload(ana, video)).url), video)
  const game = await zipOf({ 'index.html': '<!doctype html><title>A game</title>' })
  const { sha256 } = await makeUpload(ana, game)
  const [file] = await Array.fromAsync(app.deps.store.list(`bundles/${sha256}/`))
  assert.equal(file?.path, `bundles/${sha256}/0`)
  await assertNothingLeft(app)
})

test('while it is away an upload is 503, and nothing of it stays', async () => {
  const bytes = await drawing().jpeg().toBuffer()
  await s3.stop()
  assertError(await upload(ana, bytes), 503, 'SERVICE_UNAVAILABLE')
  const [row] = await app.sql("select count(*) as n from files where mime_type = 'image/jpeg'")
  assert.equal(Number(row?.['n']), 0)
  await assertNothingLeft(app)
})
