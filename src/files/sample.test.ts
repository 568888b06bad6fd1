import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { makeUpload } from '../../test/uploads.ts'
import { warnOfMissingFiles } from './sample.ts'

const app = await startApp()

async function listWarnings(): Promise<string[]> {
  const warnings: string[] = []
  const log = { warn: (text: string) => void warnings.push(text) }
  await warnOfMissingFiles(app.db, app.deps.store, log as never)
  return warnings
}

test('warns when the store has lost most of its files, but not when it has lost a few', async () => {
  assert.deepEqual(await listWarnings(), [])
  const mina = await app.user()
  for (let count = 0; count < 4; count++) {
    const wav = Buffer.alloc(1024)
    randomBytes(1024).copy(wav)
    wav.write('RIFF\0\0\0\0WAVE', 'latin1')
    await makeUpload(mina, wav)
  }
  assert.deepEqual(await listWarnings(), [])
  const paths = (await app.sql('select path from files')).map(({ path }) => String(path))
  for (const path of paths.slice(0, 2)) await app.deps.store.remove(path)
  assert.deepEqual(await listWarnings(), [])
  await app.deps.store.remove(paths[2] as string)
  assert.match(String(await listWarnings()), /^stored files are missing: 3 of 4 /)
})
