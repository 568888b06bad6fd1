import { type Static, Type } from 'typebox'
import { Content, STATUSES } from '../contents/schema.ts'
import { choice } from '../http/fields.ts'
import { PageQuery } from '../http/page.ts'

export const FeedQuery = Type.Object({
  ...PageQuery,
  sort: choice(['latest', 'recent', 'popular', 'hot', 'following', 'tags'], {
    default: 'latest',
    description:
      '`latest` (or `recent`): newest first. `popular` (or `hot`): likes, bookmarks, comments and plays weighed against age. `following`: newest content items of followed creators. `tags`: at most the 1,000 newest content items with followed tags. Both require a session',
  }),
  tag: Type.Optional(
    Type.String({ description: 'Only content items with this tag, ignoring case' }),
  ),
})
export type FeedInput = Static<typeof FeedQuery>

export const ReactedQuery = Type.Object(PageQuery)

export const AuthoredQuery = Type.Object({
  ...PageQuery,
  q: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only content items that match, as in /search' }),
  ),
  status: Type.Optional(
    choice(STATUSES, {
      description: 'Only content items in this status; by default all except archived ones',
    }),
  ),
})
export type AuthoredInput = Static<typeof AuthoredQuery>

export const RecommendationsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Entries per page' }),
  offset: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'Number of entries to skip',
  }),
})

export const Recommendations = Type.Object({
  feeds: Type.Array(Content),
  has_more: Type.Boolean(),
})
