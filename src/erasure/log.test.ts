/** Tests the file that lists erased users and contents. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { temporaryFolder } from '../../test/files.ts'
import { newId } from '../db/ids.ts'
import { insertAll } from '../db/rows.ts'
import { ErasureLog, erasureLogIn, readErasureLog } from './log.ts'

const app = await startApp()
const now = app.clock.now()
const ids = [newId('usr', now), newId('cnt', now)]
await insertAll(
  app.db,
  'erasures',
  ids.map((id) => ({ id, erased_at: now })),
)
const idsIn = (dataDir: string) => readErasureLog(erasureLogIn(dataDir)).map(({ id }) => id)

test('parallel calls write each erasure once', async () => {
  const dataDir = temporaryFolder('plaza-log-')
  const log = new ErasureLog(dataDir)
  await Promise.all([log.sync(app.db), log.sync(app.db), log.sync(app.db)])
  assert.deepEqual(idsIn(dataDir).toSorted(), ids.toSorted())
})

test('writes the erasures that an earlier call could not write', async () => {
  const dataDir = join(temporaryFolder('plaza-log-'), 'missing')
  const log = new ErasureLog(dataDir)
  await assert.rejects(log.sync(app.db), { code: 'ENOENT' })
  mkdirSync(dataDir)
  await log.sync(app.db)
  assert.deepEqual(idsIn(dataDir).toSorted(), ids.toSorted())
})
