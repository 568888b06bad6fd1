/** Legacy API keys belong to a user. They have no app and no scopes. */
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { findLegacyKey, listLegacyKeys, updateKeyRevoked } from '../keys/queries.ts'
import { issueKey, LIVE_KEYS_MAX } from '../keys/rules.ts'
import { findUserLocked } from '../users/accounts.ts'
import { toLegacyKey } from './schema.ts'

/** Creates a legacy key, and returns the key and its raw value. Errors: 409 LIMIT_REACHED. */
export function createLegacyKey(db: Handle, viewer: Viewer, keyName: string, now: number) {
  return db.transaction(async (tx) => {
    await findUserLocked(tx, viewer.id)
    const live = await listLegacyKeys(tx, viewer.id)
    if (live.length >= LIVE_KEYS_MAX) throw new ApiError('LIMIT_REACHED')
    const legacy = { app_id: null, environment: null, scopes: null, expires_at: null }
    const input = { ...legacy, owner_id: viewer.id, key_name: keyName }
    const { row, rawKey } = await issueKey(tx, input, now)
    return { key: toLegacyKey(row), raw_key: rawKey }
  })
}

/** Revokes a legacy key immediately and permanently. Errors: 404 KEY_NOT_FOUND. */
export async function revokeLegacyKey(
  db: Handle,
  viewer: Viewer,
  id: string,
  now: number,
): Promise<void> {
  if (!(await findLegacyKey(db, id, viewer.id))) throw new ApiError('KEY_NOT_FOUND')
  await updateKeyRevoked(db, id, now)
}
