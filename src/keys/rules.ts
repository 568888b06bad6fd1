/** The rules that both systems of keys share: making one, calling with one, ending one. */
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { ApiKeyRow } from '../db/console-tables.ts'
import { ApiError } from '../errors.ts'
import type { Caller, KeyHolder } from '../http/auth.ts'
import type { LastUsed } from './last-used.ts'
import { findKeyByHash, insertKey } from './queries.ts'
import { isRawKey, keyHash, newRawKey, traceOf } from './raw-key.ts'
import { type Scope, scopesOf } from './scopes.ts'

/** Keys that work at once, for an app and, legacy ones, for a person. */
export const LIVE_KEYS_MAX = 100

/** What a key is made of; a legacy one has neither app nor environment, scopes nor an end. */
export type NewKey = Pick<
  ApiKeyRow,
  'owner_id' | 'app_id' | 'key_name' | 'environment' | 'scopes' | 'expires_at'
>

/** Makes a key. Its raw value is in what this returns and nowhere else. The caller holds the lock under which keys are counted. */
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

/** The person in whose name a key calls, as of now: what ends or stops a key holds from the next request on. */
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
  return { id, handle, role, tier, key: { id: row.key_id, environment, scopes } }
}

/** What both a key and its app allow. */
function allowedNow(ofKey: string, ofApp: string): Scope[] {
  const allowed = scopesOf(ofApp)
  return scopesOf(ofKey).filter((scope) => allowed.includes(scope))
}

/** Errors: 403 INSUFFICIENT_SCOPE for a key of an app that lacks one; sessions and legacy keys need none. */
export function requireScopes(caller: Caller, scopes: readonly Scope[]): void {
  if (!hasScopes(caller, scopes)) throw new ApiError('INSUFFICIENT_SCOPE')
}

/** True for sessions and legacy keys, which need none. */
export function hasScopes({ key }: Caller, scopes: readonly Scope[]): boolean {
  return !key?.scopes || scopes.every((scope) => key.scopes?.includes(scope))
}
