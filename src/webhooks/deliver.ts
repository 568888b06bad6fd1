/**
 * Delivers events: at least once, each webhook's one after the other, different webhooks' at the
 * same time. Any number of processes share the work by leases; what a process leaves undone when it
 * is killed is done by another, or by its successor, once its lease is over.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type Db, DatabaseUnreachable } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { Outbound } from '../http/outbound.ts'
import { isPublicOrPrivate } from '../http/targets.ts'
import { SteadyClock } from '../steady-clock.ts'
import { endDeliveries } from './delivery-queries.ts'
import {
  claimLanes,
  findNextSending,
  findSending,
  listDueLanes,
  releaseLane,
  type Sending,
} from './lane-queries.ts'
import { lockWebhook } from './queries.ts'
import { type Attempt, recordAttempt } from './record.ts'
import { send } from './send.ts'
import { deliveriesLeft } from './wake.ts'

/** Finds what is due again, what other processes left, and what the clock has brought. */
const POLL_MS = 1000
/** Webhooks that are delivered to at the same time. */
const LANES = 20
/** Of these, webhooks that failed last time: so many dead receivers hold up nobody else. */
const FAILING_LANES = 10
/** Of these, webhooks of one person: however many slow receivers they have, others find room. */
const LANES_OF_PERSON = 10
/** Webhooks that are off whose deliveries one look ends. */
const OFF_LANES = 10
/** Longer than an attempt may take that begins at the end of a turn. */
export const LEASE_MS = 20_000
/** After this a lane is given back, so that others get theirs. */
const TURN_MS = 5000
/** What attempts under way get to end when the server stops. */
const GRACE_MS = 4000

type Settings = Pick<Config, 'encryptionKey' | 'webhookAllowPrivate' | 'webhookRetrySchedule'>

export class Deliveries {
  readonly #db: Db
  readonly #clock: Clock
  readonly #steady: SteadyClock
  readonly #log: Logger
  readonly #settings: Settings
  readonly #outbound: Outbound
  /** Lanes this process works on, by webhook. */
  readonly #lanes = new Map<string, { isFailing: boolean; ownerId: string }>()
  readonly #work = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #unsubscribe = () => {}
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
    this.#unsubscribe = deliveriesLeft.subscribe(() => this.wake())
    this.#timer = setInterval(() => this.wake(), POLL_MS).unref()
    this.wake()
  }

  /** Looks for what is due now; in vain it costs one query. */
  wake(): void {
    this.#steady.isTrusted(this.#clock.now())
    this.#lookAgain = true
    if (this.#isLooking || this.#isClosing) return
    this.#isLooking = true
    this.#track(this.#look())
  }

  /**
   * Makes the first attempt of a delivery that was asked for, and stores what came of it.
   * Errors: 404 WEBHOOK_NOT_FOUND when the webhook was deleted meanwhile; 503 SERVICE_UNAVAILABLE
   * when the server stops; the attempt is made again later.
   */
  attempt(id: string): Promise<void> {
    const attempt = this.#attempt(id)
    this.#track(attempt)
    return attempt
  }

  /** Begins nothing more; lets attempts under way end for a while, then breaks them off and gives them back. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    this.#unsubscribe()
    const ended = this.#ended()
    await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })])
    this.#outbound.close()
    await ended
  }

  async #ended(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work)
  }

  /** Keeps work in sight until it is over; what fails is logged. */
  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => {
        if (this.#isClosing || error instanceof DatabaseUnreachable) return
        this.#log.warn({ err: error }, 'webhooks were not delivered')
      })
      .finally(() => this.#work.delete(tracked))
    this.#work.add(tracked)
  }

  async #look(): Promise<void> {
    try {
      while (this.#lookAgain && !this.#isClosing) {
        this.#lookAgain = false
        await this.#fillLanes()
      }
    } finally {
      this.#isLooking = false
    }
  }

  async #fillLanes(): Promise<void> {
    const room = LANES - this.#lanes.size
    if (room === 0) return
    const lanes = [...this.#lanes.values()]
    const failing = lanes.filter(({ isFailing }) => isFailing).length
    const failingRoom = Math.max(0, FAILING_LANES - failing)
    const byOwner = new Map<string, number>()
    for (const { ownerId } of lanes) byOwner.set(ownerId, (byOwner.get(ownerId) ?? 0) + 1)
    const now = this.#clock.now()
    const found = await listDueLanes(this.#db, {
      now,
      busy: [...this.#lanes.keys()],
      full: [...byOwner].filter(([, count]) => count >= LANES_OF_PERSON).map(([id]) => id),
      share: LANES_OF_PERSON,
      withFailing: failingRoom > 0,
      limit: LANES,
      offLimit: OFF_LANES,
    })
    const due = found.filter(({ is_off }) => !is_off)
    const well = due.filter(({ failure_count }) => failure_count === 0)
    const ill = due.filter(({ failure_count }) => failure_count > 0).slice(0, failingRoom)
    const chosen = [...well, ...ill]
      .map((lane) => {
        const place = (byOwner.get(lane.owner_id) ?? 0) + 1
        byOwner.set(lane.owner_id, place)
        return { ...lane, place }
      })
      .filter(({ place }) => place <= LANES_OF_PERSON)
      // Who has few lanes comes before who has many.
      .sort((one, other) => one.place - other.place)
    if (chosen.length > 0) await this.#claim(chosen.slice(0, room), now)
    // What is sent waits for none of it.
    for (const { id } of found.filter(({ is_off }) => is_off)) await this.#endBatch(id, now)
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
    const claimed = await claimLanes(this.#db, { ids, lease, leased_until, now })
    const taken = new Set(claimed.map(({ id }) => id))
    for (const { id, owner_id, failure_count } of chosen.filter((lane) => taken.has(lane.id))) {
      this.#lanes.set(id, { isFailing: failure_count > 0, ownerId: owner_id })
      const turn = this.#takeTurn(id, lease, now).finally(() => {
        this.#lanes.delete(id)
        this.wake()
      })
      this.#track(turn)
    }
  }

  /**
   * Sends what a webhook has due, until nothing is left or the turn is over. A failure of this
   * server's own ends it too; then the lease runs out before anybody tries again.
   */
  async #takeTurn(id: string, lease: string, claimedAt: number): Promise<void> {
    let sending = await findNextSending(this.#db, id, this.#clock.now())
    while (sending && !this.#isClosing && this.#clock.now() < claimedAt + TURN_MS) {
      const next = await this.#deliver(sending, lease)
      if (next === 'released') return
      sending = next
    }
    await releaseLane(this.#db, { id, lease, now: this.#clock.now() })
  }

  /** Makes an attempt on a lane; gives what comes next on it, or has given the lane back with the last one. */
  async #deliver(sending: Sending, lease: string): Promise<Sending | undefined | 'released'> {
    const startedAt = this.#clock.now()
    const outcome = await this.#send(sending, startedAt)
    // Broken off by the end of the server: nobody knows what became of it, so it is sent again.
    if (!outcome) return undefined
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now()
      const { webhookRetrySchedule } = this.#settings
      const attempt = this.#attemptOf({ sending, lease, startedAt, outcome })
      if (!(await recordAttempt(tx, attempt, webhookRetrySchedule, now))) return undefined
      const next = await findNextSending(tx, sending.webhook_id, now)
      if (next) return next
      await releaseLane(tx, { id: sending.webhook_id, lease, now })
      return 'released'
    })
  }

  async #attempt(id: string): Promise<void> {
    const sending = await findSending(this.#db, id)
    // Deleted since it was asked for, and its secrets with it.
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

  /** Undefined where the server stopped before the end. */
  async #send(sending: Sending, now: number) {
    try {
      return await send(this.#outbound, this.#settings.encryptionKey, sending, now)
    } catch (error) {
      if (this.#isClosing) return undefined
      throw error
    }
  }
}
