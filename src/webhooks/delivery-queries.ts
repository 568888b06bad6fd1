import { notNull } from '../db/conditions.ts'
import { sql } from 'kysely'
import { BATCH, inBatches } from '../db/batches.ts'
import type {
  WebhookAttemptRow,
  WebhookDeliveryRow,
  WebhookEventRow,
} from '../db/console-tables.ts'
import type { Db, Handle, Tx } from '../db/handle.ts'
import { deleteRows, insertRow, listRows, addToRows, updateRows } from '../db/rows.ts'
import { floorId } from '../db/ids.ts'
import { type Query, type Range, statement } from '../db/statement.ts'

export type DeliveryListRow = WebhookDeliveryRow & Pick<WebhookEventRow, 'kind'>

const records = (q: Query) =>
  q
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .selectAll('delivery')
    .select('event.kind')

const page = statement((q, p: Range & { webhookId: string }) =>
  records(q)
    .where('delivery.id', 'in', (e) =>
      // Selects only ids, so that rows before the offset are read from the index alone.
      e
        .selectFrom(
          e
            .selectFrom('webhook_deliveries')
            .select('id')
            .where('webhook_id', '=', p.webhookId)
            .orderBy('id', 'desc')
            .limit(p.limit)
            .offset(p.offset)
            .as('page'),
        )
        .select('page.id'),
    )
    .orderBy('delivery.id', 'desc'),
)

export function listDeliveryRows(
  db: Handle,
  webhookId: string,
  range: Range,
): Promise<DeliveryListRow[]> {
  return db.all(page, { webhookId, ...range })
}

const count = statement((q, p: { webhookId: string }) =>
  q
    .selectFrom('webhooks')
    .select((e) =>
      e(
        'ended_count',
        '+',
        e
          .selectFrom('webhook_deliveries')
          .select((pending) => pending.fn.countAll<number>().as('count'))
          .where('webhook_id', '=', p.webhookId)
          .where('next_attempt_at', 'is not', null),
      ).as('count'),
    )
    .where('id', '=', p.webhookId),
)

/** Returns the number of a webhook's deliveries: the stored number of ended ones plus the counted pending ones. */
export async function countDeliveries(db: Handle, webhookId: string): Promise<number> {
  return (await db.first(count, { webhookId }))?.count ?? 0
}

const byId = statement((q, p: { id: string; webhookId: string }) =>
  records(q).where('delivery.id', '=', p.id).where('delivery.webhook_id', '=', p.webhookId),
)

export function findDelivery(
  db: Handle,
  id: string,
  webhookId: string,
): Promise<DeliveryListRow | undefined> {
  return db.first(byId, { id, webhookId })
}

export async function listAttempts(db: Handle, ids: string[]): Promise<WebhookAttemptRow[]> {
  return ids.length === 0
    ? []
    : listRows(db, 'webhook_attempts', { delivery_id: ids }, { by: ['delivery_id', 'number'] })
}

export async function insertAttempt(tx: Tx, attempt: WebhookAttemptRow): Promise<void> {
  await insertRow(tx, 'webhook_attempts', attempt)
}

type Progress = Pick<
  WebhookDeliveryRow,
  'id' | 'status' | 'attempt_count' | 'next_attempt_at' | 'scheduled_at' | 'ended_at'
>

/**
 * Stores the progress of a delivery. Returns false when the result of attempt `attempt_count` is already stored
 * or the delivery has ended.
 */
export async function updateProgress(tx: Tx, delivery: Progress): Promise<boolean> {
  const { id, status, attempt_count, next_attempt_at, scheduled_at, ended_at } = delivery
  const changes = { status, attempt_count, next_attempt_at, scheduled_at, ended_at }
  const before = { id, attempt_count: attempt_count - 1, next_attempt_at: notNull }
  return (await updateRows(tx, 'webhook_deliveries', before, changes)) > 0
}

/** Adds `change` to the number of a webhook's ended deliveries. `change` is negative after deletions. */
export async function addToEnded(tx: Tx, webhookId: string, change: number): Promise<void> {
  await addToRows(tx, 'webhooks', { id: webhookId }, { ended_count: change })
}

/**
 * Returns the SQL condition for deliveries that end as failed when their webhook is disabled. The condition is false
 * during the first attempt of a manual delivery.
 */
export const canEnd = (now: number) =>
  sql<boolean>`not (cause <> 'event' and attempt_count = 0 and next_attempt_at > ${now})`

const end = statement((q, p: { webhookId: string; now: number }) =>
  q
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null, ended_at: p.now })
    .where('id', 'in', (e) =>
      e
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('webhook_id', '=', p.webhookId)
        .where('next_attempt_at', 'is not', null)
        .where(canEnd(p.now))
        .limit(BATCH),
    ),
)

/**
 * Marks up to BATCH pending deliveries of a webhook as failed, except those that `canEnd` excludes. Returns the
 * number of deliveries marked. The caller holds the webhook's lock.
 */
export async function endDeliveries(tx: Tx, webhookId: string, now: number): Promise<number> {
  const ended = await tx.run(end, { webhookId, now })
  if (ended > 0) await addToEnded(tx, webhookId, ended)
  return ended
}

const old = statement((q, p: { floor: string; before: number }) =>
  q
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('id', '<', p.floor)
    .where('ended_at', '<', p.before)
    .orderBy('id')
    .limit(BATCH),
)

const removeDeliveries = statement((q, p: { ids: string[] }, dialect) =>
  q.deleteFrom('webhook_deliveries').where(dialect.anyOf('id', p.ids)).returning('webhook_id'),
)
const removeEvents = statement((q, p: { floor: string }) =>
  q.deleteFrom('webhook_events').where('id', 'in', (e) =>
    e
      .selectFrom('webhook_events as event')
      .select('event.id')
      .where('event.id', '<', p.floor)
      .where((sub) =>
        sub.not(
          sub.exists(
            sub
              .selectFrom('webhook_deliveries')
              .select('webhook_deliveries.id')
              .whereRef('webhook_deliveries.event_id', '=', 'event.id'),
          ),
        ),
      )
      .limit(BATCH),
  ),
)

/** Deletes up to BATCH deliveries that ended before `before`, with their attempts. Returns the number of deliveries. */
function deleteEndedDeliveries(db: Handle, before: number): Promise<number> {
  return db.transaction(async (tx) => {
    const ids = (await tx.all(old, { floor: floorId('dlv', before), before })).map(({ id }) => id)
    if (ids.length === 0) return 0
    await deleteRows(tx, 'webhook_attempts', { delivery_id: ids })
    const removed = await tx.all(removeDeliveries, { ids })
    const byWebhook = Map.groupBy(removed, ({ webhook_id }) => webhook_id)
    for (const webhookId of [...byWebhook.keys()].sort()) {
      await addToEnded(tx, webhookId, -(byWebhook.get(webhookId)?.length ?? 0))
    }
    return removed.length
  })
}

/**
 * Deletes up to BATCH events that are older than `before` and have no deliveries. Returns the number of deleted
 * events.
 */
function deleteDeliveredEvents(db: Handle, before: number): Promise<number> {
  return db.run(removeEvents, { floor: floorId('evt', before) })
}

const RETENTION_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Deletes deliveries that ended more than 30 days ago, with their attempts. Also deletes events that are older than 30
 * days and have no deliveries.
 */
export async function deleteOldDeliveries(db: Db, now: number): Promise<void> {
  const before = now - RETENTION_MS
  for (const deleteBatch of [deleteEndedDeliveries, deleteDeliveredEvents]) {
    await inBatches(() => deleteBatch(db, before))
  }
}
