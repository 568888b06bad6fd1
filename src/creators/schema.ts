import { Type } from 'typebox'
import type { UserRow } from '../db/tables.ts'

const Nullable = Type.Union([Type.String(), Type.Null()])

/** How a person is named wherever one is (contract, section 3). */
export const UserRef = Type.Object(
  {
    id: Type.String(),
    handle: Type.String(),
    display_name: Type.String(),
    avatar_url: Nullable,
  },
  { title: 'UserRef' },
)

export type UserRefRow = Pick<UserRow, 'id' | 'handle' | 'display_name' | 'avatar_url'>

export function toUserRef({ id, handle, display_name, avatar_url }: UserRefRow) {
  return { id, handle, display_name, avatar_url }
}
