/**
 * The embedded engine: SQLite in WAL mode with `synchronous=FULL`, so that commits survive a power loss. Reads use a
 * separate read-only connection and do not wait for writers.
 *
 * Writes that arrive together share one commit and one sync (group commit). Each write runs in a savepoint, so a
 * failed write does not affect the others. If the commit fails, all writes of the group fail.
 */
import { EventEmitter } from 'node:events'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Handle, Tx } from './handle.ts'
import { RowCache, tablesWritten } from './row-cache.ts'
import { codeOf, SQLITE_BUSY, translate } from './sqlite-errors.ts'
import { LOCK_WAIT_MS, openForWriting } from './sqlite-file.ts'
import type { Compiled, Params, Statement } from './statement.ts'

/** Maximum writes in one commit, which limits how long the event loop is blocked. */
const GROUP_LIMIT = 64

interface Job {
  action: (tx: Tx) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  hooks: (() => void)[]
  result?: { value: unknown } | { error: unknown }
}

export function openSqlite(file: string): Db {
  const write = openForWriting(file)
  const read = new DatabaseSync(file, { timeout: 5000, readOnly: true })
  read.exec('pragma temp_store = memory; pragma cache_size = -65536; pragma mmap_size = 1073741824')
  const rowCache = new RowCache(write)
  const writer = new Connection(write, rowCache)
  const reader = new Connection(read)
  const signals = new EventEmitter()
  const queue = new WriteQueue(writer, rowCache, signals)
  return {
    engine: 'sqlite',
    signals,
    all: (statement, params) => reader.all(statement, params),
    first: (statement, params) => reader.first(statement, params, rowCache),
    run: (statement, params) => queue.add((tx) => tx.run(statement, params)),
    transaction: (action) => queue.add(action),
    script: (action) =>
      queue.alone(() =>
        action(async (text) => {
          try {
            return write.prepare(text).all()
          } catch (error) {
            throw translate(error)
          } finally {
            rowCache.clear()
          }
        }),
      ),
    async close() {
      await queue.idle()
      read.close()
      try {
        write.exec('pragma wal_checkpoint(truncate)')
      } catch {
        // On a full disk the checkpoint fails. Committed data stays in the log for the next start.
      }
      write.close()
    },
  }
}

class Connection {
  readonly db: DatabaseSync
  #prepared = new Map<unknown, Prepared>()
  /** Row cache that writes of this connection invalidate. Undefined for the read connection. */
  readonly #rowCache: RowCache | undefined

  constructor(db: DatabaseSync, rowCache?: RowCache) {
    this.db = db
    this.#rowCache = rowCache
  }

  #get(statement: Statement<never, unknown>): Prepared {
    let found = this.#prepared.get(statement)
    if (!found) {
      found = new Prepared(this.db, statement.compiled('sqlite'))
      this.#prepared.set(statement, found)
    }
    this.#rowCache?.noteWritten(found.writes)
    return found
  }

  async all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    try {
      return this.#get(statement as never).all(params) as R[]
    } catch (error) {
      throw translate(error)
    }
  }

  /** Returns the first row. Uses the row cache if the statement is declared with `cached`. */
  async first<P extends Params, R>(statement: Statement<P, R>, params: P, rowCache?: RowCache) {
    try {
      return this.#first(statement, params, rowCache)
    } catch (error) {
      throw translate(error)
    }
  }

  #first<P extends Params, R>(statement: Statement<P, R>, params: P, rowCache?: RowCache) {
    const prepared = this.#get(statement as never)
    if (!rowCache || !statement.sources) return prepared.first(params) as R | undefined
    const key = prepared.keyOf(params)
    const found = rowCache.find(statement, key)
    if (found) return found as R
    const row = prepared.first(params)
    if (row) rowCache.set(statement, key, row)
    return row as R | undefined
  }

  async run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number> {
    return this.#get(statement as never).run(params)
  }
}

/** A prepared statement. Reads rows as arrays and converts them, because objects created by node:sqlite are slower. */
class Prepared {
  readonly #statement: StatementSync
  readonly #bind: (params: Params) => SQLInputValue[]
  #columns: string[] = []
  readonly writes: readonly string[]

  constructor(db: DatabaseSync, { sql, bind }: Compiled) {
    this.writes = tablesWritten(db, sql)
    this.#statement = db.prepare(sql)
    this.#statement.setReturnArrays(true)
    this.#bind = bind as (params: Params) => SQLInputValue[]
  }

  all(params: Params): unknown[] {
    const rows = this.#statement.all(...this.#bind(params)) as unknown as unknown[][]
    return rows.map((row) => this.#toObject(row))
  }

  keyOf(params: Params): string {
    return this.#bind(params).join(' ')
  }

  first(params: Params): Record<string, unknown> | undefined {
    const row = this.#statement.get(...this.#bind(params)) as unknown[] | undefined
    return row && this.#toObject(row)
  }

  run(params: Params): number {
    return Number(this.#statement.run(...this.#bind(params)).changes)
  }

  #toObject(row: unknown[]): Record<string, unknown> {
    // The number of columns of `select *` changes when another process adds a column.
    if (row.length !== this.#columns.length) {
      this.#columns = this.#statement.columns().map(({ name }) => name)
    }
    const columns = this.#columns
    const object: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++)
      object[columns[index] as string] = row[index]
    return object
  }
}

class WriteQueue {
  #jobs: Job[] = []
  #running: Promise<void> | undefined
  #connection: Connection
  readonly #rowCache: RowCache
  readonly #signals: EventEmitter
  #begin: StatementSync
  #commit: StatementSync
  #savepoint: StatementSync
  #release: StatementSync
  #undo: StatementSync

  constructor(connection: Connection, rowCache: RowCache, signals: EventEmitter) {
    this.#connection = connection
    this.#rowCache = rowCache
    this.#signals = signals
    const { db } = connection
    this.#begin = db.prepare('begin immediate')
    this.#commit = db.prepare('commit')
    this.#savepoint = db.prepare('savepoint job')
    this.#release = db.prepare('release job')
    this.#undo = db.prepare('rollback to job')
  }

  add<T>(action: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ action, resolve: resolve as (value: unknown) => void, reject, hooks: [] })
      this.#running ??= this.#drain()
    })
  }

  /** Runs `action` between two groups of writes, when no transaction is open. */
  async alone<T>(action: () => Promise<T>): Promise<T> {
    // Checks again after each wait, because another waiting caller may have started first.
    while (this.#running) await this.#running
    const done = action()
    this.#running = done.then(
      () => this.#drain(),
      () => this.#drain(),
    )
    return done
  }

  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #drain(): Promise<void> {
    // Waits until all requests received in this turn of the event loop have queued their writes.
    await new Promise(setImmediate)
    while (this.#jobs.length > 0) {
      const group = this.#jobs.splice(0, GROUP_LIMIT)
      await this.#runGroup(group)
      for (const job of group) finishJob(job)
      await new Promise(setImmediate)
    }
    this.#running = undefined
  }

  async #runGroup(group: Job[]): Promise<void> {
    try {
      await this.#lock()
      for (const job of group) await this.#runJob(job)
      this.#commit.run()
    } catch (error) {
      if (this.#connection.db.isTransaction) this.#connection.db.exec('rollback')
      for (const job of group) job.result = { error: translate(error) }
    } finally {
      this.#rowCache.invalidate()
    }
  }

  /**
   * Begins the write transaction. Retries while another process holds the write lock, without blocking the
   * event loop.
   */
  async #lock(): Promise<void> {
    const deadline = Date.now() + LOCK_WAIT_MS
    for (;;) {
      try {
        this.#begin.run()
        return
      } catch (error) {
        if (codeOf(error) !== SQLITE_BUSY || Date.now() > deadline) throw error
        await sleep(1 + Math.random() * 9)
      }
    }
  }

  async #runJob(job: Job): Promise<void> {
    this.#savepoint.run()
    const { tx, end } = transactionHandle(this.#connection, this.#signals, job.hooks)
    try {
      job.result = { value: await job.action(tx) }
      end()
      this.#release.run()
    } catch (error) {
      end()
      // On a full disk SQLite has ended the whole transaction, so all jobs of the group must fail.
      if (!this.#connection.db.isTransaction) throw error
      this.#undo.run()
      this.#release.run()
      job.result = { error: translate(error) }
    }
  }
}

function finishJob(job: Job): void {
  if (!job.result || 'error' in job.result) return job.reject(job.result?.error)
  job.resolve(job.result.value)
  for (const hook of job.hooks) hook()
}

/**
 * Returns the handle of a transaction and the function `end`. After `end`, the handle rejects statements, because
 * they would no longer run in the transaction's savepoint.
 */
function transactionHandle(
  connection: Connection,
  signals: EventEmitter,
  hooks: (() => void)[],
): { tx: Tx; end: () => void } {
  let isEnded = false
  const open = () => {
    if (isEnded) throw new Error('the transaction accepts no more statements')
    return connection
  }
  const base: Omit<Handle, 'transaction'> = {
    engine: 'sqlite',
    signals,
    all: async (statement, params) => open().all(statement, params),
    first: async (statement, params) => open().first(statement, params),
    run: async (statement, params) => open().run(statement, params),
  }
  const tx: Tx = {
    ...base,
    transaction: (action) => action(tx),
    afterCommit: (hook) => void hooks.push(hook),
    send: async (statement, params) => void (await base.run(statement, params)),
  }
  return {
    tx,
    end() {
      isEnded = true
    },
  }
}
