import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Db, DatabaseFull, type Run } from './handle.ts'
import { inMigration } from './migrate.ts'
import { withSnapshot } from './snapshot.ts'

const run: Run = async (text) => {
  if (text === 'rollback') throw new Error('cannot rollback - no transaction is active')
  return []
}
const db = {
  engine: 'sqlite',
  script: (action: (run: Run) => unknown) => action(run),
} as unknown as Db
const fails = () => Promise.reject(new DatabaseFull('database disk is full'))

test('reports the first error of a migration or snapshot, not that of the rollback', async () => {
  await assert.rejects(inMigration(db, run, fails), DatabaseFull)
  await assert.rejects(withSnapshot(db, fails), DatabaseFull)
  await assert.rejects(
    withSnapshot(db, async () => 1),
    /cannot rollback/,
  )
})
