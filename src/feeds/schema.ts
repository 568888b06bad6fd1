import { type Static, Type } from 'typebox'
import { Content, STATUSES } from '../contents/schema.ts'
import { choice } from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'

/** A page of works. */
export const Feed = Type.Object(
  { feeds: Type.Array(Content), pagination: Pagination },
  { title: 'Feed' },
)

export const FeedQuery = Type.Object({
  ...PageQuery,
  sort: choice(['latest', 'recent', 'popular', 'hot', 'following'], {
    default: 'latest',
    description:
      '`latest` (or `recent`): newest first; `popular` (or `hot`): likes, bookmarks, comments and plays against age; `following`: newest first, works of followed creators only, needs a session',
  }),
  tag: Type.Optional(
    Type.String({ description: 'Only works with this tag; case does not matter' }),
  ),
})
export type FeedInput = Static<typeof FeedQuery>

export const MarkedQuery = Type.Object(PageQuery)

export const AuthoredQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(
    choice(STATUSES, {
      description: 'Only works in this status; without it, all but the archived',
    }),
  ),
})
export type AuthoredInput = Static<typeof AuthoredQuery>
