/** Smaller versions of stored pictures. A job makes them (`thumbnails/sizes.ts`). */
import type { Handle, Tx } from '../db/handle.ts'
import type { PictureSizeRow } from '../db/media-tables.ts'
import { deleteRows, insertAll, listRows } from '../db/rows.ts'
import { enqueue } from '../jobs/rules.ts'
import type { StoredSize } from '../pictures/schema.ts'
import { lockFile, setRenditionBytes } from './usage.ts'

const WIDTHS = {
  avatar: [48, 96, 192],
  picture: [320, 640, 1280, 1920, 2560],
  thumbnail: [160, 320, 640, 1280],
} as const

/** Use of a picture. Each use needs different widths. */
export type SizeUse = keyof typeof WIDTHS

/** Returns the widths in pixels that a picture with these uses needs, each once. */
export function widthsOf(uses: readonly SizeUse[]): number[] {
  return [...new Set(uses.flatMap((use) => WIDTHS[use]))]
}

/** Returns the stored sizes of these pictures that suit a use, by ascending width. */
export async function listSizes(
  db: Handle,
  hashes: readonly string[],
  use: SizeUse,
): Promise<PictureSizeRow[]> {
  if (hashes.length === 0) return []
  const where = { file_sha256: hashes, width: WIDTHS[use] }
  return listRows(db, 'picture_sizes', where, { by: ['width', 'mime_type'] })
}

/**
 * Returns the sizes of a picture chosen as avatar, in the format of `users.avatar_sizes`. If there are none, queues the
 * job that makes them and returns null. Call it before locking other rows, because the job's row is first in the lock
 * order.
 */
export async function requestAvatarSizes(
  tx: Tx,
  { sha256, ownerId }: { sha256: string; ownerId: string },
  now: number,
): Promise<string | null> {
  let found = await listSizes(tx, [sha256], 'avatar')
  if (found.length === 0) {
    await enqueue(tx, { kind: 'sizes', subject: sha256, ownerId }, now)
    // The job may have ended while `enqueue` waited for the lock on the job's row.
    found = await listSizes(tx, [sha256], 'avatar')
  }
  return found.length === 0 ? null : JSON.stringify(toStoredSizes(found))
}

/**
 * Inserts new sizes of a picture, and counts them in the storage usage of its owners. Does nothing when the
 * picture no longer exists.
 */
export async function insertSizes(
  tx: Tx,
  sha256: string,
  sizes: readonly PictureSizeRow[],
): Promise<void> {
  const file = sizes.length === 0 ? undefined : await lockFile(tx, sha256)
  if (!file) return
  const known = new Set((await listOf(tx, sha256)).map(keyOf))
  // Another job may have inserted some of the sizes in the meantime. The sweep removes the files that
  // get no row here.
  const fresh = sizes.filter((size) => !known.has(keyOf(size)))
  await insertAll(tx, 'picture_sizes', fresh)
  const bytes = fresh.reduce((sum, size) => sum + size.size_bytes, 0)
  await setRenditionBytes(tx, sha256, file.rendition_bytes + bytes)
}

function listOf(db: Handle, sha256: string): Promise<PictureSizeRow[]> {
  return listRows(db, 'picture_sizes', { file_sha256: sha256 })
}

const keyOf = ({ width, mime_type }: PictureSizeRow) => `${width} ${mime_type}`

/** Returns those of `widths` for which no version of the picture is stored. */
export async function listMissingWidths(
  db: Handle,
  sha256: string,
  widths: readonly number[],
): Promise<number[]> {
  const known = new Set((await listOf(db, sha256)).map(({ width }) => width))
  return widths.filter((width) => !known.has(width))
}

export async function deleteSizes(tx: Tx, sha256: string): Promise<void> {
  await deleteRows(tx, 'picture_sizes', { file_sha256: sha256 })
}

/** Length of the folder in a size's path: a SHA-256 in hex and a slash. */
const FOLDER_LENGTH = 65

/** Returns sizes in the form in which columns store them: file name, width and height in pixels. */
export function toStoredSizes(sizes: readonly PictureSizeRow[]): StoredSize[] {
  return sizes.map(({ path, width, height }) => [path.slice(FOLDER_LENGTH), width, height])
}
