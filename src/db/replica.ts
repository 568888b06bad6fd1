import { sql } from 'kysely'
import type { Db, Handle } from './handle.ts'
import { SCHEMA } from './migrate.ts'
import { rawQuery, statement } from './statement.ts'

const CHECK_MS = 1000
/** Maximum lag in milliseconds that a check accepts. Until a read ends, the lag can grow to ten seconds. */
const LAG_MAX_MS = 7000
const TIMEOUT_MS = 1000

const position = statement((q) =>
  rawQuery<{ lsn: string }>(q, sql`select pg_current_wal_lsn()::text as lsn`),
)
const state = statement((q, p: { lsn: string }) =>
  rawQuery<{ schema: number | null; holds: boolean | null }>(
    q,
    sql`select (select max(number) from schema_migrations) as schema,
      not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= cast(${p.lsn} as pg_lsn) as holds`,
  ),
)

class Slow extends Error {
  override name = 'Slow'
}

interface Options {
  primary: Db
  open: () => Db
  /** Called with true when reads start to use the replica, and with false and the reason when they stop. */
  onChange: (isUsed: boolean, reason?: unknown) => void
}

/**
 * Reads from a replica. Uses the primary instead when the replica fails, responds too slowly, has an older schema than
 * this version, or lags by more than a few seconds. While the primary does not respond, the lag is not checked.
 */
export class Replica {
  readonly #primary: Db
  readonly #open: () => Db
  readonly #onChange: Options['onChange']
  readonly #timer: NodeJS.Timeout
  /** Undefined while the replica is not in use. */
  #db: Db | undefined
  /** Log positions of the primary, oldest first, with the monotonic time of each. */
  #positions: { lsn: string; time: number }[] = []
  #looking: Promise<void> | undefined
  #isAsked = false
  #isClosed = false

  constructor({ primary, open, onChange }: Options) {
    this.#primary = primary
    this.#open = open
    this.#onChange = onChange
    this.#timer = setInterval(() => this.#lookUnlessLooking(), CHECK_MS).unref()
    this.#lookUnlessLooking()
  }

  /**
   * Runs `read` on the replica if it is in use. Runs it on the primary instead when the replica is slow, and after
   * any error, including "not found". `read` must have no side effects.
   */
  async read<T>(read: (db: Handle) => Promise<T>): Promise<T> {
    const db = this.#db
    if (!db) return read(this.#primary)
    try {
      return await inTime(read(db))
    } catch (error) {
      if (error instanceof Slow) this.#dismiss(db, error)
      return read(this.#primary)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#looking
    if (this.#db) await letGo(this.#db)
  }

  #lookUnlessLooking(): void {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined))
  }

  /**
   * Compares the replica with the primary, and starts or stops using the replica. Changes nothing when the primary
   * does not respond.
   */
  async #look(): Promise<void> {
    const lsn = await this.#delayedLsn().catch(() => undefined)
    if (lsn === undefined) return
    const db = this.#db ?? this.#open()
    try {
      const { schema, holds } = await inTime(findState(db, lsn))
      if (schema < SCHEMA)
        throw new Error(`the replica has schema ${schema}, but ${SCHEMA} is required`)
      if (!holds) throw new Error('the replica is too far behind')
      if (this.#db === db) return
      if (this.#isClosed) return await letGo(db)
      this.#db = db
      this.#onChange(true)
    } catch (error) {
      if (this.#db === db) this.#dismiss(db, error)
      else void letGo(db)
    }
  }

  /**
   * Returns the primary's log position of about LAG_MAX_MS ago. In the first LAG_MAX_MS, returns the position at
   * the first check. Errors: Slow when the primary does not respond.
   */
  async #delayedLsn(): Promise<string> {
    // Sends no query while another is unanswered, so that checks of a hanging primary occupy only one of its
    // connections.
    if (this.#isAsked) throw new Slow('no answer yet')
    this.#isAsked = true
    const time = performance.now()
    const asked = this.#primary.first(position, {}).finally(() => (this.#isAsked = false))
    this.#positions.push({ time, lsn: String((await inTime(asked))?.lsn) })
    while (this.#positions[1] && time - this.#positions[0]!.time > LAG_MAX_MS)
      this.#positions.shift()
    return this.#positions[0]!.lsn
  }

  /**
   * Stops using the replica. Also closes its pool, because the pool's connections may hang. The next check
   * opens a new pool.
   */
  #dismiss(db: Db, reason: unknown): void {
    if (this.#db !== db) return
    this.#db = undefined
    this.#onChange(false, reason)
    void letGo(db)
  }
}

/**
 * Returns the replica's schema number. `holds` is true when the replica has replayed the log up to `lsn` or is
 * promoted.
 */
async function findState(db: Db, lsn: string): Promise<{ schema: number; holds: boolean }> {
  const row = await db.first(state, { lsn })
  return { schema: Number(row?.schema), holds: row?.holds === true }
}

/** Closes the database after its queries in flight, but waits at most TIMEOUT_MS. */
async function letGo(db: Db): Promise<void> {
  await inTime(db.close()).catch(() => {})
}

function inTime<T>(pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Slow('no answer in time')), TIMEOUT_MS)
    pending.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
