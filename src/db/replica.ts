/**
 * Reads from a replica when data may be a few seconds old. The replica is used only while it has this
 * version's schema and is at most a few seconds behind. If it fails or is slow, the primary answers
 * instead.
 */
import { sql } from 'kysely'
import type { Db, Handle } from './handle.ts'
import { SCHEMA } from './migrate.ts'
import { rawQuery, statement } from './statement.ts'

/** Milliseconds between two checks of the replica. */
const LOOK_MS = 1000
/**
 * Maximum lag at a check. With the time until the next check and one read, data is at most ten seconds
 * old, as long as the primary answers the checks.
 */
const BEHIND_MS = 7000
/** Milliseconds to wait for an answer. */
const PATIENCE_MS = 1000

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
  /** Opens a new connection pool to the replica. */
  open: () => Db
  /** Called when reads start or stop using the replica, with the reason for stopping. */
  onChange: (isUsed: boolean, reason?: unknown) => void
}

export class Replica {
  readonly #primary: Db
  readonly #open: () => Db
  readonly #onChange: Options['onChange']
  readonly #timer: NodeJS.Timeout
  /** Undefined while the replica is not in use. */
  #db: Db | undefined
  /** Log positions of the primary with the monotonic time of each; oldest first. */
  #marks: { lsn: string; at: number }[] = []
  #looking: Promise<void> | undefined
  /** True while the primary has not answered the query for its log position. */
  #isAsked = false
  #isClosed = false

  constructor({ primary, open, onChange }: Options) {
    this.#primary = primary
    this.#open = open
    this.#onChange = onChange
    this.#timer = setInterval(() => this.#lookUnlessLooking(), LOOK_MS).unref()
    this.#lookUnlessLooking()
  }

  /**
   * Runs `read` on the replica. If that fails, or the replica is slow, `read` runs again on the
   * primary, so it must have no side effects. Even "not found" errors are retried there, since the row
   * may be too new.
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

  /** Checks the replica against the primary. If the primary does not answer, nothing changes. */
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

  /** Returns the primary's log position of some seconds ago, or of the first check. */
  async #mark(): Promise<string> {
    // A hanging primary may occupy one connection, not one more each second.
    if (this.#isAsked) throw new Slow('no answer yet')
    this.#isAsked = true
    const at = performance.now()
    const asked = this.#primary.first(position, {}).finally(() => (this.#isAsked = false))
    this.#marks.push({ at, lsn: String((await inTime(asked))?.lsn) })
    while (this.#marks[1] && at - this.#marks[0]!.at > BEHIND_MS) this.#marks.shift()
    return this.#marks[0]!.lsn
  }

  /** Stops using the replica. Its connections may never answer, so the next use opens new ones. */
  #dismiss(db: Db, reason: unknown): void {
    if (this.#db !== db) return
    this.#db = undefined
    this.#onChange(false, reason)
    void letGo(db)
  }
}

/** A promoted replica, or the primary itself, counts as up to date. */
async function findState(db: Db, mark: string): Promise<{ schema: number; holds: boolean }> {
  const row = await db.first(state, { mark })
  return { schema: Number(row?.schema), holds: row?.holds === true }
}

/** Lets queries in flight finish, but does not wait for those that hang. */
async function letGo(db: Db): Promise<void> {
  await inTime(db.close()).catch(() => {})
}

/** Rejects with Slow if `work` takes too long. */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Slow('no answer in time')), PATIENCE_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
