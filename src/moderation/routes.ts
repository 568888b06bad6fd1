import type { AuthTools } from '../auth/rules.ts'
import { Alternative, type CoreDeps } from '../http/declaration.ts'
import { examplePagination, offsetOf, paginationOf } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { appealSuspension, createAppeal } from './appeal-rules.ts'
import { exampleAppeal, exampleOwnDecision, exampleReport } from './example.ts'
import {
  AppealInput,
  OneAppeal,
  OneOwnDecision,
  OwnDecisions,
  SuspensionAppealInput,
  toAppeal,
} from './decision-schema.ts'
import { getOwnDecision, listOwnDecisions } from './own-decisions.ts'
import { listReportsBy } from './report-queries.ts'
import { createReport, spendGuard } from './report-rules.ts'
import { OneReport, ReportInput, Reports, ReportsQuery, toReport } from './schema.ts'

const tag = 'Reports'
const auth = 'user'

export function registerModeration(api: Api<CoreDeps & AuthTools>): void {
  api.post('/reports', {
    id: 'createReport',
    summary: 'Report content, a comment, a post, a message or a user',
    description:
      'While your earlier report of the same thing is open, it is returned instead. Only moderators see who reported.',
    tag,
    auth,
    body: ReportInput,
    status: 201,
    data: OneReport,
    errors: [
      'CONTENT_NOT_FOUND',
      'COMMENT_NOT_FOUND',
      'POST_NOT_FOUND',
      'MESSAGE_NOT_FOUND',
      'USER_NOT_FOUND',
    ],
    example: { report: exampleReport },
    handler: {
      // Counts a report outside the transaction that stores it, so that failed reports count too.
      before: ({ db, viewer, now }) => spendGuard(db, 'report', viewer.id, now),
      first: async ({ db, viewer, body, now }) => ({
        report: toReport(await createReport(db, viewer, body, now)),
      }),
    },
  })

  api.get('/reports', {
    id: 'listReports',
    summary: 'List your reports, newest first',
    tag,
    auth,
    query: ReportsQuery,
    indexes: ['reports_by_reporter'],
    data: Reports,
    example: { reports: [exampleReport], pagination: examplePagination },
    handler: async ({ db, viewer, query }) => {
      const { reports, total } = await listReportsBy(db, viewer.id, offsetOf(query))
      return { reports: reports.map(toReport), pagination: paginationOf(query, total) }
    },
  })

  api.get('/decisions', {
    id: 'listOwnDecisions',
    summary: 'List the decisions of moderators about you and your things, newest first',
    tag,
    auth,
    query: ReportsQuery,
    indexes: ['decision_users'],
    data: OwnDecisions,
    example: { decisions: [exampleOwnDecision], pagination: examplePagination },
    handler: ({ db, viewer, query, language }) => listOwnDecisions(db, viewer, query, language),
  })

  api.get('/decisions/:id', {
    id: 'getOwnDecision',
    summary: 'Read a decision about you or your things',
    tag,
    auth,
    params: { id: { id: 'dec', missing: 'DECISION_NOT_FOUND', only: 'owner' } },
    data: OneOwnDecision,
    errors: ['DECISION_NOT_FOUND'],
    example: { decision: exampleOwnDecision },
    handler: async ({ db, viewer, params, language }) => ({
      decision: await getOwnDecision(db, viewer, params.id, language),
    }),
  })

  api.post('/decisions/:id/appeal', {
    id: 'createAppeal',
    summary: 'Appeal against a decision about you, once',
    tag,
    auth,
    params: { id: { id: 'dec', missing: 'DECISION_NOT_FOUND', only: 'owner' } },
    body: AppealInput,
    status: 201,
    data: OneAppeal,
    errors: ['DECISION_NOT_FOUND', 'DECISION_NOT_IN_EFFECT', 'LIMIT_REACHED'],
    example: { appeal: exampleAppeal },
    handler: async ({ db, viewer, params, body, now }) => ({
      appeal: toAppeal(await createAppeal(db, viewer, params.id, body.body, now)),
    }),
  })

  api.post('/appeals', {
    id: 'createSuspensionAppeal',
    summary: 'Appeal against the suspension of your account, which cannot sign in',
    description: 'A repeated request returns the first appeal with its answer.',
    tag,
    auth: 'public',
    body: SuspensionAppealInput,
    status: [201, 200],
    data: OneAppeal,
    errors: [
      'INVALID_CREDENTIALS',
      'DECISION_NOT_IN_EFFECT',
      'RATE_LIMITED',
      'SERVICE_UNAVAILABLE',
    ],
    example: { appeal: exampleAppeal },
    handler: async (call) => {
      const { deps, db, body, now } = call
      const { appeal, isRepeat } = await appealSuspension(db, deps, body, call, now)
      const data = { appeal: toAppeal(appeal) }
      return isRepeat ? new Alternative(data) : data
    },
  })
}
