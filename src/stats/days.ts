/** Changes of the daily statistics that the triggers in `042-daily-numbers.ts` do not make. */
import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { deleteRows, listRows, updateRows } from '../db/rows.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { ERASED_OWNER } from '../users/tombstones.ts'

type ViewedDay = { content_id: string; day: number; creator_id: string; views: number }

const COLUMNS = {
  content_id: 'text',
  day: 'integer',
  creator_id: 'text',
  views: 'integer',
} as const

const addViewed = statement((q, p: { viewed: ViewedDay[] }, dialect) =>
  rawQuery(
    q,
    // Sorts the rows, so that all transactions lock them in the same order.
    sql`insert into content_days (content_id, day, creator_id, views)
      select content_id, day, creator_id, views from ${dialect.rows(p.viewed, COLUMNS)} as viewed
      where true order by content_id, day
      on conflict (content_id, day) do update set views = content_days.views + excluded.views`,
  ),
)

/** Adds views to the daily view counts. The caller holds the locks of the content items. */
export async function addToViewDays(tx: Tx, viewed: ViewedDay[]): Promise<void> {
  await tx.run(addViewed, { viewed })
}

/** Removes the days of a content item under erasure from its creator's statistics. */
export async function detachDays(tx: Tx, content_id: string): Promise<void> {
  await updateRows(tx, 'content_days', { content_id }, { creator_id: ERASED_OWNER })
}

/**
 * Deletes the statistics of up to `limit` days of a content item. Returns the number of deleted days as `count`, and
 * the sum of their views. The caller holds the lock of the content item.
 */
export async function eraseDays(
  tx: Tx,
  content_id: string,
  limit: number,
): Promise<{ count: number; views: number }> {
  const days = await listRows(tx, 'content_days', { content_id }, { by: 'day', limit })
  await deleteRows(tx, 'content_days', { content_id, day: days.map(({ day }) => day) })
  return { count: days.length, views: days.reduce((sum, { views }) => sum + views, 0) }
}

/** Deletes a creator's counts of new followers for up to `limit` days. Returns the number of deleted days. */
export async function eraseFollowerDays(tx: Tx, creator_id: string, limit: number) {
  const days = await listRows(tx, 'follower_days', { creator_id }, { by: 'day', limit })
  return deleteRows(tx, 'follower_days', { creator_id, day: days.map(({ day }) => day) })
}
