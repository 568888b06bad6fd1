import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, findRow } from '../db/rows.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'
import type { BundleFileRow, BundleRow } from '../db/media-tables.ts'

const newBundle = statement((q, p: AsParams<BundleRow>) =>
  q
    .insertInto('bundles')
    .values(pickParams(p, ['file_sha256', 'runtime', 'entry', 'facts']))
    .onConflict((c) => c.column('file_sha256').doNothing()),
)

/** Returns false when the bundle already exists. */
export async function insertBundleRow(tx: Tx, row: BundleRow): Promise<boolean> {
  return (await tx.run(newBundle, { ...row })) === 1
}

type FileOfBundle = AsParams<Omit<BundleFileRow, 'bundle_sha256'>>

const newFiles = statement((q, p: { sha256: string; files: FileOfBundle[] }, dialect) =>
  q
    .insertInto('bundle_files')
    .columns(['bundle_sha256', 'path', 'position', 'mime_type', 'size_bytes'])
    .expression(
      q
        .selectFrom(
          sql<FileOfBundle>`${dialect.rows(p.files, {
            path: 'text',
            position: 'integer',
            mime_type: 'text',
            size_bytes: 'integer',
          })}`.as('files'),
        )
        .select([
          sql<string>`${p.sha256}`.as('bundle_sha256'),
          'files.path',
          'files.position',
          'files.mime_type',
          'files.size_bytes',
        ]),
    ),
)

export async function insertFileRows(tx: Tx, sha256: string, files: FileOfBundle[]): Promise<void> {
  await tx.run(newFiles, { sha256, files })
}

export function findBundle(db: Handle, sha256: string): Promise<BundleRow | undefined> {
  return findRow(db, 'bundles', { file_sha256: sha256 })
}

export async function deleteBundle(tx: Tx, sha256: string): Promise<void> {
  await deleteRows(tx, 'bundle_files', { bundle_sha256: sha256 })
  await deleteRows(tx, 'bundles', { file_sha256: sha256 })
}

/** Stored paths are shorter, even when written in NFD. */
const PATH_MAX = 4000

/**
 * Finds a file of a bundle by its path. Accepts a path in NFC or NFD, because some clients send NFD. Matches
 * upper and lower case exactly.
 */
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
