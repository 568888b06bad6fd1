import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination, offsetOf, paginationOf } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { exampleOwnDecision, exampleReport } from './example.ts'
import { OneOwnDecision, OwnDecisions } from './decision-schema.ts'
import { getOwnDecision, listOwnDecisions } from './own-decisions.ts'
import { listReportsBy } from './report-queries.ts'
import { createReport } from './report-rules.ts'
import { OneReport, ReportInput, Reports, ReportsQuery, toReport } from './schema.ts'

const tag = 'Reports'
const auth = 'user'

export function registerModeration(api: Api<CoreDeps>): void {
  api.post('/reports', {
    id: 'createReport',
    summary: 'Report content, a comment, a post, a message or a user',
    description:
      'While your earlier report of the same thing is open, it is returned instead. Nobody but moderators learns who reported.',
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
    handler: async ({ db, viewer, body, now }) => ({
      report: toReport(await createReport(db, viewer, body, now)),
    }),
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
}
