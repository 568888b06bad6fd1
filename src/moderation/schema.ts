import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import {
  type CaseRow,
  REPORT_REASONS,
  type ReportRow,
  SUBJECT_KINDS,
} from '../db/moderation-tables.ts'
import { choice, textOrNull, time, timeOrNull } from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'
import { Decision, type Named, OrNobody, RuleId, toUserOrNull } from './decision-schema.ts'

const Subject = Type.Object({
  kind: choice(SUBJECT_KINDS),
  id: Type.String({ maxLength: 100 }),
})

export const ReportInput = Type.Object(
  {
    subject: Subject,
    reason: choice(REPORT_REASONS),
    rule_id: RuleId,
    note: Type.Optional(textOrNull({ maxLength: 1000 })),
  },
  {
    examples: [
      {
        subject: { kind: 'user', id: 'usr_01kazqm4h7e0vr6tb2ydq9s5xw' },
        reason: 'spam',
        note: 'Advertises in every comment.',
      },
    ],
  },
)
export type ReportInput = Static<typeof ReportInput>

const Report = Type.Object(
  {
    id: Type.String(),
    subject: Subject,
    reason: choice(REPORT_REASONS),
    rule_id: textOrNull(),
    note: textOrNull(),
    status: choice(['open', 'actioned', 'dismissed']),
    created_at: time(),
    decided_at: timeOrNull(),
  },
  { title: 'Report' },
)
export const OneReport = Type.Object({ report: Report })
export const ReportsQuery = Type.Object(PageQuery)
export const Reports = Type.Object({ reports: Type.Array(Report), pagination: Pagination })

export function toReport(row: ReportRow): Static<typeof Report> {
  return {
    id: row.id,
    subject: { kind: row.subject_kind, id: row.subject_id },
    reason: row.reason,
    rule_id: row.rule_id,
    note: row.note,
    status: row.status,
    created_at: iso(row.created_at),
    decided_at: isoOrNull(row.decided_at),
  }
}

const Case = Type.Object(
  {
    id: Type.String(),
    subject: Subject,
    subject_user: OrNobody,
    snapshot: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description:
        "The subject's record when the case was opened; null 180 days after the decision",
    }),
    report_count: Type.Integer(),
    reasons: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Number of reports by reason',
    }),
    status: choice(['open', 'decided']),
    assignee: OrNobody,
    decision: Type.Union([Decision, Type.Null()]),
    opened_at: time(),
    decided_at: timeOrNull(),
  },
  { title: 'Case' },
)
export const OneCase = Type.Object({ case: Case })
export const Cases = Type.Object({ cases: Type.Array(Case), pagination: Pagination })
export const CasesQuery = Type.Object({
  status: choice(['open', 'decided'], { default: 'open' }),
  kind: Type.Optional(choice(SUBJECT_KINDS)),
  reason: Type.Optional(choice(REPORT_REASONS)),
  assignee: Type.Optional(choice(['me', 'none'])),
  ...PageQuery,
})
export type CasesQuery = Static<typeof CasesQuery>

const CaseReport = Type.Object(
  {
    id: Type.String(),
    reporter: OrNobody,
    reason: choice(REPORT_REASONS),
    rule_id: textOrNull(),
    note: textOrNull(),
    created_at: time(),
  },
  { title: 'CaseReport' },
)
export const CaseDetail = Type.Object({
  case: Case,
  reports: Type.Array(CaseReport, {
    description: 'The newest 100. In a case about you, `reporter` and `note` are always null',
  }),
  history: Type.Array(Decision, { description: 'The newest 20 about the same user' }),
})

export type CaseListRow = CaseRow & {
  [K in keyof Omit<Named, 'id'> as `subject_${K}` | `assignee_${K}`]: string | null
}

export function toCase(
  row: CaseListRow,
  reasons: Record<string, number>,
  decision: Static<typeof Decision> | null,
): Static<typeof Case> {
  return {
    id: row.id,
    subject: { kind: row.subject_kind, id: row.subject_id },
    subject_user: toUserOrNull({
      id: row.subject_user_id,
      handle: row.subject_handle,
      display_name: row.subject_display_name,
      avatar_url: row.subject_avatar_url,
      avatar_sizes: row.subject_avatar_sizes,
    }),
    snapshot: row.snapshot === null ? null : JSON.parse(row.snapshot),
    report_count: row.report_count,
    reasons,
    status: row.status,
    assignee: toUserOrNull({
      id: row.assignee_id,
      handle: row.assignee_handle,
      display_name: row.assignee_display_name,
      avatar_url: row.assignee_avatar_url,
      avatar_sizes: row.assignee_avatar_sizes,
    }),
    decision,
    opened_at: iso(row.opened_at),
    decided_at: isoOrNull(row.decided_at),
  }
}

export type CaseReportRow = Pick<ReportRow, 'id' | 'reason' | 'rule_id' | 'note' | 'created_at'> & {
  reporter_id: string | null
} & Omit<Named, 'id'>

export function toCaseReport(row: CaseReportRow): Static<typeof CaseReport> {
  const { id, reason, rule_id, note, created_at, reporter_id } = row
  const reporter = toUserOrNull({ ...row, id: reporter_id })
  return { id, reporter, reason, rule_id, note, created_at: iso(created_at) }
}

export const Counts = Type.Object({
  open_cases: Type.Integer(),
  open_appeals: Type.Integer(),
  open_applications: Type.Integer(),
})
