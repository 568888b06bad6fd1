/**
 * Storage usage of users. Each file counts once per user, with its thumbnail, unpacked game and renditions. A
 * change first locks the file's row, so that concurrent uploads of the same bytes are counted correctly.
 */
import { sql } from 'kysely'
import type { FileRow } from '../db/media-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { above } from '../db/conditions.ts'
import { findRowLocked, hasRow, listRows, updateRows, addToRows } from '../db/rows.ts'
import { statement } from '../db/statement.ts'

const used = statement((q, p: { userId: string }) =>
  q
    .selectFrom('site')
    .leftJoin('storage_usage', (join) => join.on('storage_usage.user_id', '=', p.userId))
    .select(['site.settings', 'storage_usage.used_bytes', 'storage_usage.file_count']),
)

export interface Usage {
  bytes: number
  /** Number of stored files, without renditions. */
  files: number
}

/** Returns the usage of a user, and the settings of the site as JSON, which contain the default quota. */
export async function findUsage(
  db: Handle,
  userId: string,
): Promise<{ usage: Usage; settings: string }> {
  const found = await db.first(used, { userId })
  const usage = { bytes: found?.used_bytes ?? 0, files: found?.file_count ?? 0 }
  return { usage, settings: found?.settings ?? '{}' }
}

export function lockFile(tx: Tx, sha256: string): Promise<FileRow | undefined> {
  return findRowLocked(tx, 'files', { sha256 })
}

export function usageOf(file: FileRow): Usage {
  return { bytes: file.stored_bytes + file.rendition_bytes, files: file.file_count }
}

export async function ownsFile(db: Handle, userId: string, sha256: string): Promise<boolean> {
  return hasRow(db, 'uploads', { file_sha256: sha256, owner_id: userId })
}

const add = statement((q, p: { user_id: string; bytes: number; files: number }) =>
  q
    .insertInto('storage_usage')
    .values({ user_id: p.user_id, used_bytes: p.bytes, file_count: p.files })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        used_bytes: sql<number>`storage_usage.used_bytes + excluded.used_bytes`,
        file_count: sql<number>`storage_usage.file_count + excluded.file_count`,
      }),
    ),
)

export async function addToUsage(tx: Tx, userId: string, added: Usage): Promise<void> {
  await tx.run(add, { user_id: userId, ...added })
}

export async function subtractFromUsage(
  tx: Tx,
  userId: string,
  { bytes, files }: Usage,
): Promise<void> {
  const change = { used_bytes: -bytes, file_count: -files }
  await addToRows(tx, 'storage_usage', { user_id: userId }, change)
}

const owners = statement((q, p: { sha256: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('storage_usage')
      .select('user_id')
      .where('user_id', 'in', (e) =>
        e.selectFrom('uploads').select('owner_id').where('file_sha256', '=', p.sha256),
      )
      .orderBy('user_id'),
  ),
)

const addToOwners = statement((q, p: { sha256: string; bytes: number }) =>
  q
    .updateTable('storage_usage')
    .set((e) => ({ used_bytes: e('used_bytes', '+', p.bytes) }))
    .where('user_id', 'in', (e) =>
      e.selectFrom('uploads').select('owner_id').where('file_sha256', '=', p.sha256),
    ),
)

async function setFileBytes(tx: Tx, before: FileRow, after: FileRow): Promise<void> {
  const { sha256, stored_bytes, rendition_bytes, is_measured } = after
  await updateRows(tx, 'files', { sha256 }, { stored_bytes, rendition_bytes, is_measured })
  const bytes = usageOf(after).bytes - usageOf(before).bytes
  if (bytes === 0) return
  await tx.all(owners, { sha256 })
  await tx.run(addToOwners, { sha256, bytes })
}

/** Stores the size of a file's renditions and updates the storage usage of the file's owners. */
export async function setRenditionBytes(tx: Tx, sha256: string, bytes: number): Promise<void> {
  const before = await lockFile(tx, sha256)
  if (before) await setFileBytes(tx, before, { ...before, rendition_bytes: bytes })
}

export function listUnmeasured(db: Handle, after: string, limit: number): Promise<FileRow[]> {
  return listRows(db, 'files', { is_measured: 0, sha256: above(after) }, { by: 'sha256', limit })
}

/**
 * Stores the measured sizes of a file's thumbnail and renditions. Does nothing when the file is already
 * measured or no longer exists.
 */
export async function setMeasured(
  tx: Tx,
  sha256: string,
  found: { thumbnailBytes: number; renditionBytes: number },
): Promise<void> {
  const before = await lockFile(tx, sha256)
  if (!before || before.is_measured === 1) return
  await setFileBytes(tx, before, {
    ...before,
    stored_bytes: before.stored_bytes + found.thumbnailBytes,
    // A job may have stored renditions since the measurement.
    rendition_bytes: Math.max(before.rendition_bytes, found.renditionBytes),
    is_measured: 1,
  })
}
