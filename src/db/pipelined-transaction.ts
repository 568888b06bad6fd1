/** Sends the statements of a PostgreSQL transaction in as few round trips as possible. */
import type pg from 'pg'
import { sendPipeline, type Command, type CommandResult } from './pipeline.ts'
import { DatabaseUnavailable } from './handle.ts'
import { codeOf, STALE_PLAN } from './postgres-errors.ts'

export const TIMEOUTS = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 30_000 }
/**
 * Row locks rely on READ COMMITTED, so the transaction sets it instead of using the database's default.
 */
const BEGIN: Command = { name: 'begin', text: 'begin isolation level read committed', values: [] }
const COMMIT: Command = { name: 'commit', text: 'commit', values: [] }
const ROLLBACK: Command = { text: 'rollback', values: [] }
export const SET_TIMEOUTS: Command = {
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
  /** True when a PgBouncer sits between these connections and the server. */
  isPooled: boolean
}

/**
 * One attempt at a transaction. Statements issued in one turn of the event loop are sent together. If
 * those are the whole transaction, they are sent without `begin` and `commit`.
 */
export class PipelinedTransaction {
  /** The first error of any statement. */
  failure: unknown
  /** True once `commitUnlessFound` has sent a statement that fails on purpose if it finds a row. */
  mayRefuse = false
  readonly #connections: Connections
  #client: pg.PoolClient | undefined
  #isBegun = false
  /** True when no further statement is allowed. */
  #isEnded = false
  /** True when statements that have not been sent must not be sent. */
  #isDropped = false
  #commands: Command[] = []
  /** Results of the collected statements; undefined when none are waiting to be sent. */
  #gathering: Promise<CommandResult[] | undefined> | undefined
  /** Settles when the last batch has returned, and never rejects. */
  #landed: Promise<void> = Promise.resolve()
  #broken: unknown

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** Returns the statement's result. Rejects with the first error of its batch. */
  async ask(command: Command): Promise<CommandResult> {
    if (this.#isEnded) throw new Error('the transaction accepts no more statements')
    const at = this.#commands.push(command) - 1
    const results = await (this.#gathering ?? this.#gather())
    // A dropped statement stays pending forever, since its caller has already stopped.
    return results ? (results[at] as CommandResult) : new Promise<never>(() => {})
  }

  /** Allows no further statements, so that the pending ones can be sent together with the commit. */
  end(): void {
    this.#isEnded = true
  }

  /** Resolves once the transaction is durable. */
  async commit(): Promise<void> {
    this.end()
    await this.#landed
    if (this.#isBegun && !this.failure) await this.#gather()
    if (this.failure) throw this.failure
  }

  /** Waits for statements in flight and rolls the transaction back. */
  async rollback(): Promise<void> {
    this.end()
    this.#isDropped = true
    await this.#landed
    if (!this.#isBegun || !this.#client) return
    await sendPipeline(this.#client, [ROLLBACK]).catch((failure: unknown) => {
      this.#broken = failure
    })
  }

  release(): void {
    const isStale = codeOf(this.failure) === STALE_PLAN
    this.#client?.release(isStale || this.#broken !== undefined)
  }

  #gather(): Promise<CommandResult[] | undefined> {
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

  async #send(): Promise<CommandResult[] | undefined> {
    const commands = this.#commands
    this.#commands = []
    this.#gathering = undefined
    if (this.failure) throw this.failure
    this.#client ??= await connect(this.#connections)
    if (this.#isDropped) return undefined
    const { opening, closing } = this.#around(this.#isEnded && !this.#gathering)
    const results = await sendPipeline(
      this.#client,
      this.#named([...opening, ...commands, ...closing]),
    )
    if (closing.length > 0) {
      this.#isBegun = false
      if (results.at(-1)?.tag !== 'COMMIT')
        throw new DatabaseUnavailable('the server rolled back instead of committing')
    }
    return results.slice(opening.length)
  }

  /** Returns the statements to send before and after the batch: begin, timeouts and commit. */
  #around(isLast: boolean): { opening: Command[]; closing: Command[] } {
    const closing = isLast && this.#isBegun ? [COMMIT] : []
    if (this.#isBegun) return { opening: [], closing }
    const settings = this.#connections.isPooled ? [SET_TIMEOUTS] : []
    if (isLast) return { opening: settings, closing }
    this.#isBegun = true
    return { opening: [BEGIN, ...settings], closing }
  }

  #named(commands: Command[]): Command[] {
    if (!this.#connections.isPooled) return commands
    return commands.map(({ text, values }) => ({ text, values }))
  }
}

export async function connect({ pool, connectionError }: Connections): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw connectionError(error)
  }
}
