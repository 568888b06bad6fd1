import { sql } from 'kysely'
import type { Db, Handle } from './handle.ts'
import { SCHEMA } from './migrate.ts'
import { rawQuery, statement } from './statement.ts'

const CHECK_MS = 1000
/**
 * Maximum lag at a check. With the time until the next check and a read, data is at most ten seconds old, if
 * the primary answers the checks.
 */
const LAG_MAX_MS = 7000
const TIMEOUT_MS = 1000

const position = statement((q) =>
  rawQuery<{ lsn: string }>(q, sql`select pg_current_wal_lsn()::text as lsn`),
)
const state = statement((q, p: { mark: string }) =>
  rawQuery<{ schema: number | null; holds: boolean | null }>(
    q,
    sql`select (select max(number) from schema_migrations) as schema,
      not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= cast(${p.mark} as pg_lsn) as holds`,
  ),
)

class Slow extends Error {
  override name = 'Slow'
}

interface Options {
  primary: Db
  open: () => Db
  /** Called when reads start to use the replica, and with the reason when they stop. */
  onChange: (isUsed: boolean, reason?: unknown) => void
}

/**
 * Reads from a replica while it has at least this version's schema and lags by at most a few seconds, else
 * from the primary. Does not check the lag while the primary does not respond.
 */
export class Replica {
  readonly #primary: Db
  readonly #open: () => Db
  readonly #onChange: Options['onChange']
  readonly #timer: NodeJS.Timeout
  /** Undefined while the replica is not in use. */
  #db: Db | undefined
  /** Log positions of the primary, oldest first, with the monotonic time of each. */
  #marks: { lsn: string; at: number }[] = []
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
   * Runs `read` on the replica if it is in use. Falls back to the primary on any error, also "not found", and
   * when the replica is slow. `read` must have no side effects.
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

  /** Compares the replica with the primary. Changes nothing when the primary does not respond. */
  async #look(): Promise<void> {
    const mark = await this.#mark().catch(() => undefined)
    if (mark === undefined) return
    const db = this.#db ?? this.#open()
    try {
      const { schema, holds } = await inTime(findState(db, mark))
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

  /** The primary's log position of about LAG_MAX_MS ago, or that of the first check. */
  async #mark(): Promise<string> {
    // A hanging primary then blocks only one connection.
    if (this.#isAsked) throw new Slow('no answer yet')
    this.#isAsked = true
    const at = performance.now()
    const asked = this.#primary.first(position, {}).finally(() => (this.#isAsked = false))
    this.#marks.push({ at, lsn: String((await inTime(asked))?.lsn) })
    while (this.#marks[1] && at - this.#marks[0]!.at > LAG_MAX_MS) this.#marks.shift()
    return this.#marks[0]!.lsn
  }

  /** Closes the pool too, because its connections may hang. The next check opens a new one. */
  #dismiss(db: Db, reason: unknown): void {
    if (this.#db !== db) return
    this.#db = undefined
    this.#onChange(false, reason)
    void letGo(db)
  }
}

/**
 * Reads the replica's schema, and whether it has replayed the log up to `mark`. A promoted replica counts as up
 * to date.
 */
async function findState(db: Db, mark: string): Promise<{ schema: number; holds: boolean }> {
  const row = await db.first(state, { mark })
  return { schema: Number(row?.schema), holds: row?.holds === true }
}

/** Waits for queries in flight, but at most TIMEOUT_MS. */
async function letGo(db: Db): Promise<void> {
  await inTime(db.close()).catch(() => {})
}

function inTime<T>(pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Slow('no answer in time')), TIMEOUT_MS)
    pending.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
