import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { findAttempts, isOpen } from './queries.ts'
import { giveBack, type Limit, spend } from './rules.ts'

type Begun = { end: () => void } | { others: Promise<void>[] }

/** Runs limited attempts, such as password checks, and records which ones are running in this process. */
export class RunningAttempts {
  /** Counted attempts that are running in this process, by bucket. Each promise resolves when its attempt ends. */
  readonly #running = new Map<string, Set<Promise<void>>>()
  /**
   * Last promise in each queue of attempts, by the bucket of their first limit. The attempts in a queue are counted one
   * after another.
   */
  readonly #turns = new Map<string, Promise<unknown>>()

  /**
   * Counts an attempt, runs `action` and returns its result. `wasGood` removes the attempt from the count. If a limit
   * is full only because of attempts that still run in this process, waits for one of them and retries. The caller must
   * not hold a lock that another attempt needs. Errors: those of `action`; 429 RATE_LIMITED.
   */
  async run<T>(
    db: Handle,
    limits: readonly Limit[],
    now: number,
    action: (wasGood: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const bucket = limits[0]?.bucket ?? ''
    let end: (() => void) | undefined
    while (!end) {
      const begun = await this.#inTurn(bucket, () => this.#begin(db, limits, now))
      if ('end' in begun) end = begun.end
      else await Promise.race(begun.others)
    }
    try {
      return await action(() => giveBack(db, limits, now))
    } finally {
      end()
    }
  }

  async #inTurn<T>(bucket: string, action: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(bucket) ?? Promise.resolve()).then(action)
    const settled = turn.catch(() => {})
    this.#turns.set(bucket, settled)
    try {
      return await turn
    } finally {
      if (this.#turns.get(bucket) === settled) this.#turns.delete(bucket)
    }
  }

  /**
   * Counts an attempt and returns a function that ends it. If a limit is full only because of attempts that still
   * run in this process, returns the promises of these attempts instead. Errors: 429 RATE_LIMITED.
   */
  async #begin(db: Handle, limits: readonly Limit[], now: number): Promise<Begun> {
    const runningIn = (bucket: string) => [...(this.#running.get(bucket) ?? [])]
    const before = new Map(limits.map(({ bucket }) => [bucket, runningIn(bucket)]))
    try {
      await spend(db, limits, now)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const others: Promise<void>[] = []
      for (const { bucket, max, windowMs } of limits) {
        const row = await findAttempts(db, bucket)
        if (!row || row.count < max || !isOpen(row.resets_at, now, windowMs)) continue
        // `row` may still count attempts that ended after `before` was read, so these attempts count as running.
        const blocking = new Set([...(before.get(bucket) ?? []), ...runningIn(bucket)])
        if (row.count - blocking.size >= max) throw error
        others.push(...blocking)
      }
      // The blocking attempts may have succeeded already. The caller then retries immediately.
      return { others: others.length > 0 ? others : [Promise.resolve()] }
    }
    return { end: this.#note(limits) }
  }

  /** Adds a running attempt and returns a function that marks it as ended. */
  #note(limits: readonly Limit[]): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    for (const { bucket } of limits) {
      const others = this.#running.get(bucket) ?? new Set()
      this.#running.set(bucket, others.add(promise))
    }
    return () => {
      for (const { bucket } of limits) {
        const others = this.#running.get(bucket)
        others?.delete(promise)
        if (others?.size === 0) this.#running.delete(bucket)
      }
      resolve()
    }
  }
}
