/** Routes for moderators. Other staff can read only the counts. */
import { Type } from 'typebox'
import { Alternative, type CoreDeps } from '../http/declaration.ts'
import { examplePagination, offsetOf, paginationOf } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { answerAppeal, listAppeals } from './appeal-rules.ts'
import { exampleAppeal, exampleCase, exampleDecision, exampleReport } from './example.ts'
import { countOpen, listDecisionRecords } from './decision-queries.ts'
import { createDecision, requireDecision, undoDecision } from './decision-rules.ts'
import {
  AnswerInput,
  Appeals,
  AppealsQuery,
  DecisionInput,
  Decisions,
  DecisionsQuery,
  OneAppeal,
  OneDecision,
  toAppeal,
  toDecision,
  UndoInput,
} from './decision-schema.ts'
import { updateAssignee, getCase, listCases } from './report-rules.ts'
import { CaseDetail, Cases, CasesQuery, Counts, OneCase } from './schema.ts'

const tag = 'Moderation'
const auth = 'moderate'
const ofCase = { id: { id: 'cas', missing: 'CASE_NOT_FOUND' } } as const
const ofDecision = { id: { id: 'dec', missing: 'DECISION_NOT_FOUND' } } as const

const assignment = {
  tag,
  auth,
  params: ofCase,
  data: OneCase,
  errors: ['CASE_NOT_FOUND', 'CASE_DECIDED'],
  example: { case: exampleCase },
} as const

export function registerDesk(api: Api<CoreDeps>): void {
  api.get('/admin/counts', {
    id: 'countOpen',
    summary: 'Count open cases, appeals and applications',
    tag,
    auth: 'staff',
    data: Counts,
    example: { open_cases: 3, open_appeals: 1, open_applications: 0 },
    handler: ({ db, now }) => countOpen(db, now),
  })

  api.get('/admin/cases', {
    id: 'listCases',
    summary: 'List cases, oldest first',
    tag,
    auth,
    query: CasesQuery,
    indexes: ['cases_by_status', 'cases_by_kind', 'cases_by_assignee', 'case_reasons_by_reason'],
    data: Cases,
    example: { cases: [exampleCase], pagination: examplePagination },
    handler: ({ db, viewer, query, language }) => listCases(db, viewer, query, language),
  })

  api.get('/admin/cases/:id', {
    id: 'getCase',
    summary: 'Read a case with its reports and the history of the user',
    tag,
    auth,
    params: ofCase,
    data: CaseDetail,
    errors: ['CASE_NOT_FOUND'],
    example: {
      case: exampleCase,
      reports: [
        {
          id: exampleReport.id,
          reporter: exampleDecision.decided_by,
          reason: 'spam',
          rule_id: null,
          note: exampleReport.note,
          created_at: exampleReport.created_at,
        },
      ],
      history: [],
    },
    handler: ({ db, viewer, params, language }) => getCase(db, viewer, params.id, language),
  })

  api.put('/admin/cases/:id/assignee', {
    ...assignment,
    id: 'updateAssignee',
    summary: 'Assign a case to yourself',
    errors: [...assignment.errors, 'SELF_ACTION_FORBIDDEN'],
    handler: async ({ db, viewer, params, now, requestId, language }) => ({
      case: await updateAssignee(db, viewer, params.id, true, {
        now,
        requestId: `req_${requestId}`,
        language,
      }),
    }),
  })

  api.delete('/admin/cases/:id/assignee', {
    ...assignment,
    id: 'deleteAssignee',
    summary: 'Remove the assignee of a case',
    handler: async ({ db, viewer, params, now, requestId, language }) => ({
      case: await updateAssignee(db, viewer, params.id, false, {
        now,
        requestId: `req_${requestId}`,
        language,
      }),
    }),
  })

  api.get('/admin/decisions', {
    id: 'listDecisions',
    summary: 'List decisions, newest first',
    tag,
    auth,
    query: DecisionsQuery,
    indexes: ['decisions', 'decisions_by_user', 'decisions_by_action', 'decisions_by_status'],
    data: Decisions,
    example: { decisions: [exampleDecision], pagination: examplePagination },
    handler: async ({ db, query, language }) => {
      const { decisions, total } = await listDecisionRecords(db, query, offsetOf(query))
      return {
        decisions: decisions.map((row) => toDecision(row, language)),
        pagination: paginationOf(query, total),
      }
    },
  })

  api.post('/admin/decisions', {
    id: 'createDecision',
    summary: 'Decide about a subject, and close its case',
    description:
      'An undo restores what the decision changed. If the same decision is already in effect, it is returned with 200. Only admins can use `suspend` and `sweep`, and decide about the things of admins.',
    tag,
    auth,
    body: DecisionInput,
    status: [201, 200],
    data: OneDecision,
    errors: [
      'CASE_NOT_FOUND',
      'CONTENT_NOT_FOUND',
      'COMMENT_NOT_FOUND',
      'POST_NOT_FOUND',
      'MESSAGE_NOT_FOUND',
      'USER_NOT_FOUND',
      'CASE_DECIDED',
      'SELF_ACTION_FORBIDDEN',
      'LAST_ADMIN',
    ],
    example: { decision: exampleDecision },
    handler: async (call) => {
      const { db, viewer, body, now, requestId, language } = call
      const moment = { now, requestId: `req_${requestId}` }
      const { id, isRepeat } = await createDecision(db, viewer, body, moment)
      const data = { decision: toDecision(await requireDecision(db, id), language) }
      return isRepeat ? new Alternative(data) : data
    },
  })

  api.get('/admin/decisions/:id', {
    id: 'getDecision',
    summary: 'Read a decision',
    tag,
    auth,
    params: ofDecision,
    data: OneDecision,
    errors: ['DECISION_NOT_FOUND'],
    example: { decision: exampleDecision },
    handler: async ({ db, params, language }) => ({
      decision: toDecision(await requireDecision(db, params.id), language),
    }),
  })

  api.post('/admin/decisions/:id/undo', {
    id: 'undoDecision',
    summary: 'Undo a decision',
    description:
      'Restores what the decision changed. Subjects that the author deleted in the meantime stay deleted. Open appeals against the decision are granted. Only admins can undo `suspend` and `sweep`.',
    tag,
    auth,
    params: ofDecision,
    body: Type.Optional(UndoInput),
    data: OneDecision,
    errors: ['DECISION_NOT_FOUND', 'DECISION_NOT_IN_EFFECT', 'SELF_ACTION_FORBIDDEN'],
    example: {
      decision: {
        ...exampleDecision,
        status: 'undone',
        undone_by: exampleDecision.decided_by,
        undone_at: '2026-11-21T12:00:00.000Z',
      },
    },
    handler: async ({ db, viewer, params, body, now, requestId, language }) => {
      const moment = { now, requestId: `req_${requestId}` }
      await undoDecision(db, viewer, params.id, body?.reason || null, moment)
      return { decision: toDecision(await requireDecision(db, params.id), language) }
    },
  })

  api.get('/admin/appeals', {
    id: 'listAppeals',
    summary: 'List appeals with their users and decisions, oldest first',
    tag,
    auth,
    query: AppealsQuery,
    indexes: ['appeals', 'appeals_by_status'],
    data: Appeals,
    example: {
      appeals: [{ ...exampleAppeal, user: exampleCase.subject_user, decision: exampleDecision }],
      pagination: examplePagination,
    },
    handler: ({ db, query, language }) => listAppeals(db, query, language),
  })

  api.post('/admin/appeals/:id/answer', {
    id: 'answerAppeal',
    summary: 'Answer an appeal',
    description:
      '`granted` also undoes the decision. Only admins can answer appeals against `suspend` and `sweep`.',
    tag,
    auth,
    params: { id: { id: 'apl', missing: 'APPEAL_NOT_FOUND' } },
    body: AnswerInput,
    data: OneAppeal,
    errors: ['APPEAL_NOT_FOUND', 'APPEAL_ANSWERED', 'SELF_ACTION_FORBIDDEN'],
    example: {
      appeal: {
        ...exampleAppeal,
        status: 'upheld',
        answer: 'The quote names a person.',
        answered_at: '2026-11-21T12:00:00.000Z',
      },
    },
    handler: async ({ db, viewer, params, body, now, requestId }) => {
      const moment = { now, requestId: `req_${requestId}` }
      return { appeal: toAppeal(await answerAppeal(db, viewer, params.id, body, moment)) }
    },
  })
}
