/**
 * Removes from the store the files whose rows a transaction has deleted. The table `removed_files` lists these files,
 * so that another process can continue after a crash.
 */
import type { FileRow } from '../db/media-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, putRow, listRows } from '../db/rows.ts'
import type { Store } from '../storage/store.ts'
import { listOrphans } from './orphans.ts'

const BATCH = 200

type Removed = Pick<FileRow, 'sha256' | 'path' | 'thumbnail_path'>

/**
 * Records a file in `removed_files`, so that `removeFiles` removes it from the store. Call it in the
 * transaction that deletes the file's row.
 */
export async function noteRemoved(
  tx: Tx,
  { sha256, path, thumbnail_path }: FileRow,
): Promise<void> {
  // Uses the system time instead of the server's clock, because the time is compared with times of the file
  // system.
  const row = { sha256, path, thumbnail_path, removed_at: Date.now() }
  await putRow(tx, 'removed_files', ['sha256'], row)
}

/**
 * Removes the recorded files from the store. Keeps a file that has been stored again in the meantime. Errors:
 * StorageUnavailable; the next call continues.
 */
export async function removeFiles(db: Handle, store: Store): Promise<void> {
  for (;;) {
    const files = await listRows(db, 'removed_files', {}, { by: 'sha256', limit: BATCH })
    if (files.length === 0) return
    for (const file of files) {
      const paths = await listPaths(store, file)
      for (let start = 0; start < paths.length; start += BATCH) {
        for (const path of await listOrphans(db, paths.slice(start, start + BATCH))) {
          await store.removeOlder(path, file.removed_at)
        }
      }
      await deleteRows(db, 'removed_files', { sha256: file.sha256, removed_at: file.removed_at })
    }
  }
}

/**
 * Returns the paths of a file and its thumbnail, and of the renditions, picture sizes and bundle files made from it.
 */
export async function listPaths(
  store: Store,
  { sha256, path, thumbnail_path }: Removed,
): Promise<string[]> {
  const paths = new Set(thumbnail_path === null ? [path] : [path, thumbnail_path])
  const folders = [`${sha256}/`, `bundles/${sha256}/`]
  // The smaller versions of a picture are in its thumbnail's folder.
  if (thumbnail_path !== null) folders.push(`${thumbnail_path.slice(0, 64)}/`)
  for (const folder of folders) {
    for await (const found of store.list(folder)) paths.add(found.path)
  }
  return [...paths]
}
