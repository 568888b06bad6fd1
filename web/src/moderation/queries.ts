import { queryOptions } from '@tanstack/react-query'
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
    throwOnError: (error: Error) => isMissing(error),
  })
}
