import { randomUUID } from 'node:crypto'
import { iso } from '../clock.ts'
import type { Db, Run } from '../db/handle.ts'
import { listMigrations } from '../db/migrate.ts'
import { withSnapshot } from '../db/snapshot.ts'
import type { Store } from '../storage/store.ts'
import { VERSION } from '../package.ts'
import { listTables, type Table } from './catalog.ts'
import { BackupWriter } from './archive.ts'
import { backUpFiles } from './files.ts'
import type { Manifest, TableEntry } from './manifest.ts'
import { readBatches, RowDigest } from './rows.ts'

/** Called with the current step and the number of rows, files or parts that this step has processed. */
export type OnProgress = (step: string, done: number) => void

interface Options {
  db: Db
  /** Undefined for a backup without files. */
  store: Store | undefined
  file: string
  /** Secrets by the name of their setting, such as TOKEN_SECRET. */
  secrets: Record<string, string | undefined>
  now: () => number
  onProgress: OnProgress
}

/**
 * Writes a backup to a new file without blocking writers, and returns the manifest. All rows come from one snapshot
 * taken after the call starts. Files that the store lacks count as `missing` in the manifest.
 */
export async function backUp(options: Options): Promise<Omit<Manifest, 'format'>> {
  const now = options.now()
  const writer = await BackupWriter.create(options.file, now)
  try {
    return await write(options, writer, iso(now))
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

async function write(
  { db, store, secrets: values, onProgress }: Options,
  writer: BackupWriter,
  taken: string,
): Promise<Omit<Manifest, 'format'>> {
  const { migrations, tables } = await withSnapshot(db, async (run) => ({
    migrations: await listMigrations(run),
    tables: await backUpTables(db, run, writer, onProgress),
  }))
  const text = Buffer.from(`${JSON.stringify(values, null, 2)}\n`)
  const secrets = await writer.write('secrets.json', text.length, [text])
  const files = store
    ? await backUpFiles(store, writer, tables, (done) => onProgress('files', done))
    : { included: false, count: 0, size: 0, missing: 0, lists: [] }
  const manifest = {
    plaza: VERSION,
    id: randomUUID(),
    taken_at: taken,
    engine: db.engine,
    schema: migrations.length,
    migrations,
    secrets,
    files,
    tables,
  }
  await writer.finish(manifest)
  return manifest
}

async function backUpTables(
  db: Db,
  run: Run,
  writer: BackupWriter,
  onProgress: OnProgress,
): Promise<TableEntry[]> {
  const entries: TableEntry[] = []
  for (const table of await listTables(db.engine, run)) {
    entries.push(await backUpTable(run, table, writer, (rows) => onProgress(table.name, rows)))
  }
  return entries
}

async function backUpTable(
  run: Run,
  table: Table,
  writer: BackupWriter,
  onRows: (rows: number) => void,
): Promise<TableEntry> {
  const digest = new RowDigest()
  const parts = []
  for await (const lines of readBatches(run, table)) {
    digest.add(lines)
    const number = String(parts.length + 1).padStart(6, '0')
    parts.push(await writer.writeLines(`tables/${table.name}/${number}.zst`, lines))
    onRows(digest.rows)
  }
  const columns = table.columns.map(({ name }) => name)
  return { name: table.name, columns, key: table.key, ...digest.end(), parts }
}
