import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import {
  APPEAL_STATUSES,
  type AppealRow,
  DECISION_ACTIONS,
  DECISION_KINDS,
  DECISION_STATUSES,
  type DecisionAction,
  type DecisionKind,
  type DecisionRow,
  RATINGS,
  SUBJECT_KINDS,
} from '../db/moderation-tables.ts'
import { parseTime } from '../http/times.ts'
import { checked, choice, exact, textOrNull, time, timeOrNull } from '../http/fields.ts'
import { inLanguage, type LocalText } from '../http/local-text.ts'
import { PageQuery, Pagination } from '../http/page.ts'
import type { Language } from '../messages/language.ts'
import { toUserRef, UserRef } from '../users/schema.ts'

export const OrNobody = Type.Union([UserRef, Type.Null()])

export interface Named {
  id: string | null
  handle: string | null
  display_name: string | null
  avatar_url: string | null
  avatar_sizes: string | null
}

/** Returns a user, or null when the join found none (`id` is null). */
export function toUserOrNull({ id, handle, display_name, avatar_url, avatar_sizes }: Named) {
  if (id === null || handle === null || display_name === null) return null
  return toUserRef({ id, handle, display_name, avatar_url, avatar_sizes })
}

const DecisionSubject = Type.Object({
  kind: choice(DECISION_KINDS),
  id: Type.String({ maxLength: 100, description: 'An id, or the SHA-256 of a file in hex' }),
})

export const RuleId = Type.Optional(
  textOrNull({ maxLength: 100, description: 'Id of a rule of the site' }),
)

const commonFields = {
  id: Type.String(),
  subject: DecisionSubject,
  subject_user: OrNobody,
  action: choice(DECISION_ACTIONS),
  reason: Type.String(),
  rule: Type.Union([
    Type.Object({ id: Type.String(), text: Type.String() }, { title: 'RuleRef' }),
    Type.Null(),
  ]),
  rating: Type.Unsafe<'everyone' | 'teen' | 'adult' | null>({
    type: ['string', 'null'],
    enum: [...RATINGS, null],
    description: 'Null for actions other than `rate`',
  }),
  since: timeOrNull({ description: 'Null for actions other than `sweep`' }),
  affected_count: Type.Integer({ description: 'Number of things that the decision changed' }),
  status: choice(DECISION_STATUSES, {
    description: '`applying` and `undoing` while a job works through many things',
  }),
  excerpt: Type.String({ description: 'First 200 characters of the subject' }),
  undone_at: timeOrNull(),
  created_at: time(),
}
export const Decision = Type.Object(
  {
    ...commonFields,
    decided_by: Type.Union([UserRef, Type.Null()], {
      description: 'Null when the operator decided on the command line',
    }),
    undone_by: OrNobody,
  },
  { title: 'Decision' },
)
export const OneDecision = Type.Object({ decision: Decision })
export const Decisions = Type.Object({
  decisions: Type.Array(Decision),
  pagination: Pagination,
})
export const DecisionsQuery = Type.Object({
  user: Type.Optional(Type.String({ description: 'Id of the user who owns the subject' })),
  action: Type.Optional(choice(DECISION_ACTIONS)),
  status: Type.Optional(choice(DECISION_STATUSES)),
  ...PageQuery,
})

/**
 * A decision joined with three users: the subject's user, the user who decided, and the user who undid the
 * decision. Fields of a missing user are null.
 */
export type DecisionListRow = DecisionRow & {
  [K in keyof Omit<Named, 'id'> as `subject_${K}` | `decided_${K}` | `undone_${K}`]: string | null
}

export function toRule(
  { rule_id, rule_text }: Pick<DecisionRow, 'rule_id' | 'rule_text'>,
  language: Language,
): { id: string; text: string } | null {
  if (rule_id === null || rule_text === null) return null
  return { id: rule_id, text: inLanguage(JSON.parse(rule_text) as LocalText, language).text }
}

function toCommon(row: DecisionListRow, language: Language) {
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
    action: row.action,
    reason: row.reason,
    rule: toRule(row, language),
    rating: row.rating,
    since: isoOrNull(row.since),
    affected_count: row.affected_count,
    status: row.status,
    excerpt: row.excerpt,
    undone_at: isoOrNull(row.undone_at),
    created_at: iso(row.created_at),
  }
}

export function toDecision(row: DecisionListRow, language: Language): Static<typeof Decision> {
  return {
    ...toCommon(row, language),
    decided_by: toUserOrNull({
      id: row.decided_by,
      handle: row.decided_handle,
      display_name: row.decided_display_name,
      avatar_url: row.decided_avatar_url,
      avatar_sizes: row.decided_avatar_sizes,
    }),
    undone_by: toUserOrNull({
      id: row.undone_by,
      handle: row.undone_handle,
      display_name: row.undone_display_name,
      avatar_url: row.undone_avatar_url,
      avatar_sizes: row.undone_avatar_sizes,
    }),
  }
}

const SHA256 = /^[0-9a-f]{64}$/i

const FITTING: Record<DecisionAction, readonly DecisionKind[]> = {
  none: DECISION_KINDS,
  warn: SUBJECT_KINDS,
  hide: ['content', 'comment', 'post', 'message'],
  rate: ['content'],
  block_file: ['file'],
  suspend: ['user'],
  sweep: ['user'],
}

export const DecisionInput = checked(
  Type.Object(
    {
      subject: DecisionSubject,
      action: choice<DecisionAction>([
        'none',
        'warn',
        'hide',
        'rate',
        'block_file',
        'suspend',
        'sweep',
      ]),
      reason: Type.String({ minLength: 1, maxLength: 1000 }),
      rule_id: RuleId,
      rating: Type.Optional(
        Type.Unsafe<'teen' | 'adult' | null>({
          type: ['string', 'null'],
          enum: ['teen', 'adult', null],
          description: 'Required for `rate`',
        }),
      ),
      since: Type.Optional(timeOrNull({ description: 'Required for `sweep`' })),
      case_id: Type.Optional(
        textOrNull({
          maxLength: 100,
          description: 'The case to close; by default the open case of the subject',
        }),
      ),
    },
    {
      examples: [
        {
          subject: { kind: 'comment', id: 'cmt_01kazr0p5vfq1s9m7c2xw4hd3t' },
          action: 'hide',
          reason: 'Advertising',
        },
      ],
    },
  ),
  ({ subject, action, rating, since, case_id }, problems) => {
    // This check also runs on a body that violates the schema, so `subject` may be missing or not an object.
    const { kind, id } = Object(subject) as { kind?: string; id?: string }
    const fitting: readonly string[] = FITTING[action] ?? DECISION_KINDS
    if (kind !== undefined && !fitting.includes(kind)) {
      problems.push({ field: 'action', key: 'invalid.action_subject' })
    }
    if (kind === 'file' && !SHA256.test(id ?? '')) {
      problems.push({ field: 'subject.id', key: 'invalid.sha256' })
    }
    if (action === 'none' && !case_id) problems.push({ field: 'case_id', key: 'invalid.required' })
    if (action === 'rate' && !rating) problems.push({ field: 'rating', key: 'invalid.required' })
    if (action !== 'sweep') return
    if (typeof since !== 'string') problems.push({ field: 'since', key: 'invalid.required' })
    else if (parseTime(since) === undefined) problems.push({ field: 'since', key: 'invalid.time' })
  },
)
export type DecisionInput = Static<typeof DecisionInput>

export const UndoInput = Type.Object(
  { reason: Type.Optional(textOrNull({ maxLength: 1000 })) },
  { examples: [{ reason: 'The rule allows this.' }] },
)

export const Appeal = Type.Object(
  {
    id: Type.String(),
    decision_id: Type.String(),
    body: Type.String(),
    status: choice(APPEAL_STATUSES),
    answer: textOrNull(),
    created_at: time(),
    answered_at: timeOrNull(),
  },
  { title: 'Appeal' },
)

export function toAppeal(row: AppealRow): Static<typeof Appeal> {
  const { id, decision_id, body, status, answer } = row
  const times = { created_at: iso(row.created_at), answered_at: isoOrNull(row.answered_at) }
  return { id, decision_id, body, status, answer, ...times }
}

const OwnDecision = Type.Object(
  {
    ...commonFields,
    can_appeal: Type.Boolean(),
    appeal: Type.Union([Appeal, Type.Null()]),
  },
  { title: 'OwnDecision' },
)
export const OneOwnDecision = Type.Object({ decision: OwnDecision })
export const OwnDecisions = Type.Object({
  decisions: Type.Array(OwnDecision),
  pagination: Pagination,
})

export function toOwnDecision(
  row: DecisionListRow,
  appeal: AppealRow | undefined,
  language: Language,
): Static<typeof OwnDecision> {
  return {
    ...toCommon(row, language),
    can_appeal: appeal === undefined && (row.status === 'in_effect' || row.status === 'applying'),
    appeal: appeal ? toAppeal(appeal) : null,
  }
}

export const OneAppeal = Type.Object({ appeal: Appeal })
const text = { body: Type.String({ minLength: 1, maxLength: 2000 }) }
export const AppealInput = Type.Object(text, {
  examples: [{ body: 'This was a quote from the video.' }],
})
export const SuspensionAppealInput = Type.Object(
  {
    identifier: Type.String({ minLength: 1, maxLength: 254, description: 'Handle or email' }),
    password: exact(Type.String({ minLength: 1, maxLength: 200 })),
    ...text,
  },
  { examples: [{ identifier: 'mina', password: 'a long password', body: 'It was not me.' }] },
)
export const AppealsQuery = Type.Object({
  status: Type.Optional(choice(APPEAL_STATUSES)),
  ...PageQuery,
})
export const Appeals = Type.Object({
  appeals: Type.Array(
    Type.Object(
      { ...Appeal.properties, user: UserRef, decision: Decision },
      { title: 'AppealCase' },
    ),
  ),
  pagination: Pagination,
})
export const AnswerInput = Type.Object(
  {
    outcome: choice(['granted', 'upheld', 'closed'], {
      description: '`granted` undoes the decision',
    }),
    answer: Type.String({ minLength: 1, maxLength: 2000 }),
  },
  { examples: [{ outcome: 'upheld', answer: 'The quote names a person.' }] },
)
