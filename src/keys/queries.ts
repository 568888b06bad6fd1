import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { findRow, insertRow, listRows, updateRows } from '../db/rows.ts'
import { statement } from '../db/statement.ts'
import type { ApiKeyRow } from '../db/console-tables.ts'

const byHash = statement((q, p: { hash: string }) =>
  q
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.owner_id')
    .leftJoin('apps', 'apps.id', 'api_keys.app_id')
    .select([
      'api_keys.id as key_id',
      'api_keys.environment',
      'api_keys.scopes',
      'api_keys.last_used_at',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'apps.scopes as app_scopes',
      'users.id',
      'users.handle',
      'users.role',
      'users.tier',
      'users.permissions',
      'users.email_verified',
      'users.is_suspended',
    ])
    .where('api_keys.key_hash', '=', p.hash),
)

export function findKeyByHash(db: Handle, hash: string) {
  return db.first(byHash, { hash })
}

export async function insertKey(tx: Tx, key: ApiKeyRow): Promise<void> {
  await insertRow(tx, 'api_keys', key)
}

export async function listLiveKeys(db: Handle, appId: string, now: number) {
  return (await listRows(db, 'api_keys', { app_id: appId, revoked_at: null })).filter(
    ({ expires_at }) => expires_at === null || expires_at > now,
  )
}

const endedOfApp = statement((q, p: { appId: string; now: number; limit: number }) =>
  q
    .selectFrom('api_keys')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where((e) => e.or([e('revoked_at', 'is not', null), e('expires_at', '<=', p.now)]))
    .orderBy('id', 'desc')
    .limit(p.limit),
)

export function listEndedKeys(db: Handle, appId: string, now: number, limit: number) {
  return db.all(endedOfApp, { appId, now, limit })
}

const ofApp = statement((q, p: { id: string; ownerId: string }) =>
  q
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', p.id)
    .where('owner_id', '=', p.ownerId)
    .where('app_id', 'is not', null)
    .$narrowType<{ app_id: string }>(),
)

export function findAppKey(db: Handle, id: string, ownerId: string) {
  return db.first(ofApp, { id, ownerId })
}

export function findLegacyKey(db: Handle, id: string, ownerId: string) {
  return findRow(db, 'api_keys', { id, owner_id: ownerId, app_id: null })
}

export function listLegacyKeys(db: Handle, ownerId: string) {
  return listRows(
    db,
    'api_keys',
    { owner_id: ownerId, app_id: null, revoked_at: null },
    { by: 'id', desc: true },
  )
}

const liveOf = statement((q, p: { ownerId: string; now: number }) =>
  q.selectNoFrom((e) => [
    e
      .selectFrom('api_keys')
      .select((count) => count.fn.countAll<number>().as('count'))
      .where('owner_id', '=', p.ownerId)
      .where('app_id', 'is', null)
      .where('revoked_at', 'is', null)
      .as('legacy'),
    e
      .selectFrom('apps')
      .innerJoin('api_keys', 'api_keys.app_id', 'apps.id')
      .select((count) => count.fn.countAll<number>().as('count'))
      .where('apps.owner_id', '=', p.ownerId)
      .where('apps.deleted_at', 'is', null)
      .where('api_keys.revoked_at', 'is', null)
      .where((or) =>
        or.or([or('api_keys.expires_at', 'is', null), or('api_keys.expires_at', '>', p.now)]),
      )
      .as('of_apps'),
  ]),
)

export async function countLiveKeys(db: Handle, ownerId: string, now: number): Promise<number> {
  const counts = await db.first(liveOf, { ownerId, now })
  return (counts?.legacy ?? 0) + (counts?.of_apps ?? 0)
}

/** Revokes a key. Returns false when it was already revoked. */
export async function updateKeyRevoked(db: Handle, id: string, now: number): Promise<boolean> {
  return (await updateRows(db, 'api_keys', { id, revoked_at: null }, { revoked_at: now })) > 0
}

export async function updateKeysRevoked(tx: Tx, appId: string, now: number): Promise<void> {
  await updateRows(tx, 'api_keys', { app_id: appId, revoked_at: null }, { revoked_at: now })
}

/** Stores the expiry of a key. Returns false when the key was already revoked. */
export async function updateKeyExpiry(tx: Tx, id: string, expiresAt: number): Promise<boolean> {
  return (await updateRows(tx, 'api_keys', { id, revoked_at: null }, { expires_at: expiresAt })) > 0
}

const touch = statement((q, p: { ids: string[]; now: number }, dialect) =>
  q
    .updateTable('api_keys')
    .set({ last_used_at: p.now })
    .where(dialect.anyOf('id', p.ids))
    .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', p.now)])),
)

export async function updateKeysUsed(db: Handle, ids: string[], now: number): Promise<void> {
  await db.run(touch, { ids, now })
}

const end = statement((q, p: { ownerId: string; now: number }) =>
  q
    .updateTable('api_keys')
    .set((e) => ({
      key_name: '',
      revoked_at: e.fn.coalesce('revoked_at', sql<number>`cast(${p.now} as bigint)`),
    }))
    .where('owner_id', '=', p.ownerId),
)

/** Revokes all keys of a user and deletes the names of the keys. */
export async function endKeysOf(tx: Tx, ownerId: string, now: number): Promise<void> {
  await tx.run(end, { ownerId, now })
}
