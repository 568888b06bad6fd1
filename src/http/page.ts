/**
 * The two kinds of list (contract, section 1). Page-based: `page`, `per_page`, and `pagination` in
 * the answer. Cursor-based: `limit`, `before`, and `next_cursor`. Integers are clamped by the
 * query reader, so what arrives here is in range.
 */
import { Type } from 'typebox'
import type { Range } from '../db/statement.ts'
import { invalid } from '../errors.ts'
import { textOrNull } from './fields.ts'

const PER_PAGE_MAX = 100
/** Keeps `offset` inside what both engines take. */
const PAGE_MAX = 1_000_000_000

export const PageQuery = {
  page: Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 1, description: 'Page, from 1' }),
  per_page: Type.Integer({
    minimum: 1,
    maximum: PER_PAGE_MAX,
    default: 20,
    description: 'Entries a page',
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

/** The rows a page shows. */
export function offsetOf({ page, per_page }: PageInput): Range {
  return { limit: per_page, offset: (page - 1) * per_page }
}

/** The `pagination` of an answer; right past the end too. */
export function paginationOf({ page, per_page }: PageInput, total: number) {
  const total_pages = Math.ceil(total / per_page)
  return { page, per_page, total, total_pages, has_next: page < total_pages, has_prev: page > 1 }
}

/** Of a list with one entry, for the reference. */
export const examplePagination = paginationOf({ page: 1, per_page: 20 }, 1)

/** Query fields of a cursor-based list. */
export function cursorQuery(defaultLimit: number) {
  return {
    limit: Type.Integer({
      minimum: 1,
      maximum: PER_PAGE_MAX,
      default: defaultLimit,
      description: 'Entries a page',
    }),
    before: Type.Optional(Type.String({ description: 'Continue after this entry of the list' })),
  }
}

export const NextCursor = textOrNull({
  description: 'What to send as `before` for the next page; null at the end',
})

/** 422 on `before`: the cursor names nothing in this list. */
export function unknownCursor() {
  return invalid('before', 'invalid.cursor')
}

/** Splits what was fetched with `limit + 1` into the page and the cursor of the next one. */
export function cutPage<T extends { id: string }>(found: T[], limit: number) {
  const rows = found.slice(0, limit)
  return { rows, next_cursor: found.length > limit ? (rows.at(-1)?.id ?? null) : null }
}
