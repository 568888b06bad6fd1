/**
 * Stores the result of an attempt under the lock of the webhook: the log entry, the next attempt or final status, and
 * the webhook's health.
 */
import type { Tx } from '../db/handle.ts'
import type { DeliveryStatus, WebhookRow } from '../db/console-tables.ts'
import type { FetchResult } from '../outbound/fetch-result.ts'
import { notify } from '../notifications/notify.ts'
import { addToEnded, endDeliveries, insertAttempt, updateProgress } from './delivery-queries.ts'
import type { Sending } from './queue-queries.ts'
import { lockWebhook, updateHealth } from './queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Milliseconds for which a webhook may fail before the server disables it (docs/api.md, Webhooks). */
const FAILING_MAX_MS = 5 * DAY_MS
/**
 * Maximum milliseconds that the gap between two failures adds to the failing time. During a longer gap, the server may
 * have been stopped or its clock may have been set.
 */
const STEP_MAX_MS = DAY_MS
const RETRY_AFTER_MAX_S = 24 * 60 * 60
const JITTER_FROM_S = 10
const JITTER = 0.2
const GONE = 410

export interface Attempt {
  sending: Sending
  /** Lease of the webhook's queue; null for the first attempt of a manual delivery. */
  lease: string | null
  startedAt: number
  outcome: FetchResult
  /** False shortly after the system clock was set. */
  isClockTrusted: boolean
}

/**
 * Stores the result of an attempt and returns true. Returns false and stores nothing when the webhook is
 * missing, the lease is lost, the delivery has ended or the result is already stored.
 */
export async function recordAttempt(
  tx: Tx,
  { sending, lease, startedAt, outcome, isClockTrusted }: Attempt,
  schedule: readonly number[],
  now: number,
): Promise<boolean> {
  const webhook = await lockWebhook(tx, sending.webhook_id)
  if (!webhook || (lease !== null && webhook.lease !== lease)) return false
  const after = nextHealth(webhook, outcome, now, isClockTrusted)
  const attempt_count = sending.attempt_count + 1
  const gap =
    sending.cause === 'test' || !after.is_active ? undefined : gapAfter(attempt_count, schedule)
  const next_attempt_at =
    outcome.error === null || gap === undefined ? null : now + waitOf(gap, outcome)
  const status: DeliveryStatus =
    outcome.error === null ? 'delivered' : next_attempt_at === null ? 'failed' : 'pending'
  const ended_at = next_attempt_at === null ? now : null
  const { id } = sending
  const progress = { id, status, attempt_count, next_attempt_at, scheduled_at: now, ended_at }
  if (!(await updateProgress(tx, progress))) return false
  if (ended_at !== null) await addToEnded(tx, webhook.id, 1)
  await insertAttempt(tx, {
    delivery_id: id,
    number: attempt_count,
    at: startedAt,
    response_status: outcome.status,
    response_body: outcome.status === null ? null : outcome.body,
    error: outcome.error,
    duration_ms: outcome.durationMs,
  })
  if (after.failure_count !== webhook.failure_count) await updateHealth(tx, after)
  if (after.is_active < webhook.is_active) await notifySwitchedOff(tx, after, id, now)
  return true
}

/**
 * Returns the webhook with its health after an attempt. Disables the webhook after FAILING_MAX_MS of failures or a 410
 * response.
 */
function nextHealth(
  webhook: WebhookRow,
  outcome: FetchResult,
  now: number,
  isClockTrusted: boolean,
): WebhookRow {
  if (outcome.error === null) {
    return { ...webhook, failure_count: 0, failing_since: null, failed_at: null, failing_ms: 0 }
  }
  const sinceLast = isClockTrusted ? now - (webhook.failed_at ?? now) : 0
  const failing_ms = webhook.failing_ms + Math.min(Math.max(sinceLast, 0), STEP_MAX_MS)
  const isOver = outcome.status === GONE || failing_ms >= FAILING_MAX_MS
  return {
    ...webhook,
    failure_count: webhook.failure_count + 1,
    failing_since: webhook.failing_since ?? now,
    failed_at: now,
    failing_ms,
    ...(isOver && { is_active: 0, updated_at: Math.max(now, webhook.updated_at) }),
  }
}

async function notifySwitchedOff(
  tx: Tx,
  { id, owner_id, app_id, endpoint_url }: WebhookRow,
  deliveryId: string,
  now: number,
): Promise<void> {
  await endDeliveries(tx, id, now)
  const notification = {
    to: owner_id,
    type: 'system' as const,
    kind: 'system.webhook_disabled' as const,
    actorId: null,
    // The delivery is the subject, because each subject gets only one notification, but a webhook can be
    // disabled repeatedly.
    subjectId: deliveryId,
    params: { host: new URL(endpoint_url).host },
    link: `/devconsole/apps/${app_id}`,
  }
  await notify(tx, [notification], now)
}

/**
 * Returns the seconds from attempt number `attempts` to the next attempt, or undefined when no attempt is
 * left. Adds jitter to gaps of at least JITTER_FROM_S.
 */
function gapAfter(attempts: number, schedule: readonly number[]): number | undefined {
  const gap = schedule[attempts - 1]
  if (gap === undefined || gap < JITTER_FROM_S) return gap
  return gap * (1 + JITTER * (2 * Math.random() - 1))
}

/**
 * Returns the milliseconds until the next attempt. `gap` and Retry-After are seconds, and the longer one applies.
 * Retry-After counts as a day at most.
 */
function waitOf(gap: number, { retryAfter }: FetchResult): number {
  return Math.round(Math.max(gap, Math.min(retryAfter ?? 0, RETRY_AFTER_MAX_S)) * 1000)
}
