import { listTables, type Table } from '../src/backup/catalog.ts'
import { Filling } from '../src/backup/load.ts'
import { readBatches } from '../src/backup/rows.ts'
import type { Db } from '../src/db/handle.ts'
import { listMigrations } from '../src/db/migrate.ts'
import { withSnapshot } from '../src/db/snapshot.ts'
import { ERASED_OWNER } from '../src/users/tombstones.ts'

/** Current names of renamed columns, by `table.former_name`. */
const RENAMED: Readonly<Record<string, string>> = { 'content_tags.heat': 'score_bucket' }

/**
 * Creates an earlier schema in the empty database `to` and copies the rows of `from` into the columns of
 * that schema.
 */
export async function copyAtSchema(from: Db, to: Db, schema: number): Promise<Filling> {
  const filling = await withSnapshot(from, async (run) => {
    const migrations = (await listMigrations(run)).slice(0, schema)
    const source = { id: 'rows of today', migrations }
    const copied = await Filling.begin(to, source)
    const tables = new Map((await listTables(from.engine, run)).map((table) => [table.name, table]))
    for (const target of copied.tables.values()) {
      const { key } = tables.get(target.name) as Table
      const columns = target.columns.map(({ name, type }) => ({
        name: RENAMED[`${target.name}.${name}`] ?? name,
        type,
      }))
      let rows = 0
      for await (const lines of readBatches(run, { ...target, columns, key })) {
        rows = (await copied.add(target, lines, rows)).rows
      }
    }
    await copied.finish(source)
    return copied
  })
  if (!filling.tables.has('erasures')) await deleteErasedOwner(to)
  const columns = filling.tables.get('contents')?.columns.map(({ name }) => name) ?? []
  if (columns.includes('media') && !columns.includes('thumbnail_sizes')) await deleteMediaSizes(to)
  return filling
}

/** Deletes the sizes of pictures from the media of contents, because earlier servers did not store the sizes. */
async function deleteMediaSizes(db: Db): Promise<void> {
  await db.script(async (run) => {
    for (const { id, media } of await run(
      `select id, media from contents where media like '%"sizes"%'`,
    )) {
      const entries: object[] = JSON.parse(String(media))
      const former = JSON.stringify(
        entries.map((entry) => ({ ...entry, sizes: undefined, folder: undefined })),
      )
      await run(
        `update contents set media = '${former.replaceAll("'", "''")}' where id = '${String(id)}'`,
      )
    }
  })
}

const ERASED_OWNER_ROWS = [
  ['notification_counts', 'user_id'],
  ['user_counts', 'user_id'],
  ['users', 'id'],
] as const

/**
 * Deletes the user that owns contents during their erasure. A migration creates this user, so an earlier
 * schema does not have it.
 */
export async function deleteErasedOwner(db: Db): Promise<void> {
  const tables = await withSnapshot(db, (run) => listTables(db.engine, run))
  await db.script(async (run) => {
    for (const [name, key] of ERASED_OWNER_ROWS) {
      if (!tables.some((table) => table.name === name)) continue
      await run(`delete from ${name} where ${key} = '${ERASED_OWNER}'`)
    }
  })
}
