import { sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { type Dialect, type Range, rawQuery, statement, statementFamily } from '../db/statement.ts'
import { shownTags, type TagRow } from '../search/tags.ts'

type ListParams = Range & {
  viewerId: string
  from: string
  to: string
  /** Time of publication (epoch milliseconds) from which content counts for `trending`. */
  since: number
}

const ORDERS = {
  popular: sql`page.content_count desc, page.tag`,
  trending: sql`page.creators desc, page.content_count desc, page.tag`,
  name: sql`page.tag`,
}

/** Tags with which at least two creators published content since a time, with the number of these creators. */
const trendingTags = (p: ListParams, { indexedBy }: Dialect, where: unknown) => sql`
  select shown.tag, shown.content_count, listed.creators from (
    select items.tag, count(distinct stats.creator_id) as creators
    from content_tags as items ${indexedBy('content_tags_recent')} cross join content_stats as stats
    where items.published_at >= ${p.since} and stats.content_id = items.content_id
    group by items.tag having count(distinct stats.creator_id) >= 2
  ) as listed join (${shownTags(where)}) as shown on shown.tag = listed.tag`

type ListRow = { total: number } & ((TagRow & { followed: string | null }) | { tag: null })

const tags = statementFamily(
  ({ sort, byPrefix }: { sort: keyof typeof ORDERS; byPrefix: boolean }) =>
    statement((q, p: ListParams, dialect) => {
      const where = byPrefix ? sql`tag >= ${p.from} and tag < ${p.to}` : sql`true`
      const isTrending = sort === 'trending'
      const rows = isTrending ? sql`select * from found` : shownTags(where)
      const found = isTrending
        ? sql`with found as materialized (${trendingTags(p, dialect, where)})`
        : sql``
      return rawQuery(
        q,
        sql<ListRow>`${found} select counts.total, page.tag, page.content_count, own.tag as followed
          from (select count(*) as total from (${rows}) as each) as counts
          left join (select * from (${rows}) as page order by ${ORDERS[sort]} limit ${p.limit} offset ${p.offset}) as page on true
          left join tag_follows as own on own.user_id = ${p.viewerId} and own.tag = page.tag
          order by ${ORDERS[sort]}`,
      )
    }),
)

/** Returns a page of the tags that lists may show, and their total: with `byPrefix`, only tags from `from` to `to`. */
export async function listShownTags(
  db: Handle,
  choices: { sort: keyof typeof ORDERS; byPrefix: boolean },
  params: ListParams,
) {
  const rows = await db.all(tags(choices), params)
  return {
    tags: rows.flatMap((row) => (row.tag === null ? [] : [row])),
    total: rows[0]?.total ?? 0,
  }
}
