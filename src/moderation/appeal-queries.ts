import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import type { AppealRow, AppealStatus } from '../db/moderation-tables.ts'
import {
  type AsParams,
  pickParams,
  type Query,
  type Range,
  statement,
  statementFamily,
} from '../db/statement.ts'
import type { UserRow } from '../db/tables.ts'

const insert = statement((q, p: AsParams<AppealRow>) =>
  q
    .insertInto('appeals')
    .values(
      pickParams(p, [
        'id',
        'decision_id',
        'user_id',
        'body',
        'status',
        'answer',
        'answered_by',
        'created_at',
        'answered_at',
      ]),
    )
    .onConflict((conflict) => conflict.columns(['decision_id', 'user_id']).doNothing()),
)

/** Returns false when the user has appealed against this decision before. */
export async function insertAppeal(tx: Tx, row: AppealRow): Promise<boolean> {
  return (await tx.run(insert, { ...row })) > 0
}

const grantOpen = statement((q, p: { decisionId: string; answeredBy: string; now: number }) =>
  q
    .updateTable('appeals')
    .set({
      status: 'granted',
      answered_by: sql<string | null>`nullif(${p.answeredBy}, '')`,
      answered_at: p.now,
    })
    .where('decision_id', '=', p.decisionId)
    .where('status', '=', 'open'),
)

/** Grants the open appeals against a decision that was undone. */
export async function grantAppeals(
  tx: Tx,
  decisionId: string,
  answeredBy: string | null,
  now: number,
): Promise<void> {
  await tx.run(grantOpen, { decisionId, answeredBy: answeredBy ?? '', now })
}

const ofUser = statement((q, p: { decisionId: string; userId: string }) =>
  q
    .selectFrom('appeals')
    .selectAll()
    .where('decision_id', '=', p.decisionId)
    .where('user_id', '=', p.userId),
)

export function findAppealAgainst(
  db: Handle,
  decisionId: string,
  userId: string,
): Promise<AppealRow | undefined> {
  return db.first(ofUser, { decisionId, userId })
}

const byId = statement((q, p: { id: string }) =>
  q.selectFrom('appeals').selectAll().where('id', '=', p.id),
)
const locked = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('appeals').selectAll().where('id', '=', p.id)),
)

export function findAppeal(db: Handle, id: string): Promise<AppealRow | undefined> {
  return db.first(byId, { id })
}

export function lockAppeal(tx: Tx, id: string): Promise<AppealRow | undefined> {
  return tx.first(locked, { id })
}

type Answer = Pick<AppealRow, 'id' | 'status'> & { answer: string; answeredBy: string; now: number }

const setAnswer = statement((q, p: AsParams<Answer>) =>
  q
    .updateTable('appeals')
    .set({
      status: p.status,
      answer: p.answer,
      answered_by: p.answeredBy,
      answered_at: p.now,
    })
    .where('id', '=', p.id),
)

export async function updateAnswer(tx: Tx, answer: Answer): Promise<void> {
  await tx.run(setAnswer, { ...answer })
}

function matching(q: Query, { status }: { status: boolean }, p: { status: string }) {
  return q
    .selectFrom('appeals')
    .$if(status, (rows) => rows.where('appeals.status', '=', p.status as AppealStatus))
}

const page = statementFamily((filters: { status: boolean }) =>
  statement((q, p: Range & { status: string }) =>
    matching(q, filters, p)
      .innerJoin('users', 'users.id', 'appeals.user_id')
      .selectAll('appeals')
      .select(['users.handle', 'users.display_name', 'users.avatar_url'])
      .orderBy('appeals.id')
      .limit(p.limit)
      .offset(p.offset),
  ),
)
const total = statementFamily((filters: { status: boolean }) =>
  statement((q, p: { status: string }) =>
    matching(q, filters, p).select((e) => e.fn.countAll<number>().as('total')),
  ),
)

export type AppealListRow = AppealRow & Pick<UserRow, 'handle' | 'display_name' | 'avatar_url'>

/** Returns a page of appeals with their users, oldest first, and the total. */
export async function listAppealRows(
  db: Handle,
  status: AppealStatus | undefined,
  range: Range,
): Promise<{ appeals: AppealListRow[]; total: number }> {
  const filters = { status: status !== undefined }
  const given = { status: status ?? '' }
  const [appeals, count] = await Promise.all([
    db.all(page(filters), { ...given, ...range }),
    db.first(total(filters), given),
  ])
  return { appeals, total: count?.total ?? 0 }
}
