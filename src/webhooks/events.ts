/** Inserts webhook events and their deliveries. */
import type { WebhookDeliveryRow } from '../db/console-tables.ts'
import type { Tx } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import { insertAll, insertRow } from '../db/rows.ts'
import type { EventKind, TEST_KIND } from './kinds.ts'

export interface Payload {
  id: string
  type: string
  created_at: string
  api_version: 'v1'
  data: object
}

/**
 * Inserts a webhook event and returns its id and time. Call it while holding the lock of the changed record, so that
 * event ids have the order of the changes.
 */
export async function insertEvent(
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
