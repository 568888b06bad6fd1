import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp, type TestApp } from '../../test/app.ts'
import { dataOf, makeContent } from '../../test/make.ts'
import { startS3 } from '../../test/s3.ts'
import { makeBrokenMp4, drawing, makeUpload } from '../../test/uploads.ts'

const s3 = await startS3()
const apps = {
  'on the local disk': await startApp(),
  'in an S3-compatible service': await startApp({ STORAGE_URL: s3.storageUrl }),
}

let width = 60
/** Returns a picture with a unique thumbnail. */
const picture = () => drawing(++width).png().toBuffer()

async function untilAll(app: TestApp, urls: string[], status: number): Promise<void> {
  const ask = () =>
    Promise.all(urls.map((url) => fetch(app.url + url).then((answer) => answer.status)))
  const end = Date.now() + 60_000
  while (Date.now() < end && (await ask()).some((found) => found !== status)) await sleep(500)
  assert.deepEqual(
    await ask(),
    urls.map(() => status),
  )
}

for (const [name, app] of Object.entries(apps)) {
  suite(name, () => {
    test('answers 404 in every process for files that only a suspended user uploaded, until it is lifted', async () => {
      const sibling = await app.sibling()
      const [ana, ben, admin] = [await app.user(), await app.user(), await app.admin()]
      const shown = await makeUpload(ana, await picture())
      const { thumbnail_url } = await makeContent(ana, { upload_ids: [shown.id] })
      const portrait = await makeUpload(ana, await picture())
      const { user } = dataOf(await ana.patch('/auth/me', { avatar_upload_id: portrait.id }))
      const video = await makeUpload(ana, makeBrokenMp4())
      const made = [`${video.sha256}/ab/hls/1.mp4`, `${video.sha256}/ab/poster.webp`]
      for (const path of made) {
        const file = app.deps.staging.newFile()
        writeFileSync(file, path)
        await app.deps.store.put(path, file, '')
      }
      const shared = await picture()
      const [common] = [await makeUpload(ana, shared), await makeUpload(ben, shared)]
      await makeContent(ben, { upload_ids: [(await makeUpload(ben, shared)).id] })
      const own = [shown.url, thumbnail_url, portrait.url, user.avatar_url, video.url]
      const hidden = [...own, ...made.map((path) => `/uploads/${path}`)]
      const archived = await makeUpload(ben, await picture())
      const content = await makeContent(ben, { upload_ids: [archived.id] })
      assert.equal((await ben.delete(`/contents/${content.id}`)).status, 204)
      await untilAll(app, hidden, 200)

      dataOf(await admin.patch(`/admin/users/${ana.id}`, { is_suspended: true }))
      for (const server of [app, sibling]) await untilAll(server, hidden, 404)
      const answer = await fetch(app.url + shown.url, { headers: { range: 'bytes=0-1' } })
      assert.equal(answer.status, 404)
      assert.equal(
        ((await answer.json()) as { error: { code: string } }).error.code,
        'UPLOAD_NOT_FOUND',
      )
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal((await fetch(app.url + shown.url, { method: 'HEAD' })).status, 404)
      const etag = { 'if-none-match': `"${shown.url.slice('/uploads/'.length)}"` }
      assert.equal((await fetch(app.url + shown.url, { headers: etag })).status, 404)
      for (const { url } of [common, archived]) {
        assert.equal((await fetch(app.url + url)).status, 200)
      }

      dataOf(await admin.patch(`/admin/users/${ana.id}`, { is_suspended: false }))
      for (const server of [app, sibling]) await untilAll(server, hidden, 200)
    })
  })
}
