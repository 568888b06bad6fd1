import { queryOptions } from '@tanstack/react-query'
import type { Account } from '#sdk'
import { plaza } from './plaza.ts'

export type Permission = 'moderate' | 'members' | 'site'

/** True for administrators and for users with this permission. */
export function may(viewer: Account | null | undefined, permission: Permission): boolean {
  return viewer?.role === 'admin' || viewer?.permissions.includes(permission) === true
}

/** Query of the numbers of open cases, appeals and applications. Only for viewers with a permission. */
export const openQuery = queryOptions({
  queryKey: ['desk', 'counts'],
  queryFn: ({ signal }) => plaza.moderation.countOpen({}, { signal }),
})
