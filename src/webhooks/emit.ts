/**
 * Writes webhook events. An event and its deliveries are written in the transaction of the change, so a change
 * that is rolled back is never reported.
 */
import { sql } from 'kysely'
import type { WebhookDeliveryRow } from '../db/console-tables.ts'
import type { Tx } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import { insertAll, insertRow } from '../db/rows.ts'
import { rawQuery, statement } from '../db/statement.ts'
import type { EventKind, TEST_KIND } from './kinds.ts'

/** Event that `db.signals` emits after a commit that created deliveries. */
export const DELIVERY_PENDING = 'delivery pending'

export interface Payload {
  id: string
  type: string
  created_at: string
  api_version: 'v1'
  data: object
}

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
 * for the content of the event. Without such a webhook, costs one indexed read.
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
  const { id: event_id, createdAt } = await writeEvent(tx, kind, now, await data())
  const times = { next_attempt_at: createdAt, created_at: createdAt }
  await insertDeliveries(
    tx,
    webhooks.map(({ id: webhook_id }) => {
      return { id: newId('dlv', now), webhook_id, event_id, cause: 'event', ...times }
    }),
  )
  tx.afterCommit(() => tx.signals.emit(DELIVERY_PENDING))
}

/**
 * Inserts a webhook event and returns its id and time. Call it while holding the lock of the changed record, so that
 * event ids have the order of the changes.
 */
export async function writeEvent(
  tx: Tx,
  kind: EventKind | typeof TEST_KIND,
  now: number,
  data: object,
): Promise<{ id: string; createdAt: number }> {
  const id = newId('evt', now)
  const createdAt = timeOf(id)
  const created_at = new Date(createdAt).toISOString()
  const payload: Payload = { id, type: kind, created_at, api_version: 'v1', data }
  const row = { id, kind, created_at: createdAt, payload: JSON.stringify(payload) }
  await insertRow(tx, 'webhook_events', row)
  return { id, createdAt }
}

type NewDelivery = Pick<
  WebhookDeliveryRow,
  'id' | 'webhook_id' | 'event_id' | 'cause' | 'created_at'
> & { next_attempt_at: number }

const PENDING = { status: 'pending', attempt_count: 0 } as const

/** Inserts deliveries and returns their number. Skips a test while another test of the webhook is pending. */
export function insertDeliveries(tx: Tx, rows: NewDelivery[]): Promise<number> {
  const pending = rows.map((row) => ({ ...row, ...PENDING, scheduled_at: row.created_at }))
  return insertAll(tx, 'webhook_deliveries', pending)
}
