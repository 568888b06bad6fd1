/** Smaller versions of stored pictures. A job makes them (`thumbnails/sizes.ts`). */
import type { Handle, Tx } from '../db/handle.ts'
import type { PictureSizeRow } from '../db/media-tables.ts'
import { deleteRows, insertAll, listRows } from '../db/rows.ts'
import { enqueue } from '../jobs/rules.ts'
import type { StoredSize } from '../pictures/schema.ts'
import { lockFile, setRenditionBytes } from './usage.ts'

/** Returns the sizes of a picture by ascending width. */
export function listSizes(db: Handle, sha256: string): Promise<PictureSizeRow[]> {
  return listRows(db, 'picture_sizes', { file_sha256: sha256 }, { by: ['width', 'mime_type'] })
}

/**
 * Returns the sizes of a picture that its owner starts to use, in the form in which columns store them. If there are
 * none, queues the job that makes them and returns null. Call it before locking other rows, because the job's row is
 * locked first.
 */
export async function requestSizes(
  tx: Tx,
  { sha256, ownerId }: { sha256: string; ownerId: string },
  now: number,
): Promise<string | null> {
  let found = await listSizes(tx, sha256)
  if (found.length === 0) {
    await enqueue(tx, { kind: 'sizes', subject: sha256, ownerId }, now)
    // The job may have ended while `enqueue` waited for its row.
    found = await listSizes(tx, sha256)
  }
  return found.length === 0 ? null : toStoredSizes(found)
}

/** Inserts sizes of a picture, and counts them in the storage usage of its owners. */
export async function insertSizes(
  tx: Tx,
  sha256: string,
  sizes: readonly PictureSizeRow[],
): Promise<void> {
  if (sizes.length === 0 || !(await lockFile(tx, sha256))) return
  await insertAll(tx, 'picture_sizes', sizes)
  const bytes = (await listSizes(tx, sha256)).reduce((sum, size) => sum + size.size_bytes, 0)
  await setRenditionBytes(tx, sha256, bytes)
}

export async function deleteSizes(tx: Tx, sha256: string): Promise<void> {
  await deleteRows(tx, 'picture_sizes', { file_sha256: sha256 })
}

/** Length of a SHA-256 in hex and the slash after it. */
const FOLDER_LENGTH = 65

/** Returns sizes in the form in which columns store them. */
export function toStoredSizes(sizes: readonly PictureSizeRow[]): string {
  return JSON.stringify(
    sizes.map(({ path, width, height }): StoredSize => [path.slice(FOLDER_LENGTH), width, height]),
  )
}
