import type { ExportRow } from '../db/erasure-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { notNull, atMost } from '../db/conditions.ts'
import { deleteRows, findRow, insertRow, listRows, updateRows } from '../db/rows.ts'
import { FALSE, statement } from '../db/statement.ts'

export async function insertExport(tx: Tx, row: ExportRow): Promise<void> {
  await insertRow(tx, 'exports', row)
}

/** Returns up to `limit` exports of a user that are not deleted, newest first. */
export function listExportsOf(db: Handle, userId: string, limit: number): Promise<ExportRow[]> {
  return listRows(
    db,
    'exports',
    { user_id: userId, deleted_at: null },
    { by: 'id', desc: true, limit },
  )
}

/** Returns an export, or undefined when it is missing or deleted. */
export function findExport(db: Handle, id: string): Promise<ExportRow | undefined> {
  return findRow(db, 'exports', { id, deleted_at: null })
}

const served = statement((q, p: { id: string }) =>
  q
    .selectFrom('exports')
    .innerJoin('users', 'users.id', 'exports.user_id')
    .select('exports.id')
    .where('exports.id', '=', p.id)
    .where('exports.path', 'is not', null)
    .where('exports.deleted_at', 'is', null)
    .where('users.is_suspended', '=', FALSE),
)

/** True when the export has a file and is not deleted, and its user is not suspended. */
export async function isServed(db: Handle, id: string): Promise<boolean> {
  return (await db.first(served, { id })) !== undefined
}

type Change = Pick<ExportRow, 'status' | 'path' | 'size_bytes' | 'error' | 'expires_at'>

/** Stores the state of an export. Returns false when the export is missing or deleted. */
export async function updateExport(tx: Handle, id: string, row: Change): Promise<boolean> {
  const { status, path, size_bytes, error, expires_at } = row
  const changes = { status, path, size_bytes, error, expires_at }
  return (await updateRows(tx, 'exports', { id, deleted_at: null }, changes)) > 0
}

export async function updateDeleted(tx: Tx, id: string, now: number): Promise<void> {
  await updateRows(tx, 'exports', { id, deleted_at: null }, { deleted_at: now })
}

/** Returns up to `limit` deleted exports, and up to `limit` expired exports that still have a file. */
export async function listEnded(db: Handle, now: number, limit: number): Promise<ExportRow[]> {
  const expired = { deleted_at: null, path: notNull, expires_at: atMost(now) }
  return [
    ...(await listRows(db, 'exports', { deleted_at: notNull }, { limit })),
    ...(await listRows(db, 'exports', expired, { limit })),
  ]
}

/** Deletes the row of an export that is marked as deleted. */
export async function deleteExportRow(tx: Handle, id: string): Promise<void> {
  await deleteRows(tx, 'exports', { id, deleted_at: notNull })
}
