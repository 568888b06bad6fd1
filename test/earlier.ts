import { listTables, type Table } from '../src/backup/catalog.ts'
import { Filling } from '../src/backup/load.ts'
import { readBatches } from '../src/backup/rows.ts'
import type { Db } from '../src/db/handle.ts'
import { listMigrations } from '../src/db/migrate.ts'
import { withSnapshot } from '../src/db/snapshot.ts'

/**
 * Creates an earlier schema in the empty database `to` and copies the rows of `from` into it. Columns that
 * the earlier schema lacks are skipped.
 */
export async function copyAtSchema(from: Db, to: Db, schema: number): Promise<Filling> {
  return withSnapshot(from, async (run) => {
    const migrations = (await listMigrations(run)).slice(0, schema)
    const source = { id: 'rows of today', migrations }
    const filling = await Filling.begin(to, source)
    const tables = new Map((await listTables(from.engine, run)).map((table) => [table.name, table]))
    for (const target of filling.tables.values()) {
      const { key } = tables.get(target.name) as Table
      let rows = 0
      for await (const lines of readBatches(run, { ...target, key })) {
        rows = (await filling.add(target, lines, rows)).rows
      }
    }
    await filling.finish(source)
    return filling
  })
}
