import { given, notNull, below, isIn } from '../db/conditions.ts'
import type { Handle, Tx } from '../db/handle.ts'
import {
  findRowLocked,
  insertNew,
  insertRow,
  updateRows,
  countRows,
  findRow,
  listColumn,
  listRows,
} from '../db/rows.ts'
import type { CaseRow, ReportRow } from '../db/moderation-tables.ts'
import { type Query, type Range, statement } from '../db/statement.ts'
import { BATCH, inBatches, updateSome } from '../db/batches.ts'
import type { CaseListRow, CaseReportRow } from './schema.ts'

export function findOpenReport(
  db: Handle,
  reporterId: string,
  subjectId: string,
): Promise<ReportRow | undefined> {
  return findRow(db, 'reports', {
    reporter_id: reporterId,
    subject_id: subjectId,
    status: 'open',
  })
}

/** Inserts a report. The caller holds the lock of the report's case, whose counts change. */
export async function insertReport(tx: Tx, row: ReportRow): Promise<void> {
  await insertRow(tx, 'reports', row)
}

/** Returns a page of a user's reports, newest first, with the total. */
export async function listReportsBy(db: Handle, reporterId: string, range: Range) {
  const where = { reporter_id: reporterId }
  const [reports, total] = await Promise.all([
    listRows(db, 'reports', where, { by: 'id', desc: true, ...range }),
    countRows(db, 'reports', where),
  ])
  return { reports, total }
}

/** Inserts a case. Returns false when the subject has an open case already. */
export async function insertCase(tx: Tx, row: CaseRow): Promise<boolean> {
  return insertNew(tx, 'cases', row)
}

/** Locks and returns the open case of a subject, or returns undefined. */
export function lockOpenCase(tx: Tx, subjectId: string): Promise<CaseRow | undefined> {
  return findRowLocked(tx, 'cases', { subject_id: subjectId, status: 'open' })
}

export function lockCase(tx: Tx, id: string): Promise<CaseRow | undefined> {
  return findRowLocked(tx, 'cases', { id })
}

/**
 * Closes a case and its open reports, and returns these reports in their previous state. The caller holds the lock of
 * the case.
 */
export async function updateAsDecided(
  tx: Tx,
  id: string,
  decisionId: string,
  status: 'actioned' | 'dismissed',
  now: number,
) {
  const decided = { decision_id: decisionId, decided_at: now }
  await updateRows(tx, 'cases', { id }, { status: 'decided', ...decided })
  const reports = await listRows(tx, 'reports', { case_id: id, status: 'open' })
  await updateRows(tx, 'reports', { case_id: id, status: 'open' }, { status, decided_at: now })
  return reports
}

export async function updateCaseAssignee(tx: Tx, id: string, userId: string | null): Promise<void> {
  await updateRows(tx, 'cases', { id }, { assignee_id: userId })
}

function records(q: Query) {
  return q
    .selectFrom('cases')
    .leftJoin('users as subject_user', 'subject_user.id', 'cases.subject_user_id')
    .leftJoin('users as assignee', 'assignee.id', 'cases.assignee_id')
    .selectAll('cases')
    .select([
      'subject_user.handle as subject_handle',
      'subject_user.display_name as subject_display_name',
      'subject_user.avatar_url as subject_avatar_url',
      'subject_user.avatar_sizes as subject_avatar_sizes',
      'assignee.handle as assignee_handle',
      'assignee.display_name as assignee_display_name',
      'assignee.avatar_url as assignee_avatar_url',
      'assignee.avatar_sizes as assignee_avatar_sizes',
    ])
}

const byId = statement((q, p: { id: string }) => records(q).where('cases.id', '=', p.id))

export function findCaseRecord(db: Handle, id: string): Promise<CaseListRow | undefined> {
  return db.first(byId, { id })
}

interface CaseFilter {
  status: CaseRow['status']
  kind?: CaseRow['subject_kind'] | undefined
  reason?: ReportRow['reason'] | undefined
  /** Id of the assigned user. Empty text selects cases without an assigned user. */
  assignee?: string | undefined
}
const byIds = statement((q, p: { ids: string[] }, dialect) =>
  records(q).where(dialect.anyOf('cases.id', p.ids)).orderBy('cases.id'),
)

/** Returns a page of the cases that match every filter, oldest first, with the total. */
export async function listCaseRecords(
  db: Handle,
  { status, kind, reason, assignee }: CaseFilter,
  range: Range,
): Promise<{ cases: CaseListRow[]; total: number }> {
  const where = {
    status,
    ...given({ subject_kind: kind, assignee_id: assignee === '' ? null : assignee }),
    ...(reason !== undefined && { id: isIn('case_reasons', 'case_id', 'reason', reason) }),
  }
  const isByReason = reason !== undefined && kind === undefined && assignee === undefined
  const [ids, totals] = await Promise.all([
    isByReason
      ? listColumn(db, 'case_reasons', 'case_id', { reason, status }, { by: 'case_id', ...range })
      : listColumn(db, 'cases', 'id', where, { by: 'id', ...range }),
    listColumn(db, 'case_filter_totals', 'total', {
      status,
      reason: reason ?? '',
      ...given({ subject_kind: kind, assignee_id: assignee }),
    }),
  ])
  const total = totals.reduce((sum, n) => sum + n, 0)
  return { cases: ids.length > 0 ? await db.all(byIds, { ids }) : [], total }
}

/** Returns the number of reports for each of these cases and each reason. */
export function listReasons(db: Handle, ids: string[]) {
  return listRows(db, 'case_reasons', { case_id: ids }, { by: ['case_id', 'reason'] })
}

const ofCase = statement((q, p: { caseId: string; limit: number }) =>
  q
    .selectFrom('reports')
    .leftJoin('users', 'users.id', 'reports.reporter_id')
    .select([
      'reports.id',
      'reports.reporter_id',
      'reports.reason',
      'reports.rule_id',
      'reports.note',
      'reports.created_at',
      'users.handle',
      'users.display_name',
      'users.avatar_url',
      'users.avatar_sizes',
    ])
    .where('reports.case_id', '=', p.caseId)
    .orderBy('reports.id', 'desc')
    .limit(p.limit),
)

export function listReportsOf(db: Handle, caseId: string, limit: number): Promise<CaseReportRow[]> {
  return db.all(ofCase, { caseId, limit })
}

const SNAPSHOT_MS = 180 * 86_400_000

/** Deletes the snapshots of cases 180 days after their decision. */
export async function deleteOldSnapshots(db: Handle, now: number): Promise<void> {
  const old = {
    snapshot: notNull,
    status: 'decided',
    decided_at: below(now - SNAPSHOT_MS),
  } as const
  await inBatches(() => updateSome(db, 'cases', ['id'], old, { snapshot: null }, BATCH))
}
