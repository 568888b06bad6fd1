import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import { CATEGORIES, CONTENT_TYPES } from '../contents/schema.ts'
import type { UserFilterRow } from '../db/social-tables.ts'
import type { UserCountsRow, UserRow } from '../db/tables.ts'
import { choice, textOrNull, time } from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'
import { toUserRef, UserRef, type UserRefRow } from '../users/schema.ts'

const Creator = Type.Object(
  {
    ...UserRef.properties,
    bio: textOrNull(),
    is_following: Type.Boolean(),
    is_blocked: Type.Boolean({ description: 'True when you blocked this user' }),
    is_muted: Type.Boolean({ description: 'True when you muted this user' }),
    follower_count: Type.Integer(),
    following_count: Type.Integer(),
    content_count: Type.Integer({ description: 'Number of public content items' }),
    created_at: time(),
  },
  { title: 'Creator' },
)
export const CreatorResult = Type.Object({ creator: Creator })

type CreatorRow = UserRefRow &
  Pick<UserRow, 'bio' | 'created_at'> &
  Pick<UserCountsRow, 'follower_count' | 'following_count' | 'content_count'> &
  Pick<UserFilterRow, 'blocked_at' | 'muted_at'> & {
    followed_at: number | null
  }

export function toCreator(row: CreatorRow) {
  return {
    ...toUserRef(row),
    bio: row.bio,
    is_following: row.followed_at !== null,
    is_blocked: row.blocked_at !== null,
    is_muted: row.muted_at !== null,
    follower_count: row.follower_count,
    following_count: row.following_count,
    content_count: row.content_count,
    created_at: iso(row.created_at),
  }
}

export const CreatorListQuery = Type.Object(PageQuery)

export const CreatorContentsQuery = Type.Object({
  ...PageQuery,
  category: Type.Optional(choice(CATEGORIES)),
  type: Type.Optional(choice(CONTENT_TYPES)),
  sort: choice(['latest', 'popular'], {
    default: 'latest',
    description: '`latest`: newest first. `popular`: as in feeds',
  }),
})
export type CreatorContentsInput = Static<typeof CreatorContentsQuery>

const User = Type.Object(
  {
    ...UserRef.properties,
    is_following: Type.Boolean({ description: 'True when the viewer follows this user' }),
  },
  { title: 'Person' },
)

export function toUser(row: UserRefRow & { followed_at: number | null }) {
  return { ...toUserRef(row), is_following: row.followed_at !== null }
}

export const Users = Type.Object(
  { users: Type.Array(User), pagination: Pagination },
  { title: 'People' },
)

export const FollowQuery = Type.Object({
  content_id: Type.Optional(
    Type.String({
      description: 'The content of the creator from which you follow. Other values are ignored',
    }),
  ),
})

export const FollowResult = Type.Object(
  { is_following: Type.Boolean(), follower_count: Type.Integer() },
  { title: 'FollowResult' },
)
