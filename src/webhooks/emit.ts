import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { insertDeliveries, insertEvent } from './events.ts'
import type { EventKind } from './kinds.ts'

/** Event that `db.signals` emits after a commit that created deliveries. */
export const DELIVERY_PENDING = 'delivery pending'

// Searches the JSON list for the kind with its quotes, so that part of a longer kind does not match.
const subscribers = statement((q, p: { ownerId: string; kind: string }, dialect) =>
  rawQuery<{ id: string }>(
    q,
    sql`select id from webhooks
      where owner_id = ${p.ownerId} and is_active = 1 and deleted_at is null
        and exists (select 1 from apps where apps.id = webhooks.app_id and apps.deleted_at is null)
        and ${dialect.contains('events', p.kind)}
      order by id`,
  ),
)

/**
 * Inserts an event and its deliveries if an enabled webhook of this user subscribes to `kind`. Only then calls `data`
 * for the content of the event. Without such a webhook, costs one indexed read. Call it in the transaction of the
 * change, so that a change that is rolled back is never reported.
 */
export async function emit(
  tx: Tx,
  ownerId: string,
  kind: EventKind,
  now: number,
  data: () => Promise<object>,
): Promise<void> {
  const webhooks = await tx.all(subscribers, { ownerId, kind: JSON.stringify(kind) })
  if (webhooks.length === 0) return
  const { id: event_id, createdAt } = await insertEvent(tx, kind, now, await data())
  const times = { next_attempt_at: createdAt, created_at: createdAt }
  const deliveries = webhooks.map(({ id: webhook_id }) => {
    return { id: newId('dlv', now), webhook_id, event_id, cause: 'event' as const, ...times }
  })
  await insertDeliveries(tx, deliveries)
  tx.afterCommit(() => tx.signals.emit(DELIVERY_PENDING))
}
