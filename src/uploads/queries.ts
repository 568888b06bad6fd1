import { sql } from 'kysely'
import { isFileBlocked } from '../db/blocked-files.ts'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, findRow, insertNew, insertRow, hasRow } from '../db/rows.ts'
import { statement } from '../db/statement.ts'
import type { FileRow, RenditionRow, UploadRow } from '../db/media-tables.ts'

export type FoundUpload = UploadRow &
  Omit<
    FileRow,
    'sha256' | 'created_at' | 'stored_bytes' | 'rendition_bytes' | 'file_count' | 'is_measured'
  > & {
    /** 1 while a moderation decision blocks the file. */
    is_blocked: Flag
  }

const FILE = [
  'files.path',
  'files.mime_type',
  'files.size_bytes',
  'files.width',
  'files.height',
  'files.duration_ms',
  'files.audio_codec',
  'files.thumbnail_path',
] as const

const owned = statement((q, p: { ownerId: string; ids: readonly string[] }, dialect) =>
  q
    .selectFrom('uploads')
    .innerJoin('files', 'files.sha256', 'uploads.file_sha256')
    .selectAll('uploads')
    .select(FILE)
    .select(isFileBlocked(sql.ref('files.sha256')).as('is_blocked'))
    .where(dialect.anyOf('uploads.id', p.ids))
    .where('uploads.owner_id', '=', p.ownerId),
)

/** Returns the uploads with these ids that the user owns, in any order. */
export async function findUploads(
  db: Handle,
  ownerId: string,
  ids: readonly string[],
): Promise<FoundUpload[]> {
  return ids.length === 0 ? [] : db.all(owned, { ownerId, ids })
}

const stay = statement((q, p: { ids: readonly string[] }, dialect) => {
  const some = q.selectFrom('uploads').select('id').where(dialect.anyOf('id', p.ids))
  // Takes the same lock as a foreign key check. The lock blocks the deletion of the upload, but no other use.
  return dialect.engine === 'postgres' ? some.forKeyShare() : some
})

/** Keeps uploads from being removed until the transaction ends. Returns false if any of them no longer exists. */
export async function holdUploads(tx: Tx, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  return (await tx.all(stay, { ids })).length === new Set(ids).size
}

export function findFile(db: Handle, sha256: string): Promise<FileRow | undefined> {
  return findRow(db, 'files', { sha256 })
}

export async function insertFile(tx: Tx, row: FileRow): Promise<void> {
  await insertNew(tx, 'files', row)
}

export async function insertUpload(tx: Tx, row: UploadRow): Promise<void> {
  await insertRow(tx, 'uploads', row)
}

export function isAnyBlocked(db: Handle, hashes: readonly string[]): Promise<boolean> {
  return hasRow(db, 'hidden_subjects', { subject_id: hashes })
}

export async function insertRendition(tx: Tx, row: RenditionRow): Promise<void> {
  await insertRow(tx, 'renditions', row)
}

export async function deleteRenditions(tx: Tx, sha256: string): Promise<void> {
  await deleteRows(tx, 'renditions', { file_sha256: sha256 })
}
