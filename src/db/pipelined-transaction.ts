import type pg from 'pg'
import { sendPipeline, type Command, type CommandResult } from './pipeline.ts'
import { DatabaseUnavailable } from './handle.ts'
import { codeOf, STALE_PLAN } from './postgres-errors.ts'

export const TIMEOUTS = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 30_000 }
/**
 * Begins a transaction at READ COMMITTED. Row locks rely on this level, and the database may have another default.
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
  connectionError: (error: unknown) => unknown
  /** True when the connections go through PgBouncer. */
  isPooled: boolean
}

/**
 * One attempt at a transaction. Sends all statements issued in the same turn of the event loop as one batch. Omits
 * `begin` and `commit` when one batch is the whole transaction, because a batch is atomic.
 */
export class PipelinedTransaction {
  failure: unknown
  readonly #connections: Connections
  #client: pg.PoolClient | undefined
  #isBegun = false
  #isEnded = false
  /** True after a rollback: statements that have not been sent are discarded. */
  #isDropped = false
  #commands: Command[] = []
  /** Results of the next batch; undefined when no batch waits to be sent. */
  #gathering: Promise<CommandResult[] | undefined> | undefined
  /** Resolves when the last batch has returned. Never rejects. */
  #landed: Promise<void> = Promise.resolve()
  #broken: unknown

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /**
   * Adds a statement to the next batch and returns its result. Rejects with the first error of the transaction. Never
   * settles when a rollback discards the statement.
   */
  async ask(command: Command): Promise<CommandResult> {
    if (this.#isEnded) throw new Error('the transaction accepts no more statements')
    const index = this.#commands.push(command) - 1
    const results = await (this.#gathering ?? this.#gather())
    // A discarded statement stays pending forever. Its caller has already received the error.
    return results ? (results[index] as CommandResult) : new Promise<never>(() => {})
  }

  /** Adds a statement to the next batch. If the statement fails, that batch rejects. */
  add(command: Command): void {
    if (this.#isEnded) throw new Error('the transaction accepts no more statements')
    this.#commands.push(command)
  }

  /** Sends the commit with the added statements. Resolves when the transaction is durable. */
  async commit(): Promise<void> {
    this.#isEnded = true
    await this.#landed
    const isOpen = this.#isBegun || this.#commands.length > 0
    if (isOpen && !this.failure) await this.#gather()
    if (this.failure) throw this.failure
  }

  /** Rolls back after the statements that were sent have ended. Discards the statements that were not sent. */
  async rollback(): Promise<void> {
    this.#isEnded = true
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
    const { opening, closing } = this.#around(this.#isEnded)
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

  /** Returns the statements to send before the batch (begin, timeouts) and after it (commit). */
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
