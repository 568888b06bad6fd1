import { queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#sdk'
import { byPages } from '../lists/paging.ts'
import { isMissing, plaza } from '../session/plaza.ts'

export const ownReportsQuery = byPages(['own-reports'], (page, signal) =>
  plaza.reports.list({ page, per_page: 30 }, { signal }),
)

export const ownDecisionsQuery = byPages(['own-decisions'], (page, signal) =>
  plaza.reports.listOwnDecisions({ page, per_page: 30 }, { signal }),
)

export function ownDecisionQuery(id: string) {
  return queryOptions({
    queryKey: ['own-decision', id],
    queryFn: async ({ signal }) =>
      (await plaza.reports.getOwnDecision(id, {}, { signal })).decision,
    // Refetches on every visit, because moderators may have answered an appeal since the last visit.
    staleTime: 0,
    throwOnError: (error: Error) => isMissing(error),
  })
}

export type CaseFilter = Omit<InputOf<'listCases'>, 'page' | 'per_page' | 'status'> & {
  status?: 'decided'
}

export function casesQuery(filter: CaseFilter) {
  return byPages(['desk', 'cases', filter], (page, signal) =>
    plaza.moderation.listCases({ ...filter, page, per_page: 30 }, { signal }),
  )
}

export function caseQuery(id: string) {
  return queryOptions({
    queryKey: ['desk', 'case', id],
    queryFn: ({ signal }) => plaza.moderation.getCase(id, {}, { signal }),
  })
}

export type DecisionFilter = Omit<InputOf<'listDecisions'>, 'page' | 'per_page'>

export function decisionsQuery(filter: DecisionFilter) {
  return byPages(['desk', 'decisions', filter], (page, signal) =>
    plaza.moderation.listDecisions({ ...filter, page, per_page: 30 }, { signal }),
  )
}

export function appealsQuery(status: InputOf<'listAppeals'>['status']) {
  return byPages(['desk', 'appeals', status ?? null], (page, signal) =>
    plaza.moderation.listAppeals({ page, per_page: 30, ...(status && { status }) }, { signal }),
  )
}
