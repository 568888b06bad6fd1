import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, findRow, insertAll, insertNew } from '../db/rows.ts'
import { type AsParams, statement } from '../db/statement.ts'
import type { BundleFileRow, BundleRow } from '../db/media-tables.ts'

/** Inserts a bundle. Returns false when it already exists. */
export async function insertBundleRow(tx: Tx, row: BundleRow): Promise<boolean> {
  return insertNew(tx, 'bundles', row)
}

type FileOfBundle = AsParams<Omit<BundleFileRow, 'bundle_sha256'>>

export async function insertFileRows(tx: Tx, sha256: string, files: FileOfBundle[]): Promise<void> {
  await insertAll(
    tx,
    'bundle_files',
    files.map(({ path, position, mime_type, size_bytes }) => {
      return { bundle_sha256: sha256, path, position, mime_type, size_bytes }
    }),
  )
}

export function findBundle(db: Handle, sha256: string): Promise<BundleRow | undefined> {
  return findRow(db, 'bundles', { file_sha256: sha256 })
}

export async function deleteBundle(tx: Tx, sha256: string): Promise<void> {
  await deleteRows(tx, 'bundle_files', { bundle_sha256: sha256 })
  await deleteRows(tx, 'bundles', { file_sha256: sha256 })
}

/** Maximum number of characters in a requested path. Stored paths are shorter, even when written in NFD. */
const PATH_MAX = 4000

/** Finds a file of a bundle by its path in NFC or NFD. Upper and lower case must match. */
export async function findBundleFile(
  db: Handle,
  sha256: string,
  path: string,
): Promise<BundleFileRow | undefined> {
  if (path === '' || path.length > PATH_MAX || path.includes('\0')) return undefined
  return findRow(db, 'bundle_files', { bundle_sha256: sha256, path: path.normalize('NFC') })
}

const pages = statement((q, p: { sha256: string; limit: number }) =>
  q
    .selectFrom('bundle_files')
    .select('path')
    .where('bundle_sha256', '=', p.sha256)
    .where('mime_type', 'like', 'text/html%')
    .orderBy('position')
    .limit(p.limit),
)

export async function listPages(db: Handle, sha256: string, limit: number): Promise<string[]> {
  return (await db.all(pages, { sha256, limit })).map(({ path }) => path)
}
