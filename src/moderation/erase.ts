/**
 * Erasure in moderation records. Reports, cases and decisions stay, but lose the erased user as reporter, and the
 * snapshots, excerpts and appeal texts of the erased user. Closes the user's appeals and appeals about erased content.
 */
import { updateSome } from '../db/batches.ts'
import { isIn, not, notNull } from '../db/conditions.ts'
import type { Tx } from '../db/handle.ts'
import { deleteRows, updateRows } from '../db/rows.ts'
import { statement } from '../db/statement.ts'

/** Removes the user as reporter from up to `limit` reports. Returns the number of changed reports. */
export function eraseReporter(tx: Tx, userId: string, limit: number): Promise<number> {
  return updateSome(tx, 'reports', ['id'], { reporter_id: userId }, { reporter_id: null }, limit)
}

/** Deletes the snapshots of up to `limit` cases about a user. Returns the number of changed cases. */
export function eraseSnapshots(tx: Tx, userId: string, limit: number): Promise<number> {
  const about = { subject_user_id: userId, snapshot: notNull }
  return updateSome(tx, 'cases', ['id'], about, { snapshot: null }, limit)
}

/** Deletes the excerpts of up to `limit` decisions about a user. Returns the number of changed decisions. */
export function eraseExcerpts(tx: Tx, userId: string, limit: number): Promise<number> {
  const about = { subject_user_id: userId, excerpt: not('') }
  return updateSome(tx, 'decisions', ['id'], about, { excerpt: '' }, limit)
}

/**
 * Closes a user's open appeals, and deletes the texts of up to `limit` appeals. Returns the number of deleted
 * texts.
 */
export async function eraseAppeals(
  tx: Tx,
  { userId, now }: { userId: string; now: number },
  limit: number,
): Promise<number> {
  const closed = { status: 'closed', answered_at: now } as const
  await updateRows(tx, 'appeals', { user_id: userId, status: 'open' }, closed)
  const written = { user_id: userId, body: not('') }
  return updateSome(tx, 'appeals', ['id'], written, { body: '' }, limit)
}

/** Closes the open appeals about an erased subject. */
export async function closeAppealsAbout(tx: Tx, subjectId: string, now: number): Promise<void> {
  const decision_id = isIn('decisions', 'id', 'subject_id', subjectId)
  const closed = { status: 'closed', answered_at: now } as const
  await updateRows(tx, 'appeals', { status: 'open', decision_id }, closed)
}

const hiddenOf = statement((q, p: { userId: string; limit: number }) =>
  q
    .selectFrom('decisions')
    .innerJoin('hidden_subjects as hidden', 'hidden.decision_id', 'decisions.id')
    .select('hidden.subject_id')
    .where('decisions.subject_user_id', '=', p.userId)
    .where((e) =>
      e.or([e('hidden.subject_id', 'like', 'cmt%'), e('hidden.subject_id', 'like', 'pst%')]),
    )
    .limit(p.limit),
)

/** Returns the ids of up to `limit` comments and posts of a user that decisions hide. */
export async function listHiddenTexts(tx: Tx, userId: string, limit: number): Promise<string[]> {
  return (await tx.all(hiddenOf, { userId, limit })).map(({ subject_id }) => subject_id)
}

/** Deletes the rows that link these erased subjects to the decisions that hide them. The decisions stay. */
export async function deleteHiders(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length > 0) await deleteRows(tx, 'hidden_subjects', { subject_id: ids })
}
