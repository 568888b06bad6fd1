/**
 * An event and its deliveries are written in the transaction of the change, so a change that is rolled back
 * is never reported.
 */
import type { Tx } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import { insertDeliveries, insertEvent } from './delivery-queries.ts'
import type { EventKind, TEST_KIND } from './kinds.ts'
import { listSubscribers } from './queries.ts'

/** Signal of the database handle after a commit that created deliveries. */
export const DELIVERY_PENDING = 'delivery pending'

export interface Payload {
  id: string
  type: string
  created_at: string
  api_version: 'v1'
  data: object
}

/**
 * Calls `data` only if an enabled webhook of this user subscribes to `kind`. Otherwise costs one indexed
 * read.
 */
export async function emit(
  tx: Tx,
  ownerId: string,
  kind: EventKind,
  now: number,
  data: () => Promise<object>,
): Promise<void> {
  const ids = await listSubscribers(tx, ownerId, kind)
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
  tx.afterCommit(() => tx.signals.emit(DELIVERY_PENDING))
}

/**
 * Call it under the locks of the change, so that the event ids of a record follow the order of its changes.
 */
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
