import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import type {
  AppealRow,
  DecisionAction,
  DecisionRow,
  DecisionStatus,
} from '../db/moderation-tables.ts'
import {
  type AsParams,
  pickParams,
  type Query,
  type Range,
  statement,
  statementFamily,
} from '../db/statement.ts'
import type { DecisionListRow } from './decision-schema.ts'

const insertRow = statement((q, p: AsParams<DecisionRow>) =>
  q
    .insertInto('decisions')
    .values(
      pickParams(p, [
        'id',
        'subject_kind',
        'subject_id',
        'subject_user_id',
        'action',
        'reason',
        'rule_id',
        'rule_text',
        'rating',
        'since',
        'excerpt',
        'affected_count',
        'status',
        'decided_by',
        'undone_by',
        'undone_at',
        'created_at',
      ]),
    ),
)
const addUsers = statement((q, p: { decisionId: string; rows: { user_id: string }[] }, dialect) =>
  q
    .insertInto('decision_users')
    .columns(['user_id', 'decision_id'])
    .expression(
      q
        .selectFrom(
          sql<{ user_id: string }>`${dialect.rows(p.rows, { user_id: 'text' })}`.as('rows'),
        )
        .select(['rows.user_id', sql<string>`cast(${p.decisionId} as text)`.as('decision_id')]),
    ),
)

/** Inserts a decision with the users that it affects. */
export async function insertDecision(
  tx: Tx,
  row: DecisionRow,
  userIds: readonly string[],
): Promise<void> {
  await tx.run(insertRow, { ...row })
  if (userIds.length === 0) return
  await tx.run(addUsers, { decisionId: row.id, rows: userIds.map((user_id) => ({ user_id })) })
}

const IN_EFFECT = sql<boolean>`status in ('applying', 'in_effect')`

const inEffect = statement((q, p: { subjectId: string; action: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('decisions')
      .selectAll()
      .where('subject_id', '=', p.subjectId)
      .where('action', '=', p.action as DecisionAction)
      .where(IN_EFFECT)
      .orderBy('id'),
  ),
)

/** Locks and returns the decisions in effect with this action on a subject, oldest first. */
export function lockInEffect(
  tx: Tx,
  subjectId: string,
  action: DecisionAction,
): Promise<DecisionRow[]> {
  return tx.all(inEffect, { subjectId, action })
}

const locked = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('decisions').selectAll().where('id', '=', p.id)),
)

export function lockDecision(tx: Tx, id: string): Promise<DecisionRow | undefined> {
  return tx.first(locked, { id })
}

type Undoing = { id: string; status: DecisionStatus; undoneBy: string; now: number }

const setUndone = statement((q, p: Omit<Undoing, 'undoneBy'> & { undoneBy: string }) =>
  q
    .updateTable('decisions')
    .set({
      status: p.status,
      undone_by: sql<string | null>`nullif(${p.undoneBy}, '')`,
      undone_at: p.now,
    })
    .where('id', '=', p.id),
)

/** Marks a decision as undone, or as `undoing` while a job works. `undoneBy` is null for the operator. */
export async function updateAsUndone(
  tx: Tx,
  { id, status, undoneBy, now }: Omit<Undoing, 'undoneBy'> & { undoneBy: string | null },
): Promise<void> {
  await tx.run(setUndone, { id, status, undoneBy: undoneBy ?? '', now })
}

const affected = statement((q, p: { decisionId: string }) =>
  q.selectFrom('decision_users').select('user_id').where('decision_id', '=', p.decisionId),
)

export async function listAffected(db: Handle, decisionId: string): Promise<string[]> {
  return (await db.all(affected, { decisionId })).map(({ user_id }) => user_id)
}

function records(q: Query) {
  return q
    .selectFrom('decisions')
    .leftJoin('users as subject_user', 'subject_user.id', 'decisions.subject_user_id')
    .leftJoin('users as decider', 'decider.id', 'decisions.decided_by')
    .leftJoin('users as undoer', 'undoer.id', 'decisions.undone_by')
    .selectAll('decisions')
    .select([
      'subject_user.handle as subject_handle',
      'subject_user.display_name as subject_display_name',
      'subject_user.avatar_url as subject_avatar_url',
      'decider.handle as decided_handle',
      'decider.display_name as decided_display_name',
      'decider.avatar_url as decided_avatar_url',
      'undoer.handle as undone_handle',
      'undoer.display_name as undone_display_name',
      'undoer.avatar_url as undone_avatar_url',
    ])
}

const byId = statement((q, p: { id: string }) => records(q).where('decisions.id', '=', p.id))

export function findDecisionRecord(db: Handle, id: string): Promise<DecisionListRow | undefined> {
  return db.first(byId, { id })
}

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  records(q).where(dialect.anyOf('decisions.id', p.ids)).orderBy('decisions.id', 'desc'),
)

/** Newest first. */
export async function listDecisionsById(db: Handle, ids: string[]): Promise<DecisionListRow[]> {
  return ids.length === 0 ? [] : db.all(byIds, { ids })
}

export interface DecisionFilter {
  user?: string | undefined
  action?: string | undefined
  status?: string | undefined
}
type Filters = { [K in keyof DecisionFilter]-?: boolean }
type Given = { user: string; action: string; status: string }

function matching(q: Query, filters: Filters, p: Given) {
  return q
    .selectFrom('decisions')
    .$if(filters.user, (rows) => rows.where('subject_user_id', '=', p.user))
    .$if(filters.action, (rows) => rows.where('action', '=', p.action as DecisionAction))
    .$if(filters.status, (rows) => rows.where('status', '=', p.status as DecisionStatus))
}

const page = statementFamily((filters: Filters) =>
  statement((q, p: Range & Given) =>
    matching(q, filters, p).select('id').orderBy('id', 'desc').limit(p.limit).offset(p.offset),
  ),
)
const total = statementFamily((filters: Filters) =>
  statement((q, p: Given) =>
    matching(q, filters, p).select((e) => e.fn.countAll<number>().as('total')),
  ),
)

/** Returns a page of the decisions that match every given filter, newest first, with the total. */
export async function listDecisionRecords(
  db: Handle,
  { user, action, status }: DecisionFilter,
  range: Range,
): Promise<{ decisions: DecisionListRow[]; total: number }> {
  const filters = {
    user: user !== undefined,
    action: action !== undefined,
    status: status !== undefined,
  }
  const given = { user: user ?? '', action: action ?? '', status: status ?? '' }
  const [ids, count] = await Promise.all([
    db.all(page(filters), { ...given, ...range }),
    db.first(total(filters), given),
  ])
  const decisions = await listDecisionsById(
    db,
    ids.map(({ id }) => id),
  )
  return { decisions, total: count?.total ?? 0 }
}

const own = statement((q, p: Range & { userId: string }) =>
  q
    .selectFrom('decision_users')
    .select('decision_id as id')
    .where('user_id', '=', p.userId)
    .orderBy('decision_id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)
const ownTotal = statement((q, p: { userId: string }) =>
  q
    .selectFrom('decision_users')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('user_id', '=', p.userId),
)

/** Returns a page of the decisions that affect a user, newest first, with the total. */
export async function listDecisionsAbout(db: Handle, userId: string, range: Range) {
  const [ids, count] = await Promise.all([
    db.all(own, { userId, ...range }),
    db.first(ownTotal, { userId }),
  ])
  const decisions = await listDecisionsById(
    db,
    ids.map(({ id }) => id),
  )
  return { decisions, total: count?.total ?? 0 }
}

const affects = statement((q, p: { userId: string; id: string }) =>
  q
    .selectFrom('decision_users')
    .select('decision_id')
    .where('user_id', '=', p.userId)
    .where('decision_id', '=', p.id),
)

export async function isAffectedBy(db: Handle, userId: string, id: string): Promise<boolean> {
  return (await db.first(affects, { userId, id })) !== undefined
}

const appealsOf = statement((q, p: { userId: string; ids: string[] }, dialect) =>
  q
    .selectFrom('appeals')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where(dialect.anyOf('decision_id', p.ids)),
)

/** Returns a user's appeals against these decisions. */
export async function listAppealsAgainst(
  db: Handle,
  userId: string,
  ids: string[],
): Promise<AppealRow[]> {
  return ids.length === 0 ? [] : db.all(appealsOf, { userId, ids })
}

const counts = statement((q, p: { now: number }) =>
  q.selectNoFrom((e) => [
    e
      .selectFrom('cases')
      .select((rows) => rows.fn.countAll<number>().as('n'))
      .where('status', '=', 'open')
      .$asScalar()
      .$notNull()
      .as('open_cases'),
    e
      .selectFrom('appeals')
      .select((rows) => rows.fn.countAll<number>().as('n'))
      .where('status', '=', 'open')
      .$asScalar()
      .$notNull()
      .as('open_appeals'),
    e
      .selectFrom('applications')
      .select((rows) => rows.fn.countAll<number>().as('n'))
      .where('status', '=', sql.lit('pending' as const))
      .where('expires_at', '>', p.now)
      .$asScalar()
      .$notNull()
      .as('open_applications'),
  ]),
)

/** Returns the numbers of open cases, open appeals and pending applications. */
export async function countOpen(db: Handle, now: number) {
  const row = await db.first(counts, { now })
  return row ?? { open_cases: 0, open_appeals: 0, open_applications: 0 }
}
