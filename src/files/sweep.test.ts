import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp, type TestApp } from '../../test/app.ts'
import { putFile } from '../../test/files.ts'
import { startS3 } from '../../test/s3.ts'
import type { StoredFile } from '../storage/store.ts'
import { Sweep } from './sweep.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const s3 = await startS3()

/** Runs the sweep twice, an hour apart, so that all tasks of the second run are due. */
async function sweep(app: TestApp, now: number): Promise<void> {
  const sweeper = new Sweep(app.deps)
  await sweeper.run(app.db, now - HOUR)
  await sweeper.run(app.db, now)
}

async function listed(app: TestApp): Promise<string[]> {
  const files = await Array.fromAsync(app.deps.store.list(''))
  return files.map(({ path }) => path).sort()
}

async function insertFile(app: TestApp, path: string, thumbnail: string | null = null) {
  await app.sql(`insert into files (sha256, path, mime_type, size_bytes, thumbnail_path, created_at)
    values ('${path.slice(0, 64)}', '${path}', 'image/png', 1, ${thumbnail ? `'${thumbnail}'` : 'null'}, 1)`)
}

async function put(app: TestApp, path: string): Promise<void> {
  const file = app.deps.staging.newFile()
  writeFileSync(file, path)
  await app.deps.store.put(path, file, '')
}

const apps = {
  'on the local disk': await startApp(),
  'in an S3-compatible service': await startApp({ STORAGE_URL: s3.storageUrl }),
}

for (const [name, app] of Object.entries(apps)) {
  suite(name, () => {
    test('keeps files that rows refer to, and removes others after a day', async () => {
      const picture = await putFile(app, 'picture')
      const thumbnail = await putFile(app, 'thumbnail', '.webp')
      const video = await putFile(app, 'video', '.mp4')
      const game = await putFile(app, 'game', '.zip')
      const videoHash = video.slice(0, 64)
      const remainingPaths = [
        picture,
        thumbnail,
        video,
        game,
        `${videoHash}/aa/hls/master.m3u8`,
        `${videoHash}/aa/hls/720p.mp4`,
        `bundles/${game.slice(0, 64)}/0`,
        `bundles/${game.slice(0, 64)}/1`,
        // The server never creates a file with such a name, so the sweep must keep it.
        'operators-own/notes.txt',
      ]
      for (const path of remainingPaths.slice(4)) await put(app, path)
      await insertFile(app, picture, thumbnail)
      await insertFile(app, video)
      await insertFile(app, game)
      await app.sql(`insert into renditions (file_sha256, position, path, mime_type)
        values ('${videoHash}', 0, '${videoHash}/aa/hls/master.m3u8', 'application/vnd.apple.mpegurl')`)
      await app.sql(`insert into bundles (file_sha256, runtime, entry, facts)
        values ('${game.slice(0, 64)}', 'html5', 'index.html', '{}')`)
      const orphans = [
        await putFile(app, 'nobody’s picture'),
        `${videoHash}/bb/hls/master.m3u8`,
        `${videoHash}/bb/hls/720p.mp4`,
        `bundles/${'f'.repeat(64)}/0`,
        // This path contains the picture's hash but differs from the picture's stored path.
        `${picture.slice(0, 64)}.jpg`,
      ]
      for (const path of orphans.slice(1)) await put(app, path)
      const now = Date.now()
      await sweep(app, now + DAY - HOUR)
      assert.deepEqual(await listed(app), [...remainingPaths, ...orphans].sort())
      await sweep(app, now + DAY + HOUR)
      assert.deepEqual(await listed(app), remainingPaths.sort())
    })

    test('keeps a file that is put again, or gets a row, during the sweep', async () => {
      const again = await putFile(app, 'put again')
      const late = await putFile(app, 'its row comes late')
      const orphan = await putFile(app, 'nobody’s')
      const video = await putFile(app, 'another video', '.mp4')
      const folder = `${video.slice(0, 64)}/cc`
      await insertFile(app, video)
      await app.sql(`insert into renditions (file_sha256, position, path, mime_type)
        values ('${video.slice(0, 64)}', 0, '${folder}/1', 'video/mp4')`)
      const now = Date.now()
      const { store } = app.deps
      // A store whose listing is outdated: one of the listed files has been uploaded again since.
      const stale = Object.assign(Object.create(store) as typeof store, {
        async *list(): AsyncIterable<StoredFile & { path: string }> {
          const segments = Array.from({ length: 200 }, (_, n) => `${folder}/${n}`)
          for (const path of [again, late, orphan, ...segments]) {
            yield { path, sizeBytes: 1, modifiedAt: now - 2 * DAY }
          }
          // The sweep has already looked up the first 200 paths when it requests more.
          await insertFile(app, late)
        },
        removeOlder: (path: string, before: number) =>
          store.removeOlder(path, path === again ? before : now + DAY),
      })
      await app.sql(`update schema_migrations set applied_at = 1`)
      await sweep({ ...app, deps: { ...app.deps, store: stale } }, now)
      assert.ok(await store.find(again))
      assert.ok(await store.find(late))
      assert.equal(await store.find(orphan), undefined)
    })

    test('leaves the files of another database alone', async () => {
      const paths = await Promise.all(
        Array.from({ length: 120 }, (_, n) => putFile(app, `theirs ${n}`)),
      )
      await sweep(app, Date.now() + 2 * DAY)
      for (const path of paths) assert.ok(await app.deps.store.find(path))
      for (const path of paths.slice(0, 110)) await app.deps.store.remove(path)
      await app.sql(`update schema_migrations set applied_at = ${Date.now() + DAY}`)
      await sweep(app, Date.now() + 2 * DAY)
      for (const path of paths.slice(110)) assert.ok(await app.deps.store.find(path))
      await app.sql(`update schema_migrations set applied_at = 1`)
      await sweep(app, Date.now() + 2 * DAY)
      for (const path of paths.slice(110)) assert.equal(await app.deps.store.find(path), undefined)
    })
  })
}

test('removes staged files of a killed process after an hour, and keeps those in use', async () => {
  const app = await startApp()
  const { staging } = app.deps
  const old = new Date(Date.now() - HOUR - 60_000)
  const left = staging.newFile()
  writeFileSync(left, 'half an upload')
  const leftFolder = staging.newFile()
  mkdirSync(leftFolder)
  writeFileSync(join(leftFolder, 'part'), 'half a bundle')
  const young = staging.newFile()
  writeFileSync(young, 'under way')
  for (const place of [left, leftFolder]) utimesSync(place, old, old)
  await staging.withFolder(async (folder) => {
    utimesSync(folder, old, old)
    await new Sweep(app.deps).run(app.db, Date.now())
    assert.ok(existsSync(folder))
    assert.deepEqual(readdirSync(staging.folder).length, 2)
  })
  assert.ok(existsSync(young))
  utimesSync(young, old, old)
  await app.sibling()
  for (let wait = 0; existsSync(young) && wait < 3000; wait++) await sleep(20)
  assert.deepEqual(readdirSync(staging.folder), [])
})
