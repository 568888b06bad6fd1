import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { PasskeyRow } from '../db/factor-tables.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { findUser } from '../users/accounts.ts'
import { CHALLENGE_TTL, spendChallenge } from './challenges.ts'
import { announce, issueFirstCodes, type AlertContext } from './change.ts'
import { lockProven, type Proof } from './confirm.ts'
import {
  deletePasskey,
  findByCredential,
  insertPasskey,
  listPasskeysOf,
  renamePasskey,
  updatePasskeyUse,
} from './queries.ts'
import { toPasskey } from './schema.ts'
import {
  creationOptions,
  type NewPasskey,
  type PasskeyUse,
  requestOptions,
  verifyCreation,
  verifyUse,
  type WebauthnSettings,
} from './webauthn.ts'

const PASSKEYS_MAX = 20

export async function listPasskeys(db: Handle, viewer: Viewer) {
  return { passkeys: (await listPasskeysOf(db, viewer.id)).map(toPasskey) }
}

/**
 * Returns the options for creating a passkey in the browser. Errors: 401 UNAUTHORIZED when the account no longer
 * exists; 409 LIMIT_REACHED.
 */
export async function getCreationOptions(
  db: Handle,
  settings: WebauthnSettings,
  viewer: Viewer,
  siteName: string,
  now: number,
) {
  const [user, existing] = await Promise.all([
    findUser(db, viewer.id),
    listPasskeysOf(db, viewer.id),
  ])
  if (!user) throw new ApiError('UNAUTHORIZED')
  if (existing.length >= PASSKEYS_MAX) throw new ApiError('LIMIT_REACHED')
  const options = await creationOptions(settings, user, { siteName, existing }, now)
  return { options, expires_in: CHALLENGE_TTL }
}

/** Returns the options for signing in with a passkey in the browser. */
export async function getRequestOptions(settings: WebauthnSettings, now: number) {
  return { options: await requestOptions(settings, now), expires_in: CHALLENGE_TTL }
}

/**
 * Verifies the browser's response for a new passkey. Pass the result to `createPasskey`. Errors: 422
 * PASSKEY_INVALID.
 */
export async function verifyNewPasskey(
  settings: WebauthnSettings,
  viewer: Viewer,
  credential: RegistrationResponseJSON,
  now: number,
): Promise<NewPasskey> {
  const verified = await verifyCreation(settings, viewer.id, credential, now)
  if (!verified) throw new ApiError('PASSKEY_INVALID')
  return verified
}

/**
 * Stores a verified passkey and informs the user. Returns the passkey and new recovery codes (null if the user
 * already had some). Errors:
 * - 401 UNAUTHORIZED when the account no longer exists;
 * - 409 LIMIT_REACHED;
 * - 422 PASSKEY_INVALID when the passkey is registered already or its challenge was used before.
 */
export function createPasskey(
  db: Handle,
  viewer: Viewer,
  name: string,
  { challenge, ...verified }: NewPasskey,
  alertContext: AlertContext,
) {
  const { now } = alertContext
  return db.transaction(async (tx) => {
    const user = await lockProven(tx, viewer)
    const passkey = {
      ...verified,
      id: newId('pky', now),
      user_id: user.id,
      name,
      created_at: now,
      last_used_at: null,
    }
    const isNew =
      (await spendChallenge(tx, challenge)) && !(await findByCredential(tx, passkey.credential_id))
    if (!isNew) throw new ApiError('PASSKEY_INVALID')
    if (user.passkey_count >= PASSKEYS_MAX) throw new ApiError('LIMIT_REACHED')
    // Another user may have registered the same credential since the check.
    if (!(await insertPasskey(tx, passkey))) throw new ApiError('PASSKEY_INVALID')
    const recovery_codes = await issueFirstCodes(tx, user, now)
    await announce(tx, user, 'passkey_added', alertContext)
    return { passkey: toPasskey(passkey), recovery_codes }
  })
}

/** Renames a passkey. Errors: 404 PASSKEY_NOT_FOUND, also for a passkey of another user. */
export async function updatePasskey(db: Handle, viewer: Viewer, id: string, name: string) {
  const passkey = await db.transaction((tx) => renamePasskey(tx, id, viewer.id, name))
  if (!passkey) throw new ApiError('PASSKEY_NOT_FOUND')
  return { passkey: toPasskey(passkey) }
}

/**
 * Removes a passkey and informs the user. Recovery codes stay. Errors: those of `lockProven`; 404
 * PASSKEY_NOT_FOUND, also for a passkey of another user.
 */
export function removePasskey(
  db: Handle,
  viewer: Viewer,
  id: string,
  proof: Proof,
  alertContext: AlertContext,
): Promise<void> {
  return db.transaction(async (tx) => {
    const user = await lockProven(tx, viewer, proof)
    if (!(await deletePasskey(tx, id, user.id))) throw new ApiError('PASSKEY_NOT_FOUND')
    await announce(tx, user, 'passkey_removed', alertContext)
  })
}

/** Returns the passkey that a WebAuthn response names, or undefined. The response is not verified yet. */
export function findClaimed(db: Handle, { id }: AuthenticationResponseJSON) {
  return findByCredential(db, id)
}

/**
 * Verifies a WebAuthn response of a passkey. Pass the result to `usePasskey`. Returns undefined for an invalid
 * response or an unknown passkey.
 */
export function verifyPasskeyUse(
  settings: WebauthnSettings,
  passkey: PasskeyRow | undefined,
  credential: AuthenticationResponseJSON,
  now: number,
): Promise<PasskeyUse | undefined> {
  return passkey ? verifyUse(settings, passkey, credential, now) : Promise.resolve(undefined)
}

/**
 * Stores a verified use of a passkey. Returns false when the challenge was used before, or the passkey was
 * removed.
 */
export async function usePasskey(
  tx: Tx,
  { id }: PasskeyRow,
  { challenge, ...use }: PasskeyUse,
  now: number,
): Promise<boolean> {
  if (!(await spendChallenge(tx, challenge))) return false
  return updatePasskeyUse(tx, { ...use, id, last_used_at: now })
}
