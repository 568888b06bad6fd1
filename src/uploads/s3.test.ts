import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
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

import type { Tx } from '../db/handle.ts'
import type { Viewer } from '../http/auth.ts'
import { StorageUnavailable } from '../storage/store.ts'
import { createUpload } from './rules.ts'

const s3 = await startS3()
const app = await startApp({ STORAGE_URL: s3.storageUrl })
const ana = await app.user()

test('serves a picture, its thumbnail, a video and a game from S3', async () => {
  const bytes = await makePng()
  const picture = await makeUpload(ana, bytes)
  assert.deepEqual(await served(app, picture.url), bytes)
  const content = await makeContent(ana, { upload_ids: [picture.id] })
  assert.equal((await served(app, content.thumbnail_url)).toString('latin1', 8, 12), 'WEBP')
  const video = makeBrokenMp4(200_000)
  assert.deepEqual(await served(app, (await makeUpload(ana, video)).url), video)
  const game = await zipOf({ 'index.html': '<!doctype html><title>A game</title>' })
  const { sha256 } = await makeUpload(ana, game)
  const [file] = await Array.fromAsync(app.deps.store.list(`bundles/${sha256}/`))
  assert.equal(file?.path, `bundles/${sha256}/0`)
  await assertNothingLeft(app)
})

test('returns 503 when a sweep removes the file during its upload, and stores it on the next attempt', async () => {
  const bytes = await makePng()
  const { store } = app.deps
  for (const step of ['stored', 'known']) {
    // Removes the file after the commit and before the response.
    const db = {
      ...app.db,
      transaction: async <T>(action: (tx: Tx) => Promise<T>) => {
        const result = await app.db.transaction(action)
        for (const key of s3.objects.keys()) if (key.endsWith('.png')) s3.objects.delete(key)
        return result
      },
    }
    const sent = createUpload(
      app.deps,
      db,
      { id: ana.id } as Viewer,
      Readable.from([Buffer.from(bytes)]),
    )
    await assert.rejects(sent, StorageUnavailable, step)
    const { url } = await makeUpload(ana, bytes)
    assert.deepEqual(await served(app, url), bytes)
    assert.ok(await store.find(url.slice('/uploads/'.length)))
  }
})

test('returns 503 and leaves nothing when S3 is unavailable', async () => {
  const bytes = await drawing().jpeg().toBuffer()
  await s3.stop()
  assertError(await upload(ana, bytes), 503, 'SERVICE_UNAVAILABLE')
  assert.equal(await app.count("files where mime_type = 'image/jpeg'"), 0)
  await assertNothingLeft(app)
})
