import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { updateRows } from '../db/rows.ts'
import type { Rating } from '../db/moderation-tables.ts'
import { statement } from '../db/statement.ts'
import { notify } from '../notifications/notify.ts'
import { emit } from '../webhooks/emit.ts'
import { loadForAll } from './load.ts'
import { findContentRow, findStatsLocked } from './queries.ts'
import type { HiddenState } from './schema.ts'
import { announce } from './publish.ts'
import { refreshAccess } from './visibility.ts'

/**
 * Hides a content item, whatever its status, from everyone except its author and moderators. The stored status does
 * not change. Emits `content.hidden` if the item was public. Returns false when the item does not exist.
 */
export async function hideContent(
  tx: Tx,
  id: string,
  state: HiddenState,
  now: number,
): Promise<boolean> {
  if (!(await findStatsLocked(tx, id))) return false
  const row = await findContentRow(tx, id)
  if (!row) return false
  await updateRows(tx, 'contents', { id }, { moderation: JSON.stringify(state) })
  const [change] = await refreshAccess(tx, [row], now)
  if (change?.wasPublic) {
    const { decision_id, reason } = state
    await emit(tx, row.creator_id, 'content.hidden', now, async () => ({
      content: await loadForAll(tx, id),
      decision: { id: decision_id, reason },
    }))
  }
  return true
}

/**
 * Ends a decision's hiding of a content item. If another decision also hides the item, `next` is its state: the item
 * stays hidden and stores that state. Otherwise shows the item again. Emits `content.published` when the item first
 * becomes public, and `content.restored` when it becomes public again.
 */
export async function unhideContent(
  tx: Tx,
  id: string,
  next: HiddenState | null,
  now: number,
): Promise<void> {
  if (!(await findStatsLocked(tx, id))) return
  const row = await findContentRow(tx, id)
  if (!row || row.moderation === null) return
  if (next) {
    await updateRows(tx, 'contents', { id }, { moderation: JSON.stringify(next) })
    return
  }
  await updateRows(tx, 'contents', { id }, { moderation: null })
  const [change] = await refreshAccess(tx, [row], now)
  if (change?.isFirst) await notify(tx, await announce(tx, [change], now), now)
  else if (change?.isPublic) {
    await emit(tx, row.creator_id, 'content.restored', now, async () => ({
      content: await loadForAll(tx, id),
    }))
  }
}

const setRating = statement((q, p: { id: string; rating: string }) =>
  q
    .updateTable('contents')
    .set({
      own_rating: sql<Rating | null>`case when decided_rating is null then rating else own_rating end`,
      rating: p.rating as Rating,
      decided_rating: p.rating as Rating,
    })
    .where('id', '=', p.id),
)
const clearRating = statement((q, p: { id: string }) =>
  q
    .updateTable('contents')
    .set({
      rating: sql<Rating>`coalesce(own_rating, rating)`,
      own_rating: null,
      decided_rating: null,
    })
    .where('id', '=', p.id),
)

/**
 * Sets a content item's rating, which is then the lowest that the author may choose. Null lifts that limit and
 * restores the author's last choice. The caller holds the lock of the content item.
 */
export async function setDecidedRating(tx: Tx, id: string, rating: Rating | null): Promise<void> {
  await (rating === null ? tx.run(clearRating, { id }) : tx.run(setRating, { id, rating }))
}
