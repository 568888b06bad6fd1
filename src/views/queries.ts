import { deleteSome } from '../db/batches.ts'
import { sql } from 'kysely'
import { addToViewCounts } from '../contents/queries.ts'
import { isOpen } from '../db/visibility.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { listRowsLocked } from '../db/rows.ts'
import { statement } from '../db/statement.ts'
import { addToViewDays } from '../stats/days.ts'

/** A view of a content item. `hour` is the number of hours since 1970. */
export type View = { content_id: string; viewer: string; hour: number }

const PRUNED_AT_ONCE = 1000

const dayOf = (hour: number) => Math.floor(hour / 24)

const insert = statement((q, p: { views: View[] }, dialect) =>
  q
    .insertInto('content_views')
    .columns(['content_id', 'viewer', 'hour'])
    .expression(
      q
        .selectFrom(
          sql<View>`${dialect.rows(p.views, { content_id: 'text', viewer: 'text', hour: 'integer' })}`.as(
            'views',
          ),
        )
        .select(['views.content_id', 'views.viewer', 'views.hour'])
        // SQLite needs a WHERE clause here to tell ON CONFLICT from the ON of a join.
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['content_id', 'hour']),
)

/**
 * Counts views of content items, once per item, viewer and hour. Ignores views of items that only their author and
 * moderators can open by now.
 */
export async function addViews(tx: Tx, views: View[]): Promise<void> {
  const ids = [...new Set(views.map(({ content_id }) => content_id))]
  const locked = await listRowsLocked(tx, 'content_stats', { content_id: ids }, 'content_id')
  const contents = new Map(
    locked.filter(isOpen).map(({ content_id, creator_id }) => [content_id, creator_id]),
  )
  const counted = views.filter(({ content_id }) => contents.has(content_id))
  if (counted.length === 0) return
  const inserted = await tx.all(insert, { views: counted })
  const byContent = Map.groupBy(inserted, ({ content_id }) => content_id)
  const seen = [...byContent].map(([content_id, rows]) => ({ content_id, count: rows.length }))
  if (seen.length === 0) return
  await addToViewCounts(tx, seen)
  const byDay = Map.groupBy(inserted, (row) => `${row.content_id} ${dayOf(row.hour)}`)
  await addToViewDays(
    tx,
    [...byDay.values()].map((rows) => {
      const { content_id, hour } = rows[0] as View
      const creator_id = contents.get(content_id) as string
      return { content_id, day: dayOf(hour), creator_id, views: rows.length }
    }),
  )
}

const prune = statement((q, p: { hour: number }, { engine }) =>
  q.deleteFrom('content_views').where((e) => {
    const old = e
      .selectFrom('content_views')
      .select(['content_id', 'viewer', 'hour'])
      .where('hour', '<', p.hour)
      .orderBy('hour')
      .limit(PRUNED_AT_ONCE)
    // Skips rows that another process is deleting, and does not wait for their locks.
    const free = engine === 'postgres' ? old.forUpdate().skipLocked() : old
    return e(
      e.refTuple('content_id', 'viewer', 'hour'),
      'in',
      free.$asTuple('content_id', 'viewer', 'hour'),
    )
  }),
)

/** Deletes up to PRUNED_AT_ONCE views from before `hour` (hours since 1970). */
export async function deleteOldViews(db: Handle, hour: number): Promise<void> {
  await db.run(prune, { hour })
}

/** Deletes up to `limit` views of a content item without changing its view count. Returns their number. */
export function eraseViews(tx: Tx, contentId: string, limit: number): Promise<number> {
  const key = ['content_id', 'viewer', 'hour'] as const
  return deleteSome(tx, 'content_views', key, { content_id: contentId }, limit)
}
