import { sql } from 'kysely'
import { between } from '../db/conditions.ts'
import type { Handle } from '../db/handle.ts'
import { findRow, listRows } from '../db/rows.ts'
import { type ContentDayRow, UNDATED } from '../db/stats-tables.ts'
import { rawQuery, statement } from '../db/statement.ts'

/** Range of UTC days, as numbers of days since 1970-01-01. Includes `from` and `to`. */
export interface Span {
  from: number
  to: number
}

export type DayRow = Omit<ContentDayRow, 'content_id' | 'creator_id'>

/**
 * Returns a content item's statistics for each day of the span that has any. `undated` is the number of its views
 * without a day.
 */
export async function findContentDays(db: Handle, content_id: string, { from, to }: Span) {
  const days: DayRow[] = await listRows(db, 'content_days', { content_id, day: between(from, to) })
  const undated = await findRow(db, 'content_days', { content_id, day: UNDATED })
  return { days, undated: undated?.views ?? 0 }
}

const ofCreator = statement((q, p: { creatorId: string; from: number; to: number }) =>
  rawQuery<DayRow>(
    q,
    sql`select day, ${sql.join(
      ['views', 'plays', 'likes', 'comments'].map(
        (column) => sql`cast(sum(${sql.ref(column)}) as bigint) as ${sql.ref(column)}`,
      ),
    )}, 0 as follows
      from content_days where creator_id = ${p.creatorId} and day between ${p.from} and ${p.to}
      group by day`,
  ),
)

const undatedOf = statement((q, p: { creatorId: string }) =>
  rawQuery<{ views: number }>(
    q,
    sql`select cast(coalesce(sum(views), 0) as bigint) as views from content_days
      where creator_id = ${p.creatorId} and day = ${sql.lit(UNDATED)}`,
  ),
)

/**
 * Returns the sums over a creator's content for each day of the span with statistics. New followers are in separate
 * rows. `undated` is the number of views without a day.
 */
export async function findCreatorDays(db: Handle, creatorId: string, { from, to }: Span) {
  const [days, followers, undated] = await Promise.all([
    db.all(ofCreator, { creatorId, from, to }),
    listRows(db, 'follower_days', { creator_id: creatorId, day: between(from, to) }),
    db.first(undatedOf, { creatorId }),
  ])
  const none = { views: 0, plays: 0, likes: 0, comments: 0 }
  const added = followers.map(({ day, follows }) => ({ ...none, day, follows }))
  return { days: [...days, ...added], undated: undated?.views ?? 0 }
}

const viewed = statement((q, p: { creatorId: string; from: number; to: number; limit: number }) =>
  rawQuery<{ content_id: string; views: number }>(
    q,
    sql`select content_id, cast(sum(views) as bigint) as views from content_days
      where creator_id = ${p.creatorId} and day between ${p.from} and ${p.to} and views > 0
      group by content_id order by sum(views) desc, content_id limit ${p.limit}`,
  ),
)

/** Returns the ids and views of a creator's most viewed content items in a span. */
export function listMostViewed(db: Handle, creatorId: string, span: Span, limit: number) {
  return db.all(viewed, { creatorId, ...span, limit })
}
