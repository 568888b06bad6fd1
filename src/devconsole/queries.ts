import type { Handle, Tx } from '../db/handle.ts'
import { pickParams, statement } from '../db/statement.ts'
import type { AppRow } from '../db/console-tables.ts'

const ofOwner = statement((q, p: { ownerId: string }) =>
  q
    .selectFrom('apps')
    .selectAll()
    .where('owner_id', '=', p.ownerId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc'),
)

export function listApps(db: Handle, ownerId: string) {
  return db.all(ofOwner, { ownerId })
}

const countOf = statement((q, p: { ownerId: string }) =>
  q
    .selectFrom('apps')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('owner_id', '=', p.ownerId)
    .where('deleted_at', 'is', null),
)

export async function countApps(db: Handle, ownerId: string): Promise<number> {
  return (await db.first(countOf, { ownerId }))?.count ?? 0
}

const byId = statement((q, p: { id: string; ownerId: string }) =>
  q
    .selectFrom('apps')
    .selectAll()
    .where('id', '=', p.id)
    .where('owner_id', '=', p.ownerId)
    .where('deleted_at', 'is', null),
)

/** Returns undefined when the app is deleted or another user's. */
export function findApp(db: Handle, id: string, ownerId: string) {
  return db.first(byId, { id, ownerId })
}

const byIdLocked = statement((q, p: { id: string; ownerId: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('apps')
      .selectAll()
      .where('id', '=', p.id)
      .where('owner_id', '=', p.ownerId)
      .where('deleted_at', 'is', null),
  ),
)

/** Like `findApp`, and locks the app until the transaction ends. */
export function findAppLocked(tx: Tx, id: string, ownerId: string) {
  return tx.first(byIdLocked, { id, ownerId })
}

const insert = statement((q, p: { [K in keyof AppRow]: AppRow[K] }) =>
  q
    .insertInto('apps')
    .values(
      pickParams(p, [
        'id',
        'owner_id',
        'app_name',
        'app_type',
        'description',
        'redirect_uris',
        'scopes',
        'created_at',
        'updated_at',
        'deleted_at',
      ]),
    ),
)

export async function insertApp(tx: Tx, app: AppRow): Promise<void> {
  await tx.run(insert, { ...app })
}

const update = statement((q, p: Omit<AppRow, 'owner_id' | 'created_at'>) =>
  q
    .updateTable('apps')
    .set(
      pickParams(p, [
        'app_name',
        'app_type',
        'description',
        'redirect_uris',
        'scopes',
        'updated_at',
        'deleted_at',
      ]),
    )
    .where('id', '=', p.id),
)

export async function updateAppRow(tx: Tx, app: AppRow): Promise<void> {
  await tx.run(update, { ...app })
}
