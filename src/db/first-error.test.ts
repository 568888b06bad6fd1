/** What a database that ended a transaction by itself, as on a full disk, says of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Db, DatabaseFull, type Run } from './handle.ts'
import { inMigration } from './migrate.ts'
import { withSnapshot } from './snapshot.ts'

const run: Run = async (text) => {
  if (text === 'rollback') throw new Error('cannot rollback - no transaction is active')
  return []
}
const db = { engine: 'sqlite', script: (work: (run: Run) => unknown) => work(run) } as unknown as Db
const fails = () => Promise.reject(new DatabaseFull('database disk is full'))

test('a migration and a snapshot tell the first error, not that of the rollback', async () => {
  await assert.rejects(inMigration(db, run, fails), DatabaseFull)
  await assert.rejects(withSnapshot(db, fails), DatabaseFull)
  await assert.rejects(
    withSnapshot(db, async () => 1),
    /cannot rollback/,
  )
})
