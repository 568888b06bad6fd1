import { given, notNull } from '../db/conditions.ts'
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import {
  findRow,
  findRowLocked,
  hasRow,
  insertRow,
  listRows,
  countRows,
  insertAll,
  listColumn,
  listPage,
  updateRows,
  listRowsLocked,
} from '../db/rows.ts'
import type {
  AppealRow,
  DecisionAction,
  DecisionRow,
  DecisionStatus,
} from '../db/moderation-tables.ts'
import { type Query, type Range, statement } from '../db/statement.ts'
import type { DecisionListRow } from './decision-schema.ts'

/** Inserts a decision with the users that it affects. */
export async function insertDecision(
  tx: Tx,
  row: DecisionRow,
  userIds: readonly string[],
): Promise<void> {
  await insertRow(tx, 'decisions', row)
  await insertAll(
    tx,
    'decision_users',
    userIds.map((user_id) => ({ user_id, decision_id: row.id })),
  )
}

/**
 * Locks and returns the decisions with this action on a subject that are in effect or being applied, oldest
 * first.
 */
export function lockInEffect(
  tx: Tx,
  subjectId: string,
  action: DecisionAction,
): Promise<DecisionRow[]> {
  const where = { subject_id: subjectId, action, status: ['applying', 'in_effect'] as const }
  return listRowsLocked(tx, 'decisions', where, 'id')
}

export function lockDecision(tx: Tx, id: string): Promise<DecisionRow | undefined> {
  return findRowLocked(tx, 'decisions', { id })
}

/**
 * Marks a decision as undone, or as `undoing` while a job takes back its effects. `undoneBy` is null for the
 * operator.
 */
export async function updateAsUndone(
  tx: Tx,
  {
    id,
    status,
    undoneBy,
    now,
  }: {
    id: string
    status: DecisionStatus
    undoneBy: string | null
    now: number
  },
): Promise<void> {
  await updateRows(tx, 'decisions', { id }, { status, undone_by: undoneBy, undone_at: now })
}

export async function listAffected(db: Handle, decisionId: string): Promise<string[]> {
  return listColumn(db, 'decision_users', 'user_id', { decision_id: decisionId })
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
      'subject_user.avatar_sizes as subject_avatar_sizes',
      'decider.handle as decided_handle',
      'decider.display_name as decided_display_name',
      'decider.avatar_url as decided_avatar_url',
      'decider.avatar_sizes as decided_avatar_sizes',
      'undoer.handle as undone_handle',
      'undoer.display_name as undone_display_name',
      'undoer.avatar_url as undone_avatar_url',
      'undoer.avatar_sizes as undone_avatar_sizes',
    ])
}

const byId = statement((q, p: { id: string }) => records(q).where('decisions.id', '=', p.id))

export function findDecisionRecord(db: Handle, id: string): Promise<DecisionListRow | undefined> {
  return db.first(byId, { id })
}

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  records(q).where(dialect.anyOf('decisions.id', p.ids)).orderBy('decisions.id', 'desc'),
)

/** Returns the decisions with these ids, newest first. */
export async function listDecisionsById(db: Handle, ids: string[]): Promise<DecisionListRow[]> {
  return ids.length === 0 ? [] : db.all(byIds, { ids })
}

export interface DecisionFilter {
  user?: string | undefined
  action?: DecisionAction | undefined
  status?: DecisionStatus | undefined
}
/** Returns a page of the decisions that match every given filter, newest first, with the total. */
export async function listDecisionRecords(
  db: Handle,
  { user, action, status }: DecisionFilter,
  range: Range,
): Promise<{ decisions: DecisionListRow[]; total: number }> {
  const where = given({ subject_user_id: user, action, status })
  const { ids, total } = await listPage(db, 'decisions', where, { by: 'id', desc: true, ...range })
  return { decisions: await listDecisionsById(db, ids), total }
}

/** Returns a page of the decisions that affect a user, newest first, with the total. */
export async function listDecisionsAbout(db: Handle, userId: string, range: Range) {
  const where = { user_id: userId }
  const newest = { by: 'decision_id', desc: true, ...range } as const
  const [ids, total] = await Promise.all([
    listColumn(db, 'decision_users', 'decision_id', where, newest),
    countRows(db, 'decision_users', where),
  ])
  return { decisions: await listDecisionsById(db, ids), total }
}

export async function isAffectedBy(db: Handle, userId: string, id: string): Promise<boolean> {
  return hasRow(db, 'decision_users', { user_id: userId, decision_id: id })
}

/** Returns the appeals of a user against the decisions with these ids. */
export async function listAppealsAgainst(
  db: Handle,
  userId: string,
  ids: string[],
): Promise<AppealRow[]> {
  return ids.length === 0 ? [] : listRows(db, 'appeals', { user_id: userId, decision_id: ids })
}

const counts = statement((q, p: { now: number }) =>
  q.selectNoFrom((e) => [
    e
      .selectFrom('case_totals')
      .select(sql<number>`cast(coalesce(sum(total), 0) as bigint)`.as('n'))
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

/**
 * Returns the texts of a rule of the site as JSON of `LocalText`, or undefined for unknown and removed rules.
 */
export async function findRuleText(db: Handle, id: string): Promise<string | undefined> {
  return (await findRow(db, 'site_rules', { id, position: notNull }))?.text
}
