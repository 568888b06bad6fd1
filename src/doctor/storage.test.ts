import assert from 'node:assert/strict'
import { rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { plazaOn } from '../../test/command.ts'
import { putFile } from '../../test/files.ts'

const app = await startApp()
const { dataDir, databaseUrl } = app.deps.config
const plaza = plazaOn({ dataDir, databaseUrl })

test('reports missing files and wrong sizes, including thumbnails, renditions and bundle files', async () => {
  const picture = await putFile(app, 'a picture')
  const thumbnail = await putFile(app, 'its thumbnail', '.webp')
  const hash = picture.slice(0, 64)
  const rendition = await putFile(app, 'a form of it', '.mp4')
  await app.sql(`insert into files (sha256, path, mime_type, size_bytes, thumbnail_path, file_count, created_at)
    values ('${hash}', '${picture}', 'image/png', 9, '${thumbnail}', 2, 1)`)
  await app.sql(`insert into renditions (file_sha256, position, path, mime_type)
    values ('${hash}', 0, '${rendition}', 'video/mp4')`)
  await app.sql(`insert into bundles (file_sha256, runtime, entry, facts)
    values ('${hash}', 'html5', 'index.html', '{}')`)
  await app.sql(`insert into bundle_files (bundle_sha256, path, position, mime_type, size_bytes)
    values ('${hash}', 'index.html', 0, 'text/html', 4)`)
  assert.match(
    (await plaza('doctor')).out,
    /^damaged: 1 of 4 stored files .* such as bundles\/.*\/0$/m,
  )
  await app.sql('delete from bundle_files')
  assert.equal((await plaza('doctor')).code, 0)

  const place = (path: string) => join(dataDir, 'files', path.slice(0, 2), path)
  truncateSync(place(picture), 8)
  rmSync(place(thumbnail))
  rmSync(place(rendition))
  const { code, out } = await plaza('doctor', '--json')
  assert.equal(code, 1)
  const { damage } = JSON.parse(out) as { damage: string[] }
  assert.equal(damage.length, 1)
  assert.match(damage[0] ?? '', /^3 of 3 stored files are missing or have another size, such as /)
  await app.sql('delete from bundles')
  await app.sql('delete from renditions')
  await app.sql('delete from files')
  assert.equal((await plaza('doctor')).code, 0)
})
