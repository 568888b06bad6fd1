import type { Db } from '../db/handle.ts'
import { withSnapshot } from '../db/snapshot.ts'
import type { Staging } from '../storage/staging.ts'
import type { Store } from '../storage/store.ts'
import type { OnProgress } from './backup.ts'
import type { Table } from './catalog.ts'
import type { Backup } from './archive.ts'
import { findFiles, restoreFiles } from './files.ts'
import { Different, type Earlier, Filling, requireEqual } from './load.ts'
import type { TableEntry } from './manifest.ts'
import { digestTable } from './rows.ts'

interface Options {
  db: Db
  place: { store: Store; staging: Staging }
  backup: Backup
  onProgress: OnProgress
  onEarlier?: (earlier: Earlier) => void
}

/** Verifies the hashes of a backup's rows and the presence of its files. Errors: BackupDamaged. */
export async function check(backup: Backup, onProgress: OnProgress): Promise<void> {
  let parts = 0
  for (const { parts: ofTable } of backup.manifest.tables) {
    for (const part of ofTable) {
      await backup.read(part)
      onProgress('checking the backup', ++parts)
    }
  }
  await findFiles(backup)
}

/**
 * Fills an empty database and its store from a backup that `check` has accepted. The database gets the schema of the
 * backup and may need later migrations. Servers refuse to start on the database until the restore is complete.
 * After an interruption, the next call resumes.
 * Errors: BackupDamaged, NotEmpty, NewerSchema, Different, TakenOver.
 */
export async function restore(options: Options): Promise<void> {
  const { db, place, backup, onProgress, onEarlier } = options
  const { manifest } = backup
  const source = { id: manifest.id, migrations: manifest.migrations }
  const filling = await Filling.begin(db, source)
  if (filling.earlier) onEarlier?.(filling.earlier)
  const entries = arrange(filling, manifest.tables)
  await restoreFiles(place, backup, (done) => onProgress('files', done))
  // Tables are in reference order, so each row comes after the rows that it references.
  let isReached = filling.reached.table === null
  for (const { table, entry } of entries) {
    const isHere = table.name === filling.reached.table
    if (isHere) isReached = true
    if (!isReached) continue
    await restoreTable(filling, table, entry, {
      backup,
      from: isHere ? filling.reached.rows : 0,
      onRows: (rows) => onProgress(table.name, rows),
    })
  }
  await withSnapshot(db, async (run) => {
    let compared = 0
    for (const { table, entry } of entries) {
      requireEqual(table.name, await digestTable(run, table), entry)
      onProgress('comparing', (compared += entry.rows))
    }
  })
  await filling.finish(source)
}

interface Arranged {
  table: Table
  entry: TableEntry
}

/** Pairs each table of the database with its manifest entry. Orders the columns as in the backup. Errors: Different. */
function arrange(filling: Filling, entries: readonly TableEntry[]): Arranged[] {
  const known = new Map(entries.map((entry) => [entry.name, entry]))
  const arranged = [...filling.tables.values()].map((table) => {
    const entry = known.get(table.name)
    const columns = entry?.columns.map((name) =>
      table.columns.find((column) => column.name === name),
    )
    if (!entry || columns?.length !== table.columns.length || !columns.every(exists)) {
      throw new Different(`the table ${table.name} of the backup has other columns than its schema`)
    }
    return { table: { name: table.name, key: entry.key, columns }, entry }
  })
  if (arranged.length === known.size) return arranged
  const strange = entries.find(({ name }) => !filling.tables.has(name))
  throw new Different(`the backup has the table ${strange?.name}, which is not part of its schema`)
}

function exists<T>(value: T | undefined): value is T {
  return value !== undefined
}

async function restoreTable(
  filling: Filling,
  table: Table,
  entry: TableEntry,
  { backup, from, onRows }: { backup: Backup; from: number; onRows: (rows: number) => void },
): Promise<void> {
  let rows = 0
  for (const part of entry.parts) {
    rows += part.lines
    // Each part is one transaction, so an earlier attempt inserted all of it or nothing.
    if (rows <= from) continue
    await filling.add(table, await backup.readLines(part), rows - part.lines)
    onRows(rows)
  }
}
