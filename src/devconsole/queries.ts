import type { Handle, Tx } from '../db/handle.ts'
import { findRow, findRowLocked, insertRow, listRows, updateRows, countRows } from '../db/rows.ts'
import { pickParams } from '../db/statement.ts'
import type { AppRow } from '../db/console-tables.ts'

export function listApps(db: Handle, ownerId: string) {
  return listRows(db, 'apps', { owner_id: ownerId, deleted_at: null }, { by: 'id', desc: true })
}

export async function countApps(db: Handle, ownerId: string): Promise<number> {
  return countRows(db, 'apps', { owner_id: ownerId, deleted_at: null })
}

/** Returns the user's app, or undefined when it is missing, deleted or another user's. */
export function findApp(db: Handle, id: string, ownerId: string) {
  return findRow(db, 'apps', { id, owner_id: ownerId, deleted_at: null })
}

/** Like `findApp`, but locks the app until the transaction ends. */
export function findAppLocked(tx: Tx, id: string, ownerId: string) {
  return findRowLocked(tx, 'apps', { id, owner_id: ownerId, deleted_at: null })
}

export async function insertApp(tx: Tx, app: AppRow): Promise<void> {
  await insertRow(tx, 'apps', app)
}

export async function updateAppRow(tx: Tx, app: AppRow): Promise<void> {
  await updateRows(
    tx,
    'apps',
    { id: app.id },
    pickParams(app, [
      'app_name',
      'app_type',
      'description',
      'redirect_uris',
      'scopes',
      'updated_at',
      'deleted_at',
    ]),
  )
}
