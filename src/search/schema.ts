import { type Static, Type } from 'typebox'
import { CATEGORIES, Content, CONTENT_TYPES } from '../contents/schema.ts'
import { checked, choice } from '../http/fields.ts'
import { type PageInput, PageQuery, Pagination, paginationOf } from '../http/page.ts'
import { Post } from '../posts/schema.ts'
import { UserRef } from '../users/schema.ts'
import { FOUND_MAX } from './collect.ts'

const Q_MAX = 100
const SUGGEST_MAX = 50

export const SearchQuery = checked(
  Type.Object({
    q: Type.String({
      maxLength: Q_MAX,
      examples: ['한강 sunrise'],
      description:
        'All words must match. Words of two or more characters match as prefixes. `"…"` matches a phrase, and a leading `-` excludes',
    }),
    kind: choice(['contents', 'creators', 'tags', 'posts'], { default: 'contents' }),
    category: Type.Optional(choice(CATEGORIES, { description: 'Contents only' })),
    type: Type.Optional(choice(CONTENT_TYPES, { description: 'Contents only' })),
    tag: Type.Optional(Type.String({ description: 'Only contents with this tag, ignoring case' })),
    creator: Type.Optional(
      Type.String({ description: 'Only contents of the creator with this handle' }),
    ),
    sort: choice(['relevance', 'latest', 'popular'], {
      default: 'relevance',
      description:
        '`relevance`: by the fields that match, then by popularity. `latest`: newest first; not for tags',
    }),
    ...PageQuery,
  }),
  ({ kind, sort }, problems) => {
    if (kind === 'tags' && sort === 'latest') {
      problems.push({
        field: 'sort',
        key: 'invalid.choice',
        params: { choices: 'relevance, popular' },
      })
    }
  },
)
export type SearchInput = Static<typeof SearchQuery>

const FoundUser = Type.Object(
  {
    ...UserRef.properties,
    follower_count: Type.Integer(),
    is_following: Type.Boolean({ description: 'True when the viewer follows this user' }),
  },
  { title: 'FoundUser' },
)

export const TagCount = Type.Object(
  {
    tag: Type.String(),
    content_count: Type.Integer({ description: 'Number of public content items with this tag' }),
  },
  { title: 'TagCount' },
)

const SearchPagination = Type.Object(
  {
    ...Pagination.properties,
    total_is_minimum: Type.Boolean({
      description: `True when more than ${FOUND_MAX} rows match. The list then contains the newest ${FOUND_MAX}`,
    }),
  },
  { title: 'SearchPagination' },
)

export const SearchResult = Type.Object(
  {
    feeds: Type.Optional(Type.Array(Content)),
    users: Type.Optional(Type.Array(FoundUser)),
    tags: Type.Optional(Type.Array(TagCount)),
    posts: Type.Optional(Type.Array(Post)),
    pagination: SearchPagination,
  },
  { title: 'SearchResult', description: 'One list, of the kind that was searched' },
)

export type Outcome = Static<typeof SearchResult>

export function searchPagination(page: PageInput, found: number) {
  const total = Math.min(found, FOUND_MAX)
  return { ...paginationOf(page, total), total_is_minimum: found > FOUND_MAX }
}

export const SuggestQuery = Type.Object({
  q: Type.String({ maxLength: SUGGEST_MAX, examples: ['한강'] }),
})

export const Suggestions = Type.Object({
  users: Type.Array(UserRef, { description: 'Up to 5, most followed first' }),
  tags: Type.Array(TagCount, { description: 'Up to 5, most used first' }),
})
