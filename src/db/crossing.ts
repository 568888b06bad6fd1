/** A transaction on its way to PostgreSQL and back. */
import type pg from 'pg'
import { fly, type Order, type Outcome } from './flight.ts'
import { DatabaseUnavailable } from './handle.ts'
import { codeOf, STALE_PLAN } from './postgres-errors.ts'

export const TIMEOUTS = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 30_000 }
/** Row locks rely on this level, so the database's default must not decide. */
const BEGIN: Order = { name: 'begin', text: 'begin isolation level read committed', values: [] }
const COMMIT: Order = { name: 'commit', text: 'commit', values: [] }
const ROLLBACK: Order = { text: 'rollback', values: [] }
export const SET_TIMEOUTS: Order = {
  name: 'timeouts',
  text: `select ${Object.entries(TIMEOUTS)
    .map(([name, ms]) => `set_config('${name}', '${ms}', true)`)
    .join(', ')}`,
  values: [],
}

export interface Connections {
  pool: pg.Pool
  /** Returns the error to throw when no connection could be made. */
  connectionError: (error: unknown) => unknown
  /** Between them and the server stands a PgBouncer. */
  isPooled: boolean
}

/**
 * One attempt at a transaction. What is asked in one turn of the event loop crosses together;
 * where that is all of it, it is a transaction without `begin` and `commit`.
 */
export class Crossing {
  /** The first error, whoever heard of it. */
  failure: unknown
  /** Whether one of its statements fails on purpose. */
  mayRefuse = false
  readonly #connections: Connections
  #client: pg.PoolClient | undefined
  #isBegun = false
  /** Nothing may be asked any more. */
  #isEnded = false
  /** What has not left must not. */
  #isDropped = false
  #orders: Order[] = []
  /** What the gathered orders will give, until they leave. */
  #gathering: Promise<Outcome[] | undefined> | undefined
  /** The end of the last flight, good or bad. */
  #landed: Promise<void> = Promise.resolve()
  #broken: unknown

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** Rejects, as all that crosses with it, with the first error of them. */
  async ask(order: Order): Promise<Outcome> {
    if (this.#isEnded) throw new Error('a transaction was asked for more after its last statements')
    const at = this.#orders.push(order) - 1
    const outcomes = await (this.#gathering ?? this.#gather())
    // What was given up is never answered: nobody waits for it.
    return outcomes ? (outcomes[at] as Outcome) : new Promise<never>(() => {})
  }

  /** What was asked and has not left was the last. */
  end(): void {
    this.#isEnded = true
  }

  /** Resolves once all of it is durable. */
  async commit(): Promise<void> {
    this.end()
    await this.#landed
    if (this.#isBegun && !this.failure) await this.#gather()
    if (this.failure) throw this.failure
  }

  /** Undoes what was not committed, and waits for what is under way. */
  async rollback(): Promise<void> {
    this.end()
    this.#isDropped = true
    await this.#landed
    if (!this.#isBegun || !this.#client) return
    await fly(this.#client, [ROLLBACK]).catch((failure: unknown) => {
      this.#broken = failure
    })
  }

  release(): void {
    const isStale = codeOf(this.failure) === STALE_PLAN
    this.#client?.release(isStale || this.#broken !== undefined)
  }

  #gather(): Promise<Outcome[] | undefined> {
    const before = this.#landed
    const gathering = new Promise((resolve) => process.nextTick(resolve))
      .then(() => before)
      .then(() => this.#send())
    this.#gathering = gathering
    this.#landed = gathering.then(
      () => {},
      (error: unknown) => {
        this.failure ??= error
      },
    )
    return gathering
  }

  async #send(): Promise<Outcome[] | undefined> {
    const orders = this.#orders
    this.#orders = []
    this.#gathering = undefined
    if (this.failure) throw this.failure
    this.#client ??= await connect(this.#connections)
    if (this.#isDropped) return undefined
    const { opening, closing } = this.#around(this.#isEnded && !this.#gathering)
    const outcomes = await fly(this.#client, this.#named([...opening, ...orders, ...closing]))
    if (closing.length > 0) {
      this.#isBegun = false
      if (outcomes.at(-1)?.tag !== 'COMMIT') throw new DatabaseUnavailable('commit was refused')
    }
    return outcomes.slice(opening.length)
  }

  /** What must fly with the orders: the words that make them a transaction. */
  #around(isLast: boolean): { opening: Order[]; closing: Order[] } {
    const closing = isLast && this.#isBegun ? [COMMIT] : []
    if (this.#isBegun) return { opening: [], closing }
    const settings = this.#connections.isPooled ? [SET_TIMEOUTS] : []
    if (isLast) return { opening: settings, closing }
    this.#isBegun = true
    return { opening: [BEGIN, ...settings], closing }
  }

  #named(orders: Order[]): Order[] {
    if (!this.#connections.isPooled) return orders
    return orders.map(({ text, values }) => ({ text, values }))
  }
}

export async function connect({ pool, connectionError }: Connections): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw connectionError(error)
  }
}
