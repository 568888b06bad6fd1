import type { Generated } from 'kysely'

export const SUBJECT_KINDS = ['content', 'comment', 'post', 'message', 'user'] as const
export type SubjectKind = (typeof SUBJECT_KINDS)[number]
/** Subjects of decisions. A `file` is named by its SHA-256 in hex. */
export const DECISION_KINDS = [...SUBJECT_KINDS, 'file'] as const
export type DecisionKind = (typeof DECISION_KINDS)[number]

export const REPORT_REASONS = [
  'spam',
  'abuse',
  'sexual',
  'minors',
  'violence',
  'copyright',
  'illegal',
  'other',
] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

export const RATINGS = ['everyone', 'teen', 'adult'] as const
export type Rating = (typeof RATINGS)[number]

/** Columns of `contents`. */
export interface ContentModeration {
  /** JSON of `HiddenState` while a decision hides the content item, else null. */
  moderation: string | null
  /** The author's choice, or the rating that a decision set instead. */
  rating: Rating
  /**
   * Rating that the decision in effect set; null without one. The author can choose only this rating or a higher
   * one.
   */
  decided_rating: Rating | null
  /** Rating that the author last chose, while a decision sets `rating`; else null. */
  own_rating: Rating | null
}

export interface ReportRow {
  id: string
  /** Null when the reporter was erased. */
  reporter_id: string | null
  subject_kind: SubjectKind
  subject_id: string
  case_id: string
  reason: ReportReason
  rule_id: string | null
  note: string | null
  status: 'open' | 'actioned' | 'dismissed'
  created_at: number
  decided_at: number | null
}

export interface CaseRow {
  id: string
  subject_kind: SubjectKind
  subject_id: string
  subject_user_id: string
  /**
   * JSON of the subject's record when the case was opened. Null 180 days after the decision, and after the erasure of
   * the subject's user.
   */
  snapshot: string | null
  report_count: number
  status: 'open' | 'decided'
  assignee_id: string | null
  decision_id: string | null
  opened_at: number
  decided_at: number | null
}

/** Number of cases with the same status and kind of subject. Triggers change it. */
export interface CaseTotalRow extends Pick<CaseRow, 'status' | 'subject_kind'> {
  total: number
}

/** Number of cases that match one combination of the filters in the list of cases. Triggers change it. */
export interface CaseFilterTotalRow extends CaseTotalRow {
  /** Empty for cases without an assigned user. */
  assignee_id: string
  /** Empty in the row that counts cases with any reason. */
  reason: ReportReason | ''
}

/** Number of reports in a case that state the same reason. Triggers change it. */
export interface CaseReasonRow {
  case_id: string
  reason: ReportReason
  /** Copy of the case's status, for the index by reason and status. */
  status: Generated<CaseRow['status']>
  total: number
}

export const DECISION_ACTIONS = [
  'none',
  'warn',
  'hide',
  'rate',
  'block_file',
  'suspend',
  'sweep',
] as const
export type DecisionAction = (typeof DECISION_ACTIONS)[number]
export const DECISION_STATUSES = ['applying', 'in_effect', 'undoing', 'undone'] as const
export type DecisionStatus = (typeof DECISION_STATUSES)[number]

export interface DecisionRow {
  id: string
  subject_kind: DecisionKind
  subject_id: string
  /** Null for files. */
  subject_user_id: string | null
  action: DecisionAction
  /** Empty when the suspension of a user has no stored reason. */
  reason: string
  rule_id: string | null
  /** JSON of the rule's texts by language when the decision was made; null without a rule. */
  rule_text: string | null
  rating: Rating | null
  since: number | null
  /** First characters of the subject's text. */
  excerpt: string
  affected_count: number
  status: DecisionStatus
  /** Null when the operator decided. */
  decided_by: string | null
  undone_by: string | null
  undone_at: number | null
  created_at: number
}

export const APPEAL_STATUSES = ['open', 'granted', 'upheld', 'closed'] as const
export type AppealStatus = (typeof APPEAL_STATUSES)[number]

export interface AppealRow {
  id: string
  decision_id: string
  user_id: string
  body: string
  status: AppealStatus
  answer: string | null
  answered_by: string | null
  created_at: number
  answered_at: number | null
}
