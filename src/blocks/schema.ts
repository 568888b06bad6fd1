import { Type } from 'typebox'
import { iso } from '../clock.ts'
import { time } from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'
import { toUserRef, UserRef, type UserRefRow } from '../users/schema.ts'

export const BlockResult = Type.Object({ is_blocked: Type.Boolean() }, { title: 'BlockResult' })
export const MuteResult = Type.Object({ is_muted: Type.Boolean() }, { title: 'MuteResult' })

const FilteredUser = Type.Object(
  {
    ...UserRef.properties,
    created_at: time({ description: 'Time of the block or mute' }),
  },
  { title: 'FilteredUser' },
)

export const FilteredUsersQuery = Type.Object(PageQuery)
export const FilteredUsers = Type.Object(
  { users: Type.Array(FilteredUser), pagination: Pagination },
  { title: 'FilteredUsers' },
)

export function toFilteredUser(row: UserRefRow & { filtered_at: number }) {
  return { ...toUserRef(row), created_at: iso(row.filtered_at) }
}
