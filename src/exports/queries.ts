import type { ExportRow } from '../db/erasure-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { type AsParams, FALSE, pickParams, statement } from '../db/statement.ts'

const insert = statement((q, p: AsParams<ExportRow>) =>
  q
    .insertInto('exports')
    .values(
      pickParams(p, [
        'id',
        'user_id',
        'status',
        'with_files',
        'language',
        'path',
        'size_bytes',
        'error',
        'created_at',
        'expires_at',
        'deleted_at',
      ]),
    ),
)

export async function insertExport(tx: Tx, row: ExportRow): Promise<void> {
  await tx.run(insert, { ...row })
}

const ofUser = statement((q, p: { userId: string; limit: number }) =>
  q
    .selectFrom('exports')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** Returns the newest exports that are not deleted. */
export function listExportsOf(db: Handle, userId: string, limit: number): Promise<ExportRow[]> {
  return db.all(ofUser, { userId, limit })
}

const byId = statement((q, p: { id: string }) =>
  q.selectFrom('exports').selectAll().where('id', '=', p.id).where('deleted_at', 'is', null),
)

/** Returns undefined when the export is deleted. */
export function findExport(db: Handle, id: string): Promise<ExportRow | undefined> {
  return db.first(byId, { id })
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

/** Returns true when the export has a file, is not deleted, and its user is not suspended. */
export async function isServed(db: Handle, id: string): Promise<boolean> {
  return (await db.first(served, { id })) !== undefined
}

type Change = Pick<ExportRow, 'status' | 'path' | 'size_bytes' | 'error' | 'expires_at'>
const CHANGED = ['status', 'path', 'size_bytes', 'error', 'expires_at'] as const

const update = statement((q, p: { id: string } & AsParams<Change>) =>
  q
    .updateTable('exports')
    .set(pickParams(p, CHANGED))
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null),
)

/** Returns false when the export is deleted. */
export async function updateExport(tx: Handle, id: string, row: Change): Promise<boolean> {
  return (await tx.run(update, { id, ...pickParams(row, CHANGED) })) > 0
}

const remove = statement((q, p: { id: string; now: number }) =>
  q
    .updateTable('exports')
    .set({ deleted_at: p.now })
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null),
)

export async function updateDeleted(tx: Tx, id: string, now: number): Promise<void> {
  await tx.run(remove, { id, now })
}

const ended = statement((q, p: { now: number; limit: number }) =>
  q
    .selectFrom('exports')
    .selectAll()
    .where((e) =>
      e.or([
        e('deleted_at', 'is not', null),
        e.and([e('path', 'is not', null), e('expires_at', '<=', p.now)]),
      ]),
    )
    .limit(p.limit),
)

/** Returns deleted exports, and expired ones that have a file. */
export function listEnded(db: Handle, now: number, limit: number): Promise<ExportRow[]> {
  return db.all(ended, { now, limit })
}

const forget = statement((q, p: { id: string }) =>
  q.deleteFrom('exports').where('id', '=', p.id).where('deleted_at', 'is not', null),
)

/** Deletes the row of an export that is marked as deleted. */
export async function deleteExportRow(tx: Handle, id: string): Promise<void> {
  await tx.run(forget, { id })
}
