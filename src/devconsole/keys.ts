/**
 * API keys of apps. Counting, creating and rotating keys requires the lock of the app's row. Revoking a key needs no
 * lock, because a revoked key never becomes valid again.
 */
import type { Handle } from '../db/handle.ts'
import type { AppRow } from '../db/console-tables.ts'
import { isId } from '../db/ids.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import {
  findAppKey,
  listEndedKeys,
  listLiveKeys,
  updateKeyExpiry,
  updateKeyRevoked,
} from '../keys/queries.ts'
import { isLive, issueKey, LIVE_KEYS_MAX } from '../keys/rules.ts'
import { type Scope, scopesOf, scopesToJson } from '../keys/scopes.ts'
import { findAppLocked } from './queries.ts'
import { requireApp } from './rules.ts'
import { parseTime } from '../http/times.ts'
import { type CreateKeyInput, type KeyRecord, toKey } from './schema.ts'

const ENDED_SHOWN = 100

export interface IssuedKey {
  key: KeyRecord
  raw_key: string
}

/**
 * Returns an app's active keys and at most ENDED_SHOWN keys that have ended, newest first. Errors: 404 APP_NOT_FOUND.
 */
export async function listKeys(
  db: Handle,
  viewer: Viewer,
  appId: string,
  now: number,
): Promise<KeyRecord[]> {
  await requireApp(db, viewer, appId)
  const live = await listLiveKeys(db, appId, now)
  const ended = await listEndedKeys(db, appId, now, ENDED_SHOWN)
  return [...live, ...ended].sort((a, b) => (a.id < b.id ? 1 : -1)).map(toKey)
}

/**
 * Creates a key and returns it with its raw value. `scopes` defaults to those of the app.
 * Errors: 422 when `expires_at` is in the past or the app lacks a scope; 404 APP_NOT_FOUND; 409 LIMIT_REACHED.
 */
export function createKey(
  db: Handle,
  viewer: Viewer,
  appId: string,
  input: CreateKeyInput,
  now: number,
): Promise<IssuedKey> {
  const expires_at = input.expires_at ? (parseTime(input.expires_at) ?? 0) : null
  if (expires_at !== null && expires_at <= now) throw invalid('expires_at', 'invalid.past')
  if (!isId('app', appId)) throw new ApiError('APP_NOT_FOUND')
  return db.transaction(async (tx) => {
    const app = await findAppLocked(tx, appId, viewer.id)
    if (!app) throw new ApiError('APP_NOT_FOUND')
    if (input.scopes) requireScopesOfApp(app, input.scopes)
    const live = await listLiveKeys(tx, appId, now)
    if (live.length >= LIVE_KEYS_MAX) throw new ApiError('LIMIT_REACHED')
    const { row, rawKey } = await issueKey(
      tx,
      {
        owner_id: viewer.id,
        app_id: appId,
        key_name: input.key_name,
        environment: input.environment,
        scopes: input.scopes ? scopesToJson(input.scopes) : app.scopes,
        expires_at,
      },
      now,
    )
    return { key: toKey(row), raw_key: rawKey }
  })
}

function requireScopesOfApp(app: AppRow, scopes: readonly Scope[]): void {
  const allowed = scopesOf(app.scopes)
  const problems = [...scopes.entries()]
    .filter(([, scope]) => !allowed.includes(scope))
    .map(([index]) => ({ field: `scopes.${index}`, key: 'invalid.scope_of_app' as const }))
  if (problems.length > 0) throw new ApiError('VALIDATION_ERROR', { problems })
}

/**
 * Creates a copy of a key and returns it with its raw value. The old key ends after `overlapMs`, or earlier at its
 * expiry.
 * Errors: 404 KEY_NOT_FOUND, also for a key that has ended; 409 LIMIT_REACHED when the overlap would exceed the
 * limit.
 */
export function rotateKey(
  db: Handle,
  viewer: Viewer,
  id: string,
  overlapMs: number,
  now: number,
): Promise<IssuedKey> {
  return db.transaction(async (tx) => {
    const found = await findAppKey(tx, id, viewer.id)
    if (!found || !(await findAppLocked(tx, found.app_id, viewer.id))) {
      throw new ApiError('KEY_NOT_FOUND')
    }
    // Reads the key again, because another request may have rotated it while this one waited for the lock.
    const old = await findAppKey(tx, id, viewer.id)
    if (!old || !isLive(old, now)) throw new ApiError('KEY_NOT_FOUND')
    if (overlapMs > 0 && (await listLiveKeys(tx, old.app_id, now)).length >= LIVE_KEYS_MAX) {
      throw new ApiError('LIMIT_REACHED')
    }
    const end = Math.min(now + overlapMs, old.expires_at ?? Infinity)
    const ended = overlapMs > 0 ? updateKeyExpiry(tx, id, end) : updateKeyRevoked(tx, id, now)
    if (!(await ended)) throw new ApiError('KEY_NOT_FOUND')
    const { owner_id, app_id, key_name, environment, scopes, expires_at } = old
    const like = { owner_id, app_id, key_name, environment, scopes, expires_at }
    const { row, rawKey } = await issueKey(tx, like, now)
    return { key: toKey(row), raw_key: rawKey }
  })
}

/** Revokes a key immediately and permanently. Errors: 404 KEY_NOT_FOUND. */
export async function revokeKey(
  db: Handle,
  viewer: Viewer,
  id: string,
  now: number,
): Promise<void> {
  if (!(await findAppKey(db, id, viewer.id))) throw new ApiError('KEY_NOT_FOUND')
  await updateKeyRevoked(db, id, now)
}
