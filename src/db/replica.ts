/**
 * A replica of the database, for reads that may be some seconds old. It is used while it holds the
 * schema of this version and what the primary held a few seconds ago; what it does not answer well
 * and soon, the primary answers.
 */
import { sql } from 'kysely'
import type { Db, Handle } from './handle.ts'
import { SCHEMA } from './migrate.ts'
import { bare, statement } from './statement.ts'

/** Between two looks at how far it is. */
const LOOK_MS = 1000
/**
 * How far behind it may be at a look: a look and a read later what is read lacks nothing that is
 * older than ten seconds, as long as the primary can be asked.
 */
const BEHIND_MS = 7000
/** After this an answer is not waited for. */
const PATIENCE_MS = 1000

const position = statement((q) =>
  bare<{ lsn: string }>(q, sql`select pg_current_wal_lsn()::text as lsn`),
)
const state = statement((q, p: { mark: string }) =>
  bare<{ schema: number | null; holds: boolean | null }>(
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
  /** A new pool of connections to it. */
  open: () => Db
  /** It is used from now on, or no longer, for this reason. */
  onChange: (isUsed: boolean, reason?: unknown) => void
}

export class Replica {
  readonly #primary: Db
  readonly #open: () => Db
  readonly #onChange: Options['onChange']
  readonly #timer: NodeJS.Timeout
  /** Undefined while it is not used. */
  #db: Db | undefined
  /** Where the primary's log was, and when, by the monotonic clock; oldest first. */
  #marks: { lsn: string; at: number }[] = []
  #looking: Promise<void> | undefined
  /** The primary has not yet said where its log is. */
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
   * What `read` gives on the replica. Where that fails in any way `read` runs again on the primary,
   * so it must have no effect: even what is not found may be too new.
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

  /** Asks both sides how far they are. A primary that is away leaves everything as it is. */
  async #look(): Promise<void> {
    const mark = await this.#mark().catch(() => undefined)
    if (mark === undefined) return
    const db = this.#db ?? this.#open()
    try {
      const { schema, holds } = await inTime(findState(db, mark))
      if (schema < SCHEMA) throw new Error(`it has schema ${schema}, not yet ${SCHEMA}`)
      if (!holds) throw new Error('it is behind')
      if (this.#db === db) return
      if (this.#isClosed) return await letGo(db)
      this.#db = db
      this.#onChange(true)
    } catch (error) {
      if (this.#db === db) this.#dismiss(db, error)
      else void letGo(db)
    }
  }

  /** Where the log of the primary was some seconds ago, or at the first look. */
  async #mark(): Promise<string> {
    // One that stands still may keep one connection, not one more each second.
    if (this.#isAsked) throw new Slow('no answer yet')
    this.#isAsked = true
    const at = performance.now()
    const asked = this.#primary.first(position, {}).finally(() => (this.#isAsked = false))
    this.#marks.push({ at, lsn: String((await inTime(asked))?.lsn) })
    while (this.#marks[1] && at - this.#marks[0]!.at > BEHIND_MS) this.#marks.shift()
    return this.#marks[0]!.lsn
  }

  /** It gets new connections when it is used again: these may never answer. */
  #dismiss(db: Db, reason: unknown): void {
    if (this.#db !== db) return
    this.#db = undefined
    this.#onChange(false, reason)
    void letGo(db)
  }
}

/** A server that was promoted, or is the primary itself, holds everything. */
async function findState(db: Db, mark: string): Promise<{ schema: number; holds: boolean }> {
  const row = await db.first(state, { mark })
  return { schema: Number(row?.schema), holds: row?.holds === true }
}

/** Lets what is under way end, but waits for nothing that hangs. */
async function letGo(db: Db): Promise<void> {
  await inTime(db.close()).catch(() => {})
}

/** Throws Slow in place of a late outcome. */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Slow('no answer in time')), PATIENCE_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
