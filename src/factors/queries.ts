import { deleteInBatches } from '../db/batches.ts'
import { atMost, above } from '../db/conditions.ts'
import type { Handle, Tx } from '../db/handle.ts'
import {
  deleteRows,
  findRow,
  hasRow,
  insertNew,
  listRows,
  updateRows,
  putRow,
  changeRow,
  insertAll,
} from '../db/rows.ts'
import type { PasskeyRow, TotpSecretRow } from '../db/factor-tables.ts'

/**
 * Returns the TOTP secret of the user, confirmed or not, or undefined. Requires the lock of the user if the
 * secret will be changed.
 */
export function findTotp(db: Handle, userId: string) {
  return findRow(db, 'totp_secrets', { user_id: userId })
}

/** Inserts or replaces the user's TOTP secret. Requires the user's lock. */
export async function storeTotp(tx: Tx, row: TotpSecretRow): Promise<void> {
  await putRow(tx, 'totp_secrets', ['user_id'], row)
}

export async function deleteTotp(tx: Tx, userId: string): Promise<void> {
  await deleteRows(tx, 'totp_secrets', { user_id: userId })
}

export async function replaceCodes(
  tx: Tx,
  user_id: string,
  hashes: string[],
  now: number,
): Promise<void> {
  await deleteRows(tx, 'recovery_codes', { user_id })
  await insertAll(
    tx,
    'recovery_codes',
    hashes.map((code_hash) => ({ user_id, code_hash, created_at: now })),
  )
}

export async function hasCode(db: Handle, user_id: string, code_hash: string): Promise<boolean> {
  return hasRow(db, 'recovery_codes', { user_id, code_hash })
}

/** Returns false when the user has no such code. */
export async function deleteCode(tx: Tx, user_id: string, code_hash: string): Promise<boolean> {
  return (await deleteRows(tx, 'recovery_codes', { user_id, code_hash })) > 0
}

/** Returns a user's passkeys in the order of their creation. */
export function listPasskeysOf(db: Handle, userId: string) {
  return listRows(db, 'passkeys', { user_id: userId }, { by: 'id' })
}

export function findByCredential(db: Handle, credentialId: string) {
  return findRow(db, 'passkeys', { credential_id: credentialId })
}

/** Inserts a passkey. Returns false when the credential is registered already. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  return insertNew(tx, 'passkeys', row)
}

/** Renames a passkey and returns it, or undefined when the user has no such passkey. */
export function renamePasskey(tx: Tx, id: string, userId: string, name: string) {
  return changeRow(tx, 'passkeys', { id, user_id: userId }, { name })
}

type Use = Pick<PasskeyRow, 'id' | 'sign_count' | 'is_synced' | 'last_used_at'>

/** Stores the last use of a passkey. Returns false when the passkey no longer exists. */
export async function updatePasskeyUse(tx: Tx, row: Use): Promise<boolean> {
  const { id, ...use } = row
  return (await updateRows(tx, 'passkeys', { id }, use)) > 0
}

/** Deletes a passkey. Returns false when the user has no such passkey. */
export async function deletePasskey(tx: Tx, id: string, userId: string): Promise<boolean> {
  return (await deleteRows(tx, 'passkeys', { id, user_id: userId })) > 0
}

/**
 * Deletes the passkeys, recovery codes and TOTP secret that a user added at or after `since` (epoch
 * milliseconds). A confirmed secret counts as added when it was confirmed. The caller holds the user's lock.
 */
export async function deleteFactorRows(tx: Tx, user_id: string, since: number): Promise<void> {
  const created_at = above(since - 1)
  await deleteRows(tx, 'passkeys', { user_id, created_at })
  await deleteRows(tx, 'recovery_codes', { user_id, created_at })
  await deleteRows(tx, 'totp_secrets', { user_id, confirmed_at: created_at })
  await deleteRows(tx, 'totp_secrets', { user_id, confirmed_at: null, created_at })
}

/** Stores a challenge as used. Returns false when it was used before. */
export async function insertUsedChallenge(
  tx: Tx,
  challenge: string,
  expires_at: number,
): Promise<boolean> {
  return insertNew(tx, 'used_challenges', { challenge, expires_at })
}

export async function deleteExpiredChallenges(db: Handle, now: number): Promise<void> {
  await deleteInBatches(db, 'used_challenges', ['challenge'], { expires_at: atMost(now) })
}
