import { sql } from 'kysely'
import { isFileBlocked } from '../db/blocked-files.ts'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'
import type { FileRow, UploadRow } from '../db/media-tables.ts'

export type FoundUpload = UploadRow &
  Omit<FileRow, 'sha256' | 'created_at' | 'stored_bytes' | 'rendition_bytes' | 'is_measured'> & {
    /** 1 while a decision blocks the file. */
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

/** Returns the uploads that the user owns, in any order. */
export async function findUploads(
  db: Handle,
  ownerId: string,
  ids: readonly string[],
): Promise<FoundUpload[]> {
  return ids.length === 0 ? [] : db.all(owned, { ownerId, ids })
}

const stay = statement((q, p: { ids: readonly string[] }, dialect) => {
  const some = q.selectFrom('uploads').select('id').where(dialect.anyOf('id', p.ids))
  // Takes the same lock as a foreign key check.
  return dialect.engine === 'postgres' ? some.forKeyShare() : some
})

/** Keeps uploads from being removed until the transaction ends. Returns false if one no longer exists. */
export async function holdUploads(tx: Tx, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  return (await tx.all(stay, { ids })).length === new Set(ids).size
}

const file = statement((q, p: { sha256: string }) =>
  q.selectFrom('files').selectAll().where('sha256', '=', p.sha256),
)

export function findFile(db: Handle, sha256: string): Promise<FileRow | undefined> {
  return db.first(file, { sha256 })
}

const newFile = statement((q, p: AsParams<FileRow>) =>
  q
    .insertInto('files')
    .values(
      pickParams(p, [
        'sha256',
        'path',
        'mime_type',
        'size_bytes',
        'width',
        'height',
        'duration_ms',
        'audio_codec',
        'thumbnail_path',
        'stored_bytes',
        'rendition_bytes',
        'is_measured',
        'created_at',
      ]),
    )
    // `doNothing` without a column ignores conflicts of all keys. With a column, PostgreSQL would fail for
    // the other keys.
    .onConflict((conflict) => conflict.doNothing()),
)

export async function insertFile(tx: Tx, row: FileRow): Promise<void> {
  await tx.run(newFile, { ...row })
}

const newUpload = statement((q, p: AsParams<UploadRow>) =>
  q
    .insertInto('uploads')
    .values(pickParams(p, ['id', 'owner_id', 'file_sha256', 'received_sha256', 'created_at'])),
)

export async function insertUpload(tx: Tx, row: UploadRow): Promise<void> {
  await tx.run(newUpload, { ...row })
}

const blocked = statement((q, p: { hashes: readonly string[] }, dialect) =>
  q
    .selectFrom('hidden_subjects')
    .select('subject_id')
    .where(dialect.anyOf('subject_id', p.hashes))
    .limit(1),
)

/** True when a decision blocks one of these files, named by their hashes. */
export async function isAnyBlocked(db: Handle, hashes: readonly string[]): Promise<boolean> {
  return (await db.first(blocked, { hashes })) !== undefined
}
