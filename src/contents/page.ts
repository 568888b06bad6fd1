/**
 * A page of a list of works: its ids, the records of those and the total of the list, by one
 * statement and so of one moment.
 */
import { type Expression, sql } from 'kysely'
import { cut, cutFromNearerEnd, type Rows } from '../db/cut.ts'
import type { Handle } from '../db/handle.ts'
import { bare, type Dialect, type Query, type Range, type Statement } from '../db/statement.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { marksOf, RECORD } from './load.ts'
import { type ContentRecordRow, toContent } from './schema.ts'

/** What statements of pages bind, beside what tells the list. */
export type PageOf<P> = P & Range & { viewerId: string }

/** Which statement of a family: that of the first page, as most ask for it, holds its numbers. */
export interface PageChoices {
  signedIn: boolean
  first: boolean
}

/** As an engine plans it once and for all. */
const FIRST: Range = { limit: 20, offset: 0 }

interface CutChoices {
  /** Where it is false, the page is empty, and nothing is looked for. */
  when?: Expression<boolean>
  /** How many of the rows come before the page, where they are not all of the list. */
  from?: Expression<number>
}

/** Cuts the page out of ordered rows. */
type Cut = (rows: Rows, choices?: CutChoices) => Expression<unknown>
/** The same from the nearer end of rows that are ordered either way. */
type CutNear = (rows: (way: 'asc' | 'desc') => Rows) => Expression<unknown>

interface List {
  /** Null where there is no such list. */
  total: Expression<number | null>
  /** A subquery that `works` may look at as the table `edge`: made once, after `counts`. */
  edge?: Expression<unknown>
  /** A subquery of `content_id` and `place` of each work, in descending order of place and id, cut. */
  works(cut: Cut, cutNear: CutNear): Expression<unknown>
}

/** A record with the total; past the end one row that has the total alone. */
type PageRow = { total: number | null } & (ContentRecordRow | { id: null })

/** The statement of a page. */
export function pageOf(
  q: Query,
  p: Range & { viewerId: string },
  { engine }: Dialect,
  { signedIn, first }: PageChoices,
  { total, edge, works }: List,
) {
  const limit = first ? sql.lit(FIRST.limit) : sql`${p.limit}`
  const offset = first ? sql.lit(FIRST.offset) : sql`${p.offset}`
  const isThere = sql`${offset} < (select total from counts)`
  const cutPage: Cut = (rows, { when, from = offset } = {}) =>
    cut(engine, rows, when ? sql`${isThere} and ${when}` : isThere, { limit, offset: from })
  const cutNear: CutNear = (rows) =>
    first
      ? cutPage(rows('desc'))
      : cutFromNearerEnd(engine, (isReversed) => rows(isReversed ? 'asc' : 'desc'), p)
  return bare(
    q,
    sql<PageRow>`with counts as materialized (select cast(${total} as bigint) as total), ${edge ? sql`edge as materialized ${edge}, ` : sql``}page as ${works(cutPage, cutNear)}
      select counts.total, ${RECORD}, ${marksOf(signedIn, p.viewerId)}
      from counts
      left join page on true
      left join contents on contents.id = page.content_id
      left join content_stats as stats on stats.content_id = contents.id
      left join users on users.id = contents.creator_id
      order by page.place desc, page.content_id desc`,
  )
}

/**
 * Reads a page, with the viewer's flags; undefined where there is no such list. Right past the end
 * too: nothing, and the true total.
 */
export async function readPage<P extends object>(
  db: Handle,
  viewerId: string | null,
  page: PageInput,
  statementOf: (choices: PageChoices) => Statement<PageOf<P>, PageRow>,
  params: P,
) {
  const range = offsetOf(page)
  const first = range.limit === FIRST.limit && range.offset === FIRST.offset
  const statement = statementOf({ signedIn: viewerId !== null, first })
  const rows = await db.all(statement, { ...params, ...range, viewerId: viewerId ?? '' })
  const total = rows[0]?.total ?? null
  if (total === null) return undefined
  return {
    feeds: rows.flatMap((row) => (row.id === null ? [] : [toContent(row, viewerId)])),
    pagination: paginationOf(page, total),
  }
}
