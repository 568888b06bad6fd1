import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { ApiKeyRow } from '../db/console-tables.ts'
import { ApiError } from '../errors.ts'
import type { Caller, KeyHolder } from '../http/auth.ts'
import { permissionsOf } from '../users/schema.ts'
import type { LastUsed } from './last-used.ts'
import { findKeyByHash, insertKey } from './queries.ts'
import { isRawKey, keyHash, newRawKey, traceOf } from './raw-key.ts'
import { type Scope, scopesOf } from './scopes.ts'

/** Maximum usable keys of an app, and maximum usable legacy keys of a user. */
export const LIVE_KEYS_MAX = 100

/** Fields of a new key. A legacy key has no app, environment, scopes or expiry. */
export type NewKey = Pick<
  ApiKeyRow,
  'owner_id' | 'app_id' | 'key_name' | 'environment' | 'scopes' | 'expires_at'
>

/**
 * Creates a key. Returns its row and the raw key, which is not stored. The caller holds the lock that protects
 * the number of keys.
 */
export async function issueKey(
  tx: Tx,
  input: NewKey,
  now: number,
): Promise<{ row: ApiKeyRow; rawKey: string }> {
  const rawKey = newRawKey(input.environment ?? 'legacy')
  const row: ApiKeyRow = {
    ...input,
    ...traceOf(rawKey),
    id: newId('key', now),
    last_used_at: null,
    revoked_at: null,
    created_at: now,
  }
  await insertKey(tx, row)
  return { row, rawKey }
}

export function isLive(key: Pick<ApiKeyRow, 'revoked_at' | 'expires_at'>, now: number): boolean {
  return key.revoked_at === null && (key.expires_at === null || key.expires_at > now)
}

/**
 * Returns the user of a key. Returns undefined when the key is invalid, revoked or expired, or its user is
 * suspended. Reads the database each time, so that a revocation takes effect at once.
 */
export async function findKeyHolder(
  db: Handle,
  rawKey: string,
  now: number,
  lastUsed: LastUsed,
): Promise<KeyHolder | undefined> {
  if (!isRawKey(rawKey)) return undefined
  const row = await findKeyByHash(db, keyHash(rawKey))
  if (!row || row.is_suspended || !isLive(row, now)) return undefined
  lastUsed.note(row.key_id, row.last_used_at, now)
  const { id, handle, role, tier, environment } = row
  const scopes = row.scopes === null ? null : allowedNow(row.scopes, row.app_scopes ?? '[]')
  return {
    id,
    handle,
    role,
    tier,
    permissions: permissionsOf(row),
    isVerified: row.email_verified === 1,
    key: { id: row.key_id, environment, scopes },
  }
}

function allowedNow(ofKey: string, ofApp: string): Scope[] {
  const allowed = scopesOf(ofApp)
  return scopesOf(ofKey).filter((scope) => allowed.includes(scope))
}

/**
 * Returns a check for a route: undefined for sessions and for keys with this scope, otherwise
 * INSUFFICIENT_SCOPE. Legacy keys have no scopes and fail the check.
 */
export function needsScope(scope: Scope) {
  return ({ viewer: { key } }: { viewer: Caller }) =>
    key === null || key.scopes?.includes(scope) ? undefined : 'INSUFFICIENT_SCOPE'
}

/** Rejects an app key that lacks one of the scopes. Errors: 403 INSUFFICIENT_SCOPE. */
export function requireScopes(caller: Caller, scopes: readonly Scope[]): void {
  if (!hasScopes(caller, scopes)) throw new ApiError('INSUFFICIENT_SCOPE')
}

/** True when the key has all scopes. Always true for sessions and legacy keys, which have no scopes. */
export function hasScopes({ key }: Caller, scopes: readonly Scope[]): boolean {
  return !key?.scopes || scopes.every((scope) => key.scopes?.includes(scope))
}
