import { deleteInBatches } from '../db/batches.ts'
import { above, below, atMost } from '../db/conditions.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { insertNew, insertRow, hasRow, deleteRows, addToRows } from '../db/rows.ts'

/** After this many responses that reveal an account, a captcha token becomes invalid. */
const CONFLICTS_MAX = 5

const live = (tokenHash: string, now: number) => ({
  token_hash: tokenHash,
  expires_at: above(now),
  conflicts: below(CONFLICTS_MAX),
})

/** Records that a challenge was solved. Returns false when the challenge was already used. */
export async function insertSolution(tx: Tx, signature: string, expiresAt: number) {
  return insertNew(tx, 'captcha_solutions', { signature, expires_at: expiresAt })
}

export async function insertToken(tx: Tx, tokenHash: string, expiresAt: number): Promise<void> {
  await insertRow(tx, 'captcha_tokens', { token_hash: tokenHash, expires_at: expiresAt })
}

export async function isLiveToken(db: Handle, tokenHash: string, now: number): Promise<boolean> {
  return hasRow(db, 'captcha_tokens', live(tokenHash, now))
}

/** Deletes a valid token. Returns false when there is none. */
export async function deleteToken(tx: Tx, tokenHash: string, now: number): Promise<boolean> {
  return (await deleteRows(tx, 'captcha_tokens', live(tokenHash, now))) > 0
}

/** Counts a response that reveals an account. Returns false when the token was already invalid. */
export async function addConflict(db: Handle, tokenHash: string, now: number): Promise<boolean> {
  return (await addToRows(db, 'captcha_tokens', live(tokenHash, now), { conflicts: 1 })) > 0
}

export async function deleteExpiredCaptchas(db: Handle, now: number): Promise<void> {
  const expired = { expires_at: atMost(now) }
  await deleteInBatches(db, 'captcha_solutions', ['signature'], expired)
  await deleteInBatches(db, 'captcha_tokens', ['token_hash'], expired)
}
