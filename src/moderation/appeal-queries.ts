import { given } from '../db/conditions.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { findRow, findRowLocked, updateRows, insertNew, listPage } from '../db/rows.ts'
import type { AppealRow, AppealStatus } from '../db/moderation-tables.ts'
import { type Range, statement } from '../db/statement.ts'
import type { UserRow } from '../db/tables.ts'

/** Inserts an appeal. Returns false when the user has appealed against this decision before. */
export async function insertAppeal(tx: Tx, row: AppealRow): Promise<boolean> {
  return insertNew(tx, 'appeals', row)
}

/** Grants the open appeals against a decision that was undone. */
export async function grantAppeals(
  tx: Tx,
  decisionId: string,
  answeredBy: string | null,
  now: number,
): Promise<void> {
  const granted = { status: 'granted', answered_by: answeredBy, answered_at: now } as const
  await updateRows(tx, 'appeals', { decision_id: decisionId, status: 'open' }, granted)
}

/** Moves the open appeals against a decision to the decision that replaces it. */
export async function moveAppeals(tx: Tx, fromId: string, toId: string): Promise<void> {
  await updateRows(tx, 'appeals', { decision_id: fromId, status: 'open' }, { decision_id: toId })
}

export function findAppealAgainst(
  db: Handle,
  decisionId: string,
  userId: string,
): Promise<AppealRow | undefined> {
  return findRow(db, 'appeals', { decision_id: decisionId, user_id: userId })
}

export function findAppeal(db: Handle, id: string): Promise<AppealRow | undefined> {
  return findRow(db, 'appeals', { id })
}

export function lockAppeal(tx: Tx, id: string): Promise<AppealRow | undefined> {
  return findRowLocked(tx, 'appeals', { id })
}

type Answer = Pick<AppealRow, 'id' | 'status'> & { answer: string; answeredBy: string; now: number }

export async function updateAnswer(tx: Tx, answer: Answer): Promise<void> {
  const { id, status, answer: text, answeredBy, now } = answer
  const answered = { answer: text, answered_by: answeredBy, answered_at: now }
  await updateRows(tx, 'appeals', { id }, { status, ...answered })
}

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  q
    .selectFrom('appeals')
    .innerJoin('users', 'users.id', 'appeals.user_id')
    .selectAll('appeals')
    .select(['users.handle', 'users.display_name', 'users.avatar_url', 'users.avatar_sizes'])
    .where(dialect.anyOf('appeals.id', p.ids))
    .orderBy('appeals.id'),
)

export type AppealListRow = AppealRow &
  Pick<UserRow, 'handle' | 'display_name' | 'avatar_url' | 'avatar_sizes'>

/** Returns a page of appeals with their users, oldest first, and the total. */
export async function listAppealRows(
  db: Handle,
  status: AppealStatus | undefined,
  range: Range,
): Promise<{ appeals: AppealListRow[]; total: number }> {
  const { ids, total } = await listPage(db, 'appeals', given({ status }), { by: 'id', ...range })
  return { appeals: await db.all(byIds, { ids }), total }
}
