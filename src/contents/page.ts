import { type Expression, sql } from 'kysely'
import { cut, cutFromNearerEnd, type Rows } from '../db/cut.ts'
import type { Handle } from '../db/handle.ts'
import { rawQuery, type Dialect, type Query, type Range, type Statement } from '../db/statement.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import type { Language } from '../messages/language.ts'
import { isLeftOut } from '../db/user-filters.ts'
import { reactionFlags, RECORD } from './load.ts'
import { type ContentRecordRow, toContent } from './schema.ts'

export type PageOf<P> = P & Range & { viewerId: string }

/**
 * Variants of a page's statement:
 *
 * - `signedIn`: adds columns about the viewer
 * - `first`: has literals for limit and offset, so that the database plans the most requested page only once
 */
export interface PageChoices {
  signedIn: boolean
  first: boolean
}

const FIRST: Range = { limit: 20, offset: 0 }

interface CutChoices {
  /** When false, the page is empty and the database reads no rows. */
  when?: Expression<boolean>
  /** Offset of the page in `rows`. Set when `rows` is only a part of the list. */
  from?: Expression<number>
}

type Cut = (rows: Rows, choices?: CutChoices) => Expression<unknown>
/** Returns SQL for the page, read from the nearer end of the list. `rows` returns the rows in the order `way`. */
type CutNear = (rows: (way: 'asc' | 'desc') => Rows) => Expression<unknown>

interface List {
  /** Number of content items in the list. Null when the list does not exist. */
  total: Expression<number | null>
  /** Optional subquery that the page's subquery can read as the table `edge`. The database evaluates it once. */
  edge?: Expression<unknown>
  /**
   * Returns the page's subquery with the columns `content_id` and `place`, sorted by `place` and then
   * `content_id`, both descending.
   */
  action(cut: Cut, cutNear: CutNear): Expression<unknown>
  /** True for lists that show all contents, regardless of blocks, mutes and the viewer's content filter. */
  showsFiltered?: boolean
}

/** A content record with the list's total. For a page past the end, the only row has the total and a null `id`. */
type PageRow = { total: number | null } & (ContentRecordRow | { id: null })

export function pageOf(
  q: Query,
  p: Range & { viewerId: string },
  { engine }: Dialect,
  { signedIn, first }: PageChoices,
  { total, edge, action, showsFiltered = false }: List,
) {
  const limit = first ? sql.lit(FIRST.limit) : sql`${p.limit}`
  const offset = first ? sql.lit(FIRST.offset) : sql`${p.offset}`
  const exists = sql`${offset} < (select total from counts)`
  const cutPage: Cut = (rows, { when, from = offset } = {}) =>
    cut(engine, rows, when ? sql`${exists} and ${when}` : exists, { limit, offset: from })
  const cutNear: CutNear = (rows) =>
    first
      ? cutPage(rows('desc'))
      : cutFromNearerEnd(engine, (isReversed) => rows(isReversed ? 'asc' : 'desc'), p)
  const left = showsFiltered
    ? sql``
    : sql`, ${isLeftOut(signedIn ? p.viewerId : null)} as is_filtered`
  return rawQuery(
    q,
    sql<PageRow>`with counts as materialized (select cast(${total} as bigint) as total), ${edge ? sql`edge as materialized ${edge}, ` : sql``}page as ${action(cutPage, cutNear)}
      select counts.total, ${RECORD}, ${reactionFlags(signedIn, p.viewerId)}${left}
      from counts
      left join page on true
      left join contents on contents.id = page.content_id
      left join content_stats as stats on stats.content_id = contents.id
      left join users on users.id = contents.creator_id
      order by page.place desc, page.content_id desc`,
  )
}

/**
 * Reads a page of a list. Returns undefined when the list does not exist. A page past the end is empty and has
 * the correct total.
 */
export async function readPage<P extends object>(
  db: Handle,
  viewerId: string | null,
  page: PageInput,
  statementOf: (choices: PageChoices) => Statement<PageOf<P>, PageRow>,
  params: P,
  language?: Language,
) {
  const range = offsetOf(page)
  const first = range.limit === FIRST.limit && range.offset === FIRST.offset
  const statement = statementOf({ signedIn: viewerId !== null, first })
  const rows = await db.all(statement, { ...params, ...range, viewerId: viewerId ?? '' })
  const total = rows[0]?.total ?? null
  if (total === null) return undefined
  return {
    feeds: rows.flatMap((row) =>
      row.id === null || row.is_filtered ? [] : [toContent(row, viewerId, language)],
    ),
    pagination: paginationOf(page, total),
  }
}
