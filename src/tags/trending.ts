/**
 * Lists the tags with which several creators published recently. A list made from many rows is cached, because reading
 * these rows delays other requests.
 */
import { sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { shownTags } from '../search/tags.ts'

const RECENT_MS = 7 * 24 * 60 * 60 * 1000
/** Maximum rows of `content_tags` to read, most recently published first. */
const READ_MAX = 20_000
/** The list of trending tags is cached only if computing it reads more than this number of rows. */
export const UNCACHED_MAX = 1000
const LIFETIME_MS = 60_000

/**
 * Selects the tags with which at least two creators have published content since `since`, most creators first. Reads
 * only the newest `limit` tag rows. `read`, equal in every row, is the number of tag rows read. Without such tags, the
 * result is one row with a null tag.
 */
const trending = statement((q, p: { since: number; limit: number }, { indexedBy }) =>
  rawQuery<{ read: number; tag: string | null }>(
    q,
    sql`with newest as materialized (
        select tag, content_id from content_tags ${indexedBy('content_tags_recent')}
        where published_at >= ${p.since} order by published_at desc limit ${p.limit})
      select counts.read, page.tag from (select count(*) as read from newest) as counts
      left join (
        select shown.tag, shown.content_count, listed.creators from (
          select newest.tag, count(distinct stats.creator_id) as creators
          from newest cross join content_stats as stats
          where stats.content_id = newest.content_id
          group by newest.tag having count(distinct stats.creator_id) >= 2
        ) as listed join (${shownTags(sql`true`)}) as shown on shown.tag = listed.tag
      ) as page on true
      order by page.creators desc, page.content_count desc, page.tag`,
  ),
)

interface Trending {
  tags: string[]
  isCached: boolean
}

const cache = new WeakMap<Handle, { until: number; found: Promise<Trending> }>()

async function find(db: Handle, now: number): Promise<Trending> {
  const rows = await db.all(trending, { since: now - RECENT_MS, limit: READ_MAX })
  return {
    tags: rows.flatMap(({ tag }) => tag ?? []),
    isCached: (rows[0]?.read ?? 0) > UNCACHED_MAX,
  }
}

/**
 * Returns the tags with which at least two creators published content in the last 7 days, according to the latest
 * READ_MAX rows of `content_tags`. Tags with the most such creators come first, then tags with the most contents. The
 * list is cached for LIFETIME_MS if more than UNCACHED_MAX rows were read. `now` and `monotonic` are the current times
 * of both clocks.
 */
export async function listTrending(db: Handle, now: number, monotonic: number): Promise<string[]> {
  const known = cache.get(db)
  if (known && monotonic < known.until) return (await known.found).tags
  const found = find(db, now)
  const entry = { until: monotonic + LIFETIME_MS, found }
  cache.set(db, entry)
  const forget = () => cache.get(db) === entry && cache.delete(db)
  try {
    const { tags, isCached } = await found
    if (!isCached) forget()
    return tags
  } catch (error) {
    forget()
    throw error
  }
}
