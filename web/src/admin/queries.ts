import { queryOptions } from '@tanstack/react-query'
import { byPages } from '../lists/paging.ts'
import { isMissing, plaza } from '../session/plaza.ts'

const PER_PAGE = 50

export function usersQuery(q: string | undefined, page: number) {
  return queryOptions({
    queryKey: ['admin', 'members', q ?? null, page],
    queryFn: ({ signal }) =>
      plaza.users.list({ page, per_page: PER_PAGE, ...(q && { q }) }, { signal }),
  })
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'member', id],
    queryFn: async ({ signal }) => (await plaza.users.get(id, {}, { signal })).user,
    throwOnError: (error: Error) => isMissing(error),
  })
}

export function auditQuery(id: string) {
  return byPages(['admin', 'audit', id], (page, signal) =>
    plaza.users.listAuditEntries(id, { page }, { signal }),
  )
}
