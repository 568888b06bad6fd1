import { createHash } from 'node:crypto'
import type { Db, Run } from '../db/handle.ts'
import { listMigrations } from '../db/migrate.ts'
import { withSnapshot } from '../db/snapshot.ts'
import type { OnProgress } from './backup.ts'
import { listTables, type Table } from './catalog.ts'
import { Different, type Earlier, Filling, requireEqual } from './load.ts'
import { type Digest, digestTable, readBatches } from './rows.ts'

interface Options {
  from: Db
  to: Db
  onProgress: OnProgress
  onEarlier?: (earlier: Earlier) => void
}

/**
 * Copies a database with its schema into an empty one, and returns the digest of each table. An embedded source
 * (SQLite) stays locked against writers. After an interruption, the next call resumes. If the databases differ at the
 * end, drops the copied tables.
 * Errors: NotEmpty, NewerSchema, UnfinishedRestore, Different, TakenOver.
 */
export async function copyDatabase(options: Options): Promise<Digest[]> {
  const { from, to, onProgress, onEarlier } = options
  return withSnapshot(
    from,
    async (run) => {
      const migrations = await listMigrations(run)
      const id = createHash('sha256').update(JSON.stringify(migrations)).digest('hex')
      const source = { id: `copy ${id}`, migrations }
      const filling = await Filling.begin(to, source)
      if (filling.earlier) onEarlier?.(filling.earlier)
      const tables = await listTables(from.engine, run)
      const pairs = tables.map((table) => ({ table, target: targetOf(filling, table) }))
      await copyTables(run, filling, pairs, onProgress)
      const digests = await compare(run, filling, pairs, onProgress)
      await filling.finish(source)
      return digests
    },
    { lock: true },
  )
}

interface Pair {
  table: Table
  target: Table
}

/** Returns the target's table with its columns in the order of the source. Errors: Different. */
function targetOf(filling: Filling, table: Table): Table {
  const found = filling.tables.get(table.name)
  const columns = table.columns.flatMap(
    ({ name }) => found?.columns.find((column) => column.name === name) ?? [],
  )
  if (found?.columns.length !== columns.length || columns.length !== table.columns.length) {
    throw new Different(`the table ${table.name} does not match this schema`)
  }
  return { ...table, columns }
}

async function copyTables(
  run: Run,
  filling: Filling,
  pairs: readonly Pair[],
  onProgress: OnProgress,
): Promise<void> {
  const { reached } = filling
  let isReached = reached.table === null
  for (const { table, target } of pairs) {
    const isHere = table.name === reached.table
    if (isHere) isReached = true
    if (!isReached) continue
    let rows = isHere ? reached.rows : 0
    for await (const lines of readBatches(run, table, isHere ? reached.key : undefined)) {
      rows = (await filling.add(target, lines, rows)).rows
      onProgress(table.name, rows)
    }
  }
}

async function compare(
  run: Run,
  filling: Filling,
  pairs: readonly Pair[],
  onProgress: OnProgress,
): Promise<Digest[]> {
  try {
    return await withSnapshot(filling.db, async (runTarget) => {
      const digests: Digest[] = []
      let compared = 0
      for (const { table, target } of pairs) {
        const expected = await digestTable(run, table)
        requireEqual(table.name, await digestTable(runTarget, target), expected)
        onProgress('comparing', (compared += expected.rows))
        digests.push(expected)
      }
      return digests
    })
  } catch (error) {
    if (!(error instanceof Different)) throw error
    await filling.undo()
    throw new Different(
      `${error.message}: did the source change between two attempts? The copied rows were deleted, so run the copy again`,
      { cause: error },
    )
  }
}
