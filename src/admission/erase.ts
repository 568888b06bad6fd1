import { deleteSome, updateSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'
import { notNull } from '../db/conditions.ts'

/** Deletes the application from which the user's account was created. Returns the number of deleted rows. */
export function eraseApplications(tx: Tx, user_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'applications', ['id'], { user_id }, limit)
}

/**
 * Revokes up to `limit` invites of a user, and deletes the notes of up to `limit` invites. Returns the sum of both
 * numbers.
 */
export async function endInvites(
  tx: Tx,
  created_by: string,
  now: number,
  limit: number,
): Promise<number> {
  const live = { created_by, revoked_at: null }
  const ended = await updateSome(tx, 'invites', ['id'], live, { revoked_at: now }, limit)
  const noted = { created_by, note: notNull }
  return ended + (await updateSome(tx, 'invites', ['id'], noted, { note: null }, limit))
}
