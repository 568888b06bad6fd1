/**
 * The outbox: an event is written in the transaction of the fact it tells, with a delivery for each
 * webhook that asked for it. A fact that is rolled back was never told.
 */
import type { Tx } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import { insertDeliveries, insertEvent } from './delivery-queries.ts'
import type { EventKind, TEST_KIND } from './kinds.ts'
import { listListeners } from './queries.ts'
import { deliveriesLeft } from './wake.ts'

/** What receivers get: the event and the API's own records by name. */
export interface Payload {
  id: string
  type: string
  created_at: string
  api_version: 'v1'
  data: object
}

/**
 * Tells an event to the webhooks of this person's apps. `data` is asked only when there is one that
 * wants it. An act that many do asks `isListening` first, in a statement of its own.
 */
export async function emit(
  tx: Tx,
  ownerId: string,
  kind: EventKind,
  now: number,
  data: () => Promise<object>,
): Promise<void> {
  const listeners = await listListeners(tx, ownerId)
  const ids = listeners
    .filter(({ events }) => (JSON.parse(events) as string[]).includes(kind))
    .map(({ id }) => id)
  if (ids.length === 0) return
  const event = await writeEvent(tx, kind, now, await data())
  await insertDeliveries(
    tx,
    ids.map((webhook_id) => ({
      id: newId('dlv', now),
      webhook_id,
      event_id: event.id,
      cause: 'event',
      next_attempt_at: event.createdAt,
      created_at: event.createdAt,
    })),
  )
  deliveriesLeft.raise(tx)
}

/** Its id is made here, under the locks of the fact, so that events of one thing have its order. */
export async function writeEvent(
  tx: Tx,
  kind: EventKind | typeof TEST_KIND,
  now: number,
  data: object,
): Promise<{ id: string; createdAt: number }> {
  const id = newId('evt', now)
  const createdAt = timeOf(id)
  const payload: Payload = {
    id,
    type: kind,
    created_at: new Date(createdAt).toISOString(),
    api_version: 'v1',
    data,
  }
  await insertEvent(tx, { id, kind, created_at: createdAt, payload: JSON.stringify(payload) })
  return { id, createdAt }
}
