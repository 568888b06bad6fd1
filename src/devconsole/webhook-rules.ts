import type { Handle, Tx } from '../db/handle.ts'
import { isId, newId, timeOf } from '../db/ids.ts'
import type { DeliveryCause, WebhookRow } from '../db/console-tables.ts'
import { requireApp } from './rules.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { spend } from '../limits/rules.ts'
import { findUserLocked } from '../users/accounts.ts'
import {
  countDeliveries,
  type DeliveryListRow,
  endDeliveries,
  findDelivery,
  listAttempts,
  listDeliveryRows,
} from '../webhooks/delivery-queries.ts'
import { insertDeliveries, insertEvent } from '../webhooks/events.ts'
import { TEST_KIND } from '../webhooks/kinds.ts'
import {
  countWebhooks,
  findWebhook,
  findWebhookLocked,
  insertWebhook,
  listWebhookRows,
  updateWebhookRow,
} from '../webhooks/queries.ts'
import {
  type CreateWebhookInput,
  type DeliveryRecord,
  eventsToJson,
  toDelivery,
  toWebhook,
  type UpdateWebhookInput,
  type WebhookRecord,
} from './webhook-schema.ts'
import { asPrevious, newSecrets, sealSecrets, type Secrets } from '../webhooks/secrets.ts'

const WEBHOOKS_OF_APP_MAX = 20
const WEBHOOKS_OF_USER_MAX = 100
const OVERLAP_MS = 24 * 60 * 60 * 1000
const MANUAL_MAX = 60
const ASKED_WINDOW_MS = 60_000
/** Milliseconds after which an unfinished first attempt of a test or redelivery is repeated. */
const MANUAL_LEASE_MS = 20_000

/** A webhook with its unencrypted secrets, which are returned only once. */
type IssuedWebhook = Secrets & { webhook: WebhookRecord }

/** Returns the webhooks of an app, newest first. Errors: 404 APP_NOT_FOUND. */
export async function listWebhooks(
  db: Handle,
  viewer: Viewer,
  appId: string,
): Promise<WebhookRecord[]> {
  await requireApp(db, viewer, appId)
  return (await listWebhookRows(db, appId)).map(toWebhook)
}

/** Creates a webhook and returns its secrets. Errors: 404 APP_NOT_FOUND, 409 LIMIT_REACHED. */
export function createWebhook(
  db: Handle,
  viewer: Viewer,
  appId: string,
  { encryptionKey, ...input }: CreateWebhookInput & { encryptionKey: string },
  now: number,
): Promise<IssuedWebhook> {
  return db.transaction(async (tx) => {
    // Locks the user, so that the number of the user's webhooks cannot change.
    await findUserLocked(tx, viewer.id)
    await requireApp(tx, viewer, appId)
    const ofApp = (await listWebhookRows(tx, appId)).length
    if (ofApp >= WEBHOOKS_OF_APP_MAX) throw new ApiError('LIMIT_REACHED')
    if ((await countWebhooks(tx, viewer.id)) >= WEBHOOKS_OF_USER_MAX) {
      throw new ApiError('LIMIT_REACHED')
    }
    const id = newId('whk', now)
    const secrets = newSecrets()
    const row: WebhookRow = {
      id,
      owner_id: viewer.id,
      app_id: appId,
      endpoint_url: input.endpoint_url,
      events: eventsToJson(input.events),
      is_active: 1,
      failure_count: 0,
      failing_since: null,
      failed_at: null,
      failing_ms: 0,
      ...sealSecrets(encryptionKey, id, secrets),
      previous_signing_secret: null,
      previous_until: null,
      ended_count: 0,
      lease: null,
      leased_until: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    }
    await insertWebhook(tx, row)
    return { webhook: toWebhook(row), ...secrets }
  })
}

/**
 * Fails the pending deliveries of a disabled webhook, so that enabling it does not send them. Works in batches,
 * so that other transactions can run in between.
 */
async function endLeftOver(db: Handle, viewer: Viewer, id: string, now: number): Promise<void> {
  const endBatch = () =>
    db.transaction(async (tx) => {
      const { is_active } = await lockOwnWebhook(tx, viewer, id)
      return is_active ? 0 : endDeliveries(tx, id, now)
    })
  let ended: number
  do ended = await endBatch()
  while (ended > 0)
}

async function lockOwnWebhook(tx: Tx, viewer: Viewer, id: string): Promise<WebhookRow> {
  const webhook = await findWebhookLocked(tx, id, viewer.id)
  if (!webhook) throw new ApiError('WEBHOOK_NOT_FOUND')
  return webhook
}

/**
 * Updates a webhook. Disabling it fails a batch of its pending deliveries at once and the others later.
 * Enabling it or changing its URL resets the failure count. Errors: 404 WEBHOOK_NOT_FOUND.
 */
export async function updateWebhook(
  db: Handle,
  viewer: Viewer,
  id: string,
  input: UpdateWebhookInput,
  now: number,
): Promise<WebhookRecord> {
  if (input.is_active) await endLeftOver(db, viewer, id, now)
  return db.transaction(async (tx) => {
    const before = await lockOwnWebhook(tx, viewer, id)
    if (Object.keys(input).length === 0) return toWebhook(before)
    const { endpoint_url = before.endpoint_url, events, is_active } = input
    const after: WebhookRow = {
      ...before,
      endpoint_url,
      events: events ? eventsToJson(events) : before.events,
      is_active: is_active === undefined ? before.is_active : is_active ? 1 : 0,
      updated_at: Math.max(now, before.updated_at),
    }
    const isOther = endpoint_url !== before.endpoint_url
    if (isOther || after.is_active > before.is_active) {
      after.failure_count = 0
      after.failing_since = null
      after.failed_at = null
      after.failing_ms = 0
    }
    await updateWebhookRow(tx, after)
    if (!after.is_active) await endDeliveries(tx, id, now)
    return toWebhook(after)
  })
}

/** Deletes a webhook with its secrets and fails its pending deliveries. Errors: 404 WEBHOOK_NOT_FOUND. */
export function deleteWebhook(db: Handle, viewer: Viewer, id: string, now: number): Promise<void> {
  return db.transaction(async (tx) => {
    const webhook = await lockOwnWebhook(tx, viewer, id)
    await updateWebhookRow(tx, {
      ...webhook,
      is_active: 0,
      secret: null,
      signing_secret: null,
      previous_signing_secret: null,
      previous_until: null,
      updated_at: Math.max(now, webhook.updated_at),
      deleted_at: now,
    })
    await endDeliveries(tx, id, now)
  })
}

/**
 * Replaces both secrets and returns the new ones. For OVERLAP_MS, the previous signing secret also signs each
 * request. Errors: 404 WEBHOOK_NOT_FOUND.
 */
export function rotateWebhookSecrets(
  db: Handle,
  viewer: Viewer,
  id: string,
  encryptionKey: string,
  now: number,
): Promise<IssuedWebhook> {
  return db.transaction(async (tx) => {
    const webhook = await lockOwnWebhook(tx, viewer, id)
    const secrets = newSecrets()
    await updateWebhookRow(tx, {
      ...webhook,
      ...sealSecrets(encryptionKey, id, secrets),
      ...asPrevious(encryptionKey, id, webhook, now + OVERLAP_MS),
      updated_at: Math.max(now, webhook.updated_at),
    })
    return { webhook: toWebhook(webhook), ...secrets }
  })
}

/** Returns a page of a webhook's deliveries, newest first. Errors: 404 WEBHOOK_NOT_FOUND. */
export async function listDeliveries(db: Handle, viewer: Viewer, id: string, query: PageInput) {
  const webhook = await findWebhook(db, id, viewer.id)
  if (!webhook) throw new ApiError('WEBHOOK_NOT_FOUND')
  const total = await countDeliveries(db, id)
  const range = offsetOf(query)
  const rows = range.offset < total ? await listDeliveryRows(db, id, range) : []
  return { deliveries: await toRecords(db, rows), pagination: paginationOf(query, total) }
}

async function toRecords(db: Handle, rows: DeliveryListRow[]): Promise<DeliveryRecord[]> {
  const attempts = await listAttempts(
    db,
    rows.map(({ id }) => id),
  )
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id)
  return rows.map((row) => toDelivery(row, byDelivery.get(row.id) ?? []))
}

async function requireDelivery(db: Handle, webhookId: string, id: string) {
  const delivery = isId('dlv', id) ? await findDelivery(db, id, webhookId) : undefined
  if (!delivery) throw new ApiError('DELIVERY_NOT_FOUND')
  return delivery
}

export async function getDelivery(
  db: Handle,
  webhookId: string,
  id: string,
): Promise<DeliveryRecord> {
  const [record] = await toRecords(db, [await requireDelivery(db, webhookId, id)])
  return record as DeliveryRecord
}

/**
 * Creates a test delivery, also for a disabled webhook. The caller makes the only attempt after the commit.
 * Errors: 404 WEBHOOK_NOT_FOUND; 429 RATE_LIMITED, also while another test is pending.
 */
export function testWebhook(db: Handle, viewer: Viewer, id: string, now: number) {
  return db.transaction(async (tx) => {
    const webhook = toWebhook(await lockOwnWebhook(tx, viewer, id))
    await spendAsked(tx, viewer, now)
    const event = await insertEvent(tx, TEST_KIND, now, { webhook })
    return writeAsked(tx, 'test', id, event.id, now)
  })
}

/**
 * Creates a new delivery of the same event. The caller makes the first attempt after the commit. Errors: 404
 * WEBHOOK_NOT_FOUND, 404 DELIVERY_NOT_FOUND, 429 RATE_LIMITED.
 */
export function redeliverEvent(
  db: Handle,
  viewer: Viewer,
  webhookId: string,
  id: string,
  now: number,
) {
  return db.transaction(async (tx) => {
    await lockOwnWebhook(tx, viewer, webhookId)
    const { event_id } = await requireDelivery(tx, webhookId, id)
    await spendAsked(tx, viewer, now)
    return writeAsked(tx, 'redelivery', webhookId, event_id, now)
  })
}

async function spendAsked(tx: Tx, viewer: Viewer, now: number): Promise<void> {
  const bucket = `webhook:asked:${viewer.id}`
  await spend(tx, [{ bucket, max: MANUAL_MAX, windowMs: ASKED_WINDOW_MS }], now)
}

async function writeAsked(
  tx: Tx,
  cause: Exclude<DeliveryCause, 'event'>,
  webhook_id: string,
  event_id: string,
  now: number,
): Promise<DeliveryRecord> {
  const id = newId('dlv', now)
  const created_at = timeOf(id)
  const next_attempt_at = created_at + MANUAL_LEASE_MS
  const row = { id, webhook_id, event_id, cause, next_attempt_at, created_at }
  if ((await insertDeliveries(tx, [row])) === 0) {
    throw new ApiError('RATE_LIMITED', { retryAfter: 1 })
  }
  return getDelivery(tx, webhook_id, id)
}
