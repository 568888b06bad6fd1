import { writeAuditEntry } from '../audit/rules.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { CaseRow, ReportRow } from '../db/moderation-tables.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, paginationOf } from '../http/page.ts'
import { spend } from '../limits/rules.ts'
import { spendRate } from '../limits/write-rate.ts'
import type { Language } from '../messages/language.ts'
import { findRuleText, listDecisionRecords, listDecisionsById } from './decision-queries.ts'
import { toDecision } from './decision-schema.ts'
import {
  findCaseRecord,
  findOpenReport,
  insertCase,
  insertReport,
  listCaseRecords,
  listReasons,
  listReportsOf,
  lockCase,
  lockOpenCase,
  updateCaseAssignee,
} from './report-queries.ts'
import {
  type CaseListRow,
  type CasesQuery,
  type ReportInput,
  toCase,
  toCaseReport,
} from './schema.ts'
import { requireReportable, type SubjectKey } from './subjects.ts'

const HOURLY = 60
const HOUR_MS = 3_600_000
const REPORTS_SHOWN = 100
const HISTORY_SHOWN = 20

/**
 * Counts a report or an appeal against the limit of the user, 60 an hour for each kind. Errors: 429
 * RATE_LIMITED.
 */
export async function spendGuard(
  db: Handle,
  act: 'report' | 'appeal',
  userId: string,
  now: number,
): Promise<void> {
  const limit = { bucket: `${act}:user:${userId}`, max: HOURLY, windowMs: HOUR_MS }
  await spend(db, [limit], now)
}

/**
 * Reports a subject that the viewer can see, and opens a case about it if there is none. Returns the report, or
 * an earlier open report of the viewer. Errors: the 404 of the subject's kind; 422 for the viewer's own
 * subjects or an unknown rule; 429 RATE_LIMITED.
 */
export async function createReport(
  db: Handle,
  viewer: Viewer,
  { subject, reason, rule_id = null, note = null }: ReportInput,
  now: number,
): Promise<ReportRow> {
  if (rule_id && (await findRuleText(db, rule_id)) === undefined)
    throw invalid('rule_id', 'invalid.unknown_rule')
  return db.transaction(async (tx) => {
    await spendRate(tx, viewer, 'talk', now)
    const earlier = await findOpenReport(tx, viewer.id, subject.id)
    if (earlier) return earlier
    const { userId, record } = await requireReportable(tx, viewer, subject)
    const opened = await openCase(tx, subject, userId, record, now)
    const existing = await findOpenReport(tx, viewer.id, subject.id)
    if (existing) return existing
    const report: ReportRow = {
      id: newId('rpt', now),
      reporter_id: viewer.id,
      subject_kind: subject.kind,
      subject_id: subject.id,
      case_id: opened.id,
      reason,
      rule_id: rule_id || null,
      note: note || null,
      status: 'open',
      created_at: now,
      decided_at: null,
    }
    await insertReport(tx, report)
    return report
  })
}

/** Locks and returns the open case of a subject. Creates the case when there is none. */
async function openCase(
  tx: Tx,
  { kind, id: subjectId }: SubjectKey,
  userId: string,
  record: object,
  now: number,
): Promise<CaseRow> {
  const row: CaseRow = {
    id: newId('cas', now),
    subject_kind: kind,
    subject_id: subjectId,
    subject_user_id: userId,
    snapshot: JSON.stringify(record),
    report_count: 0,
    status: 'open',
    assignee_id: null,
    decision_id: null,
    opened_at: now,
    decided_at: null,
  }
  for (;;) {
    const open = await lockOpenCase(tx, subjectId)
    if (open) return open
    // Inserts nothing when another report has opened a case since the look-up, so the loop looks up again.
    if (await insertCase(tx, row)) return row
  }
}

/** Returns a page of the cases that match the query, oldest first. */
export async function listCases(db: Handle, viewer: Viewer, query: CasesQuery, language: Language) {
  const assignee =
    query.assignee === undefined ? undefined : query.assignee === 'me' ? viewer.id : ''
  const { cases, total } = await listCaseRecords(db, { ...query, assignee }, offsetOf(query))
  return {
    cases: await toCases(db, cases, language),
    pagination: paginationOf(query, total),
  }
}

async function toCases(db: Handle, rows: readonly CaseListRow[], language: Language) {
  if (rows.length === 0) return []
  const decisionIds = rows.flatMap(({ decision_id }) => decision_id ?? [])
  const [reasons, decisions] = await Promise.all([
    listReasons(
      db,
      rows.map(({ id }) => id),
    ),
    listDecisionsById(db, decisionIds),
  ])
  return rows.map((row) => {
    const own = reasons.filter(({ case_id }) => case_id === row.id)
    const decision = decisions.find(({ id }) => id === row.decision_id)
    return toCase(
      row,
      Object.fromEntries(own.map(({ reason, total }) => [reason, total])),
      decision ? toDecision(decision, language) : null,
    )
  })
}

async function loadCase(db: Handle, id: string, language: Language) {
  const row = await findCaseRecord(db, id)
  const [record] = row ? await toCases(db, [row], language) : []
  if (!row || !record) throw new ApiError('CASE_NOT_FOUND')
  return { row, record }
}

/**
 * Returns a case with its newest 100 reports, and the newest 20 decisions about the subject's user. Hides the reporters
 * and the notes of the reports from that user. Errors: 404 CASE_NOT_FOUND.
 */
export async function getCase(db: Handle, viewer: Viewer, id: string, language: Language) {
  const { row, record } = await loadCase(db, id, language)
  const isOwn = row.subject_user_id === viewer.id
  const [reports, history] = await Promise.all([
    listReportsOf(db, id, REPORTS_SHOWN),
    listDecisionRecords(db, { user: row.subject_user_id }, { limit: HISTORY_SHOWN, offset: 0 }),
  ])
  return {
    case: record,
    reports: reports.map((report) =>
      toCaseReport(isOwn ? { ...report, reporter_id: null, note: null } : report),
    ),
    history: history.decisions.map((decision) => toDecision(decision, language)),
  }
}

/**
 * Assigns an open case to the viewer, or removes the assignee, and returns the case. Replaces another assignee.
 * Errors: 404 CASE_NOT_FOUND; 409 CASE_DECIDED; 409 SELF_ACTION_FORBIDDEN when the viewer assigns a case about
 * the viewer.
 */
export async function updateAssignee(
  db: Handle,
  viewer: Viewer,
  id: string,
  isAssigned: boolean,
  { now, requestId, language }: { now: number; requestId: string; language: Language },
) {
  return db.transaction(async (tx) => {
    const row = await lockCase(tx, id)
    if (!row) throw new ApiError('CASE_NOT_FOUND')
    if (isAssigned && row.subject_user_id === viewer.id) throw new ApiError('SELF_ACTION_FORBIDDEN')
    if (row.status === 'decided') throw new ApiError('CASE_DECIDED')
    const assignee = isAssigned ? viewer.id : null
    if (assignee !== row.assignee_id) {
      await updateCaseAssignee(tx, id, assignee)
      const change = {
        action: isAssigned ? ('case_assigned' as const) : ('case_unassigned' as const),
        target: { kind: 'case', id },
        before: { assignee_id: row.assignee_id },
        after: { assignee_id: assignee },
      }
      await writeAuditEntry(tx, { actorId: viewer.id, requestId, reason: null }, change, now)
    }
    return (await loadCase(tx, id, language)).record
  })
}
