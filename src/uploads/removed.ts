/**
 * Removes files from the store whose rows a transaction deleted. `removed_files` remembers them, so that another
 * process continues after a crash.
 */
import type { FileRow } from '../db/media-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import type { Store } from '../storage/store.ts'
import { listOrphans } from './orphans.ts'

const BATCH = 200

type Removed = Pick<FileRow, 'sha256' | 'path' | 'thumbnail_path'>

const insert = statement((q, p: { [K in keyof Removed]: Removed[K] } & { at: number }) =>
  q
    .insertInto('removed_files')
    .values({
      sha256: p.sha256,
      path: p.path,
      thumbnail_path: p.thumbnail_path,
      removed_at: p.at,
    })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ removed_at: p.at })),
)

/** Call it in the transaction that deletes the file's row. */
export async function noteRemoved(
  tx: Tx,
  { sha256, path, thumbnail_path }: FileRow,
): Promise<void> {
  // Uses the system time instead of the server's clock, because it is compared with times of the file system.
  await tx.run(insert, { sha256, path, thumbnail_path, at: Date.now() })
}

const first = statement((q, p: { limit: number }) =>
  q.selectFrom('removed_files').selectAll().orderBy('sha256').limit(p.limit),
)
const done = statement((q, p: { sha256: string; at: number }) =>
  q.deleteFrom('removed_files').where('sha256', '=', p.sha256).where('removed_at', '=', p.at),
)

/**
 * Removes the noted files from the store. Keeps a file that was stored again since. Errors: StorageUnavailable;
 * the next call continues.
 */
export async function removeFiles(db: Handle, store: Store): Promise<void> {
  for (;;) {
    const files = await db.all(first, { limit: BATCH })
    if (files.length === 0) return
    for (const file of files) {
      const paths = await listPaths(store, file)
      for (let at = 0; at < paths.length; at += BATCH) {
        for (const path of await listOrphans(db, paths.slice(at, at + BATCH))) {
          await store.removeOlder(path, file.removed_at)
        }
      }
      await db.run(done, { sha256: file.sha256, at: file.removed_at })
    }
  }
}

/** Lists the paths of a file and of everything made from it. */
export async function listPaths(
  store: Store,
  { sha256, path, thumbnail_path }: Removed,
): Promise<string[]> {
  const paths = new Set(thumbnail_path === null ? [path] : [path, thumbnail_path])
  for (const folder of [`${sha256}/`, `bundles/${sha256}/`]) {
    for await (const found of store.list(folder)) paths.add(found.path)
  }
  return [...paths]
}
