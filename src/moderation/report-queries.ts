import type { Handle, Tx } from '../db/handle.ts'
import type { CaseRow, ReportRow } from '../db/moderation-tables.ts'
import {
  type AsParams,
  pickParams,
  type Query,
  type Range,
  statement,
  statementFamily,
} from '../db/statement.ts'
import { BATCH, inBatches } from '../db/batches.ts'
import { sql } from 'kysely'
import type { CaseListRow, CaseReportRow } from './schema.ts'

const OPEN = sql.lit('open' as const)
const DECIDED = sql.lit('decided' as const)

const openReport = statement((q, p: { reporterId: string; subjectId: string }) =>
  q
    .selectFrom('reports')
    .selectAll()
    .where('reporter_id', '=', p.reporterId)
    .where('subject_id', '=', p.subjectId)
    .where('status', '=', OPEN),
)

export function findOpenReport(
  db: Handle,
  reporterId: string,
  subjectId: string,
): Promise<ReportRow | undefined> {
  return db.first(openReport, { reporterId, subjectId })
}

const insert = statement((q, p: AsParams<ReportRow>) =>
  q
    .insertInto('reports')
    .values(
      pickParams(p, [
        'id',
        'reporter_id',
        'subject_kind',
        'subject_id',
        'case_id',
        'reason',
        'rule_id',
        'note',
        'status',
        'created_at',
        'decided_at',
      ]),
    ),
)

/** Inserts a report. The caller holds the lock of the report's case, whose counts change. */
export async function insertReport(tx: Tx, row: ReportRow): Promise<void> {
  await tx.run(insert, { ...row })
}

const mine = statement((q, p: Range & { reporterId: string }) =>
  q
    .selectFrom('reports')
    .selectAll()
    .where('reporter_id', '=', p.reporterId)
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)
const mineTotal = statement((q, p: { reporterId: string }) =>
  q
    .selectFrom('reports')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('reporter_id', '=', p.reporterId),
)

/** Returns a page of a user's reports, newest first, with the total. */
export async function listReportsBy(db: Handle, reporterId: string, range: Range) {
  const [reports, count] = await Promise.all([
    db.all(mine, { reporterId, ...range }),
    db.first(mineTotal, { reporterId }),
  ])
  return { reports, total: count?.total ?? 0 }
}

const insertCaseRow = statement((q, p: AsParams<CaseRow>) =>
  q
    .insertInto('cases')
    .values(
      pickParams(p, [
        'id',
        'subject_kind',
        'subject_id',
        'subject_user_id',
        'snapshot',
        'report_count',
        'status',
        'assignee_id',
        'decision_id',
        'opened_at',
        'decided_at',
      ]),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Returns false when the subject has an open case. */
export async function insertCase(tx: Tx, row: CaseRow): Promise<boolean> {
  return (await tx.run(insertCaseRow, { ...row })) > 0
}

const openCase = statement((q, p: { subjectId: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('cases')
      .selectAll()
      .where('subject_id', '=', p.subjectId)
      .where('status', '=', OPEN),
  ),
)

/** Locks the open case of a subject until the transaction ends, and returns it. */
export function lockOpenCase(tx: Tx, subjectId: string): Promise<CaseRow | undefined> {
  return tx.first(openCase, { subjectId })
}

const lockedCase = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('cases').selectAll().where('id', '=', p.id)),
)

export function lockCase(tx: Tx, id: string): Promise<CaseRow | undefined> {
  return tx.first(lockedCase, { id })
}

const decide = statement((q, p: { id: string; decisionId: string; now: number }) =>
  q
    .updateTable('cases')
    .set({ status: DECIDED, decision_id: p.decisionId, decided_at: p.now })
    .where('id', '=', p.id),
)
const decideReports = statement(
  (q, p: { caseId: string; status: ReportRow['status']; now: number }) =>
    q
      .updateTable('reports')
      .set({ status: p.status, decided_at: p.now })
      .where('case_id', '=', p.caseId)
      .where('status', '=', OPEN)
      .returning(['id', 'reporter_id']),
)

/** Closes a case and its reports, and returns the reports. The caller holds the lock of the case. */
export async function updateAsDecided(
  tx: Tx,
  id: string,
  decisionId: string,
  status: 'actioned' | 'dismissed',
  now: number,
) {
  await tx.run(decide, { id, decisionId, now })
  return tx.all(decideReports, { caseId: id, status, now })
}

const assign = statement((q, p: { id: string; userId: string }) =>
  q.updateTable('cases').set({ assignee_id: p.userId }).where('id', '=', p.id),
)
const unassign = statement((q, p: { id: string }) =>
  q.updateTable('cases').set({ assignee_id: null }).where('id', '=', p.id),
)

export async function updateCaseAssignee(tx: Tx, id: string, userId: string | null): Promise<void> {
  await (userId === null ? tx.run(unassign, { id }) : tx.run(assign, { id, userId }))
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
      'assignee.handle as assignee_handle',
      'assignee.display_name as assignee_display_name',
      'assignee.avatar_url as assignee_avatar_url',
    ])
}

const byId = statement((q, p: { id: string }) => records(q).where('cases.id', '=', p.id))

export function findCaseRecord(db: Handle, id: string): Promise<CaseListRow | undefined> {
  return db.first(byId, { id })
}

interface CaseFilter {
  status: 'open' | 'decided'
  kind?: string | undefined
  reason?: string | undefined
  /** Id of the assigned user; empty for cases without one. */
  assignee?: string | undefined
}
interface CaseFilters {
  kind: boolean
  reason: boolean
  assignee: 'user' | 'none' | undefined
}
type Given = { status: string; kind: string; reason: string; assignee: string }

function matching(q: Query, { kind, reason, assignee }: CaseFilters, p: Given) {
  return q
    .selectFrom('cases')
    .where('cases.status', '=', p.status as CaseRow['status'])
    .$if(kind, (rows) => rows.where('cases.subject_kind', '=', p.kind as CaseRow['subject_kind']))
    .$if(assignee === 'user', (rows) => rows.where('cases.assignee_id', '=', p.assignee))
    .$if(assignee === 'none', (rows) => rows.where('cases.assignee_id', 'is', null))
    .$if(reason, (rows) =>
      rows.where((e) =>
        e.exists(
          e
            .selectFrom('case_reasons')
            .select('case_id')
            .whereRef('case_reasons.case_id', '=', 'cases.id')
            .where('case_reasons.reason', '=', p.reason as ReportRow['reason']),
        ),
      ),
    )
}

const page = statementFamily((filters: CaseFilters) =>
  statement((q, p: Range & Given) =>
    matching(q, filters, p).select('cases.id').orderBy('cases.id').limit(p.limit).offset(p.offset),
  ),
)
const total = statementFamily((filters: CaseFilters) =>
  statement((q, p: Given) =>
    matching(q, filters, p).select((e) => e.fn.countAll<number>().as('total')),
  ),
)
const byIds = statement((q, p: { ids: string[] }, dialect) =>
  records(q).where(dialect.anyOf('cases.id', p.ids)).orderBy('cases.id'),
)

/** Returns a page of the cases that match every filter, oldest first, with the total. */
export async function listCaseRecords(
  db: Handle,
  { status, kind, reason, assignee }: CaseFilter,
  range: Range,
): Promise<{ cases: CaseListRow[]; total: number }> {
  const filters: CaseFilters = {
    kind: kind !== undefined,
    reason: reason !== undefined,
    assignee: assignee === undefined ? undefined : assignee === '' ? 'none' : 'user',
  }
  const given = { status, kind: kind ?? '', reason: reason ?? '', assignee: assignee ?? '' }
  const [ids, count] = await Promise.all([
    db.all(page(filters), { ...given, ...range }),
    db.first(total(filters), given),
  ])
  const cases = ids.length > 0 ? await db.all(byIds, { ids: ids.map(({ id }) => id) }) : []
  return { cases, total: count?.total ?? 0 }
}

const reasons = statement((q, p: { ids: string[] }, dialect) =>
  q
    .selectFrom('case_reasons')
    .select(['case_id', 'reason', 'total'])
    .where(dialect.anyOf('case_id', p.ids))
    .orderBy('case_id')
    .orderBy('reason'),
)

/** Returns the number of reports of these cases by reason. */
export function listReasons(db: Handle, ids: string[]) {
  return db.all(reasons, { ids })
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
    ])
    .where('reports.case_id', '=', p.caseId)
    .orderBy('reports.id', 'desc')
    .limit(p.limit),
)

export function listReportsOf(db: Handle, caseId: string, limit: number): Promise<CaseReportRow[]> {
  return db.all(ofCase, { caseId, limit })
}

const SNAPSHOT_MS = 180 * 86_400_000

const dropSnapshots = statement((q, p: { before: number }) =>
  q
    .updateTable('cases')
    .set({ snapshot: null })
    .where('id', 'in', (e) =>
      e
        .selectFrom('cases')
        .select('id')
        .where('snapshot', 'is not', null)
        .where('status', '=', DECIDED)
        .where('decided_at', '<', p.before)
        .limit(BATCH),
    ),
)

/** Deletes the snapshots of cases 180 days after their decision. */
export async function deleteOldSnapshots(db: Handle, now: number): Promise<void> {
  await inBatches(() => db.run(dropSnapshots, { before: now - SNAPSHOT_MS }))
}
