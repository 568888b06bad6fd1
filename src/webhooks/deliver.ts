/**
 * Delivers webhook events at least once. Each webhook has a queue, which sends one delivery at a time; different queues
 * send in parallel. The first attempt of a manual delivery bypasses the queue. Leases divide the queues among the
 * processes. When a process is killed, another one takes over its queues after their leases expire.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type Db, DatabaseUnreachable } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { Outbound } from '../outbound/outbound.ts'
import { isPublicOrPrivate } from '../outbound/url-guard.ts'
import { SteadyClock } from '../steady-clock.ts'
import { type Attempt, recordAttempt } from './attempt-result.ts'
import { endDeliveries } from './delivery-queries.ts'
import { DELIVERY_PENDING } from './emit.ts'
import { lockWebhook } from './queries.ts'
import {
  claimQueues,
  findNextSending,
  findSending,
  listDueQueues,
  releaseQueue,
  type Sending,
} from './queue-queries.ts'
import { send } from './send.ts'

/** Milliseconds between searches for due retries, expired leases and deliveries that other processes created. */
const POLL_MS = 1000
const QUEUES = 20
/**
 * Maximum number of queues in progress whose last attempt failed. The limit stops unreachable receivers from
 * delaying other queues.
 */
const FAILING_QUEUES = 10
/**
 * Maximum number of queues of one user that a process handles at a time. The limit stops slow receivers of one user
 * from delaying the deliveries of other users.
 */
const QUEUES_OF_OWNER = 10
const DISABLED_QUEUES = 10
/** Milliseconds of a lease. Must exceed TURN_MS plus the timeout of one attempt. */
export const LEASE_MS = 20_000
/** Milliseconds after which a process starts no further delivery of a queue, so that other queues get a turn. */
const TURN_MS = 5000
const GRACE_MS = 4000

type Settings = Pick<Config, 'encryptionKey' | 'webhookAllowPrivate' | 'webhookRetrySchedule'>

export class Deliveries {
  readonly #db: Db
  readonly #clock: Clock
  readonly #steady: SteadyClock
  readonly #log: Logger
  readonly #settings: Settings
  readonly #outbound: Outbound
  readonly #queues = new Map<string, { isFailing: boolean; ownerId: string }>()
  readonly #pending = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  readonly #onPending = () => this.wake()
  #isLooking = false
  #lookAgain = false
  #isClosing = false

  constructor(db: Db, clock: Clock, settings: Settings, log: Logger) {
    this.#db = db
    this.#clock = clock
    this.#steady = new SteadyClock(clock.now(), () => clock.monotonic())
    this.#settings = settings
    this.#log = log
    this.#outbound = new Outbound(
      settings.webhookAllowPrivate ? { permits: isPublicOrPrivate } : {},
    )
  }

  start(): void {
    this.#db.signals.on(DELIVERY_PENDING, this.#onPending)
    this.#timer = setInterval(() => this.wake(), POLL_MS).unref()
    this.wake()
  }

  /** Searches for due deliveries and sends them. Costs one query when none is due. */
  wake(): void {
    this.#steady.isTrusted(this.#clock.now())
    this.#lookAgain = true
    if (this.#isLooking || this.#isClosing) return
    this.#isLooking = true
    this.#track(this.#look())
  }

  /**
   * Makes the first attempt of a test delivery or redelivery. Errors: 404 WEBHOOK_NOT_FOUND when the webhook has been
   * deleted; 503 SERVICE_UNAVAILABLE when the server stops during the attempt. The interrupted attempt is repeated later.
   */
  attempt(id: string): Promise<void> {
    const attempt = this.#attempt(id)
    this.#track(attempt)
    return attempt
  }

  /** Waits up to GRACE_MS for attempts in progress, then aborts them and releases their queues. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    this.#db.signals.off(DELIVERY_PENDING, this.#onPending)
    const ended = this.#ended()
    await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })])
    this.#outbound.close()
    await ended
  }

  async #ended(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }

  /** Makes `close` wait for the promise, and logs its error. */
  #track(pending: Promise<void>): void {
    const tracked = pending
      .catch((error: unknown) => {
        if (this.#isClosing || error instanceof DatabaseUnreachable) return
        this.#log.warn({ err: error }, 'webhook deliveries: internal error')
      })
      .finally(() => this.#pending.delete(tracked))
    this.#pending.add(tracked)
  }

  async #look(): Promise<void> {
    try {
      while (this.#lookAgain && !this.#isClosing) {
        this.#lookAgain = false
        await this.#fillQueues()
      }
    } finally {
      this.#isLooking = false
    }
  }

  async #fillQueues(): Promise<void> {
    const room = QUEUES - this.#queues.size
    if (room === 0) return
    const queues = [...this.#queues.values()]
    const failing = queues.filter(({ isFailing }) => isFailing).length
    const failingRoom = Math.max(0, FAILING_QUEUES - failing)
    const byOwner = new Map<string, number>()
    for (const { ownerId } of queues) byOwner.set(ownerId, (byOwner.get(ownerId) ?? 0) + 1)
    const now = this.#clock.now()
    const found = await listDueQueues(this.#db, {
      now,
      busy: [...this.#queues.keys()],
      full: [...byOwner].filter(([, count]) => count >= QUEUES_OF_OWNER).map(([id]) => id),
      share: QUEUES_OF_OWNER,
      withFailing: failingRoom > 0,
      limit: QUEUES,
      disabledLimit: DISABLED_QUEUES,
    })
    const due = found.filter(({ is_disabled }) => !is_disabled)
    const well = due.filter(({ failure_count }) => failure_count === 0)
    const ill = due.filter(({ failure_count }) => failure_count > 0).slice(0, failingRoom)
    const chosen = [...well, ...ill]
      .map((queue) => {
        const place = (byOwner.get(queue.owner_id) ?? 0) + 1
        byOwner.set(queue.owner_id, place)
        return { ...queue, place }
      })
      .filter(({ place }) => place <= QUEUES_OF_OWNER)
      // Queues of owners with few active queues come first.
      .sort((left, right) => left.place - right.place)
    if (chosen.length > 0) await this.#claim(chosen.slice(0, room), now)
    // Ends the deliveries of disabled webhooks last, so that other deliveries do not wait.
    for (const { id } of found.filter(({ is_disabled }) => is_disabled))
      await this.#endBatch(id, now)
  }

  async #endBatch(id: string, now: number): Promise<void> {
    const ended = await this.#db.transaction(async (tx) => {
      await lockWebhook(tx, id)
      return endDeliveries(tx, id, now)
    })
    if (ended > 0) this.#lookAgain = true
  }

  async #claim(
    chosen: { id: string; owner_id: string; failure_count: number }[],
    now: number,
  ): Promise<void> {
    const lease = randomUUID()
    const ids = chosen.map(({ id }) => id)
    const leased_until = now + LEASE_MS
    const claimed = await claimQueues(this.#db, { ids, lease, leased_until, now })
    const taken = new Set(claimed.map(({ id }) => id))
    for (const { id, owner_id, failure_count } of chosen.filter((queue) => taken.has(queue.id))) {
      this.#queues.set(id, { isFailing: failure_count > 0, ownerId: owner_id })
      const turn = this.#takeTurn(id, lease, now).finally(() => {
        this.#queues.delete(id)
        this.wake()
      })
      this.#track(turn)
    }
  }

  /**
   * Sends the due deliveries of a claimed queue, but starts none later than TURN_MS after the claim. Then releases the
   * queue. After an internal error the queue stays leased, which delays the next attempt.
   */
  async #takeTurn(id: string, lease: string, claimedAt: number): Promise<void> {
    let sending = await findNextSending(this.#db, id, this.#clock.now())
    while (sending && !this.#isClosing && this.#clock.now() < claimedAt + TURN_MS) {
      const next = await this.#deliver(sending, lease)
      if (next === 'released') return
      sending = next
    }
    await releaseQueue(this.#db, { id, lease, now: this.#clock.now() })
  }

  /**
   * Sends a delivery and stores the result. Returns the next due delivery. When none is due, releases the queue and
   * returns `released`. Returns undefined when the result is unknown or cannot be stored.
   */
  async #deliver(sending: Sending, lease: string): Promise<Sending | undefined | 'released'> {
    const startedAt = this.#clock.now()
    const outcome = await this.#send(sending, startedAt)
    // The server is stopping and aborted the attempt. The attempt will be repeated, because its result is unknown.
    if (!outcome) return undefined
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now()
      const { webhookRetrySchedule } = this.#settings
      const attempt = this.#attemptOf({ sending, lease, startedAt, outcome })
      if (!(await recordAttempt(tx, attempt, webhookRetrySchedule, now))) return undefined
      const next = await findNextSending(tx, sending.webhook_id, now)
      if (next) return next
      await releaseQueue(tx, { id: sending.webhook_id, lease, now })
      return 'released'
    })
  }

  async #attempt(id: string): Promise<void> {
    const sending = await findSending(this.#db, id)
    // The webhook has been deleted together with its secrets.
    if (!sending || sending.secret === null) throw new ApiError('WEBHOOK_NOT_FOUND')
    const startedAt = this.#clock.now()
    const outcome = await this.#send(sending, startedAt)
    if (!outcome) throw new ApiError('SERVICE_UNAVAILABLE')
    await this.#db.transaction(async (tx) => {
      const { webhookRetrySchedule } = this.#settings
      const attempt = this.#attemptOf({ sending, lease: null, startedAt, outcome })
      await recordAttempt(tx, attempt, webhookRetrySchedule, this.#clock.now())
    })
  }

  #attemptOf(attempt: Omit<Attempt, 'isClockTrusted'>): Attempt {
    return { ...attempt, isClockTrusted: this.#steady.isTrusted(this.#clock.now()) }
  }

  /** Sends the request of a delivery. Returns undefined when the server stops before the result is known. */
  async #send(sending: Sending, now: number) {
    try {
      return await send(this.#outbound, this.#settings.encryptionKey, sending, now)
    } catch (error) {
      if (this.#isClosing) return undefined
      throw error
    }
  }
}
