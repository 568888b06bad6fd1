/**
 * Queries and responses of lists (docs/api.md, Lists). Page-based lists use `page` and `per_page` and return
 * `pagination`. Cursor-based lists use `limit` and `before` and return `next_cursor`.
 */
import { Type } from 'typebox'
import type { Range } from '../db/statement.ts'
import { invalid } from '../errors.ts'
import { textOrNull } from './fields.ts'

const PER_PAGE_MAX = 100
/** Maximum page number. It keeps `offset` within the integer range of both database engines. */
const PAGE_MAX = 1_000_000_000

export const PageQuery = {
  page: Type.Integer({
    minimum: 1,
    maximum: PAGE_MAX,
    default: 1,
    description: 'Page number, starting at 1',
  }),
  per_page: Type.Integer({
    minimum: 1,
    maximum: PER_PAGE_MAX,
    default: 20,
    description: 'Entries per page',
  }),
}

export const Pagination = Type.Object(
  {
    page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer(),
    total_pages: Type.Integer(),
    has_next: Type.Boolean(),
    has_prev: Type.Boolean(),
  },
  { title: 'Pagination' },
)

export interface PageInput {
  page: number
  per_page: number
}

export function offsetOf({ page, per_page }: PageInput): Range {
  return { limit: per_page, offset: (page - 1) * per_page }
}

/** Returns the `pagination` of a response. The page may be past the end. */
export function paginationOf({ page, per_page }: PageInput, total: number) {
  const total_pages = Math.ceil(total / per_page)
  return { page, per_page, total, total_pages, has_next: page < total_pages, has_prev: page > 1 }
}

export const examplePagination = paginationOf({ page: 1, per_page: 20 }, 1)

export function cursorQuery(defaultLimit: number) {
  return {
    limit: Type.Integer({
      minimum: 1,
      maximum: PER_PAGE_MAX,
      default: defaultLimit,
      description: 'Entries per page',
    }),
    before: Type.Optional(
      Type.String({
        description: 'Returns the entries after this one: the `next_cursor` of the previous page',
      }),
    ),
  }
}

export const NextCursor = textOrNull({
  description: 'Value of `before` for the next page; null on the last page',
})

export function unknownCursor() {
  return invalid('before', 'invalid.cursor')
}

/**
 * Returns the first `limit` rows, and as cursor of the next page the id of the last one. The cursor is null on
 * the last page. `found` must be queried with `limit + 1`.
 */
export function cutPage<T extends { id: string }>(found: T[], limit: number) {
  const rows = found.slice(0, limit)
  return { rows, next_cursor: found.length > limit ? (rows.at(-1)?.id ?? null) : null }
}
