/**
 * Caches rows that nearly every request reads, until a commit changes their tables. For commits of other processes,
 * checks SQLite's `data_version` whenever the event loop has received new input. So a cached row is never older than
 * the request that reads it.
 */
import { performance } from 'node:perf_hooks'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Maximum cached rows per statement. A full cache is cleared. */
const ROWS_MAX = 10_000
/**
 * Matches the name of each table that a statement writes. Raw SQL may omit the quotes. A wrong match only
 * clears the cache unnecessarily.
 */
const WRITTEN = /\b(?:insert into|update|delete from) "?(\w+)/gi

type Row = Readonly<Record<string, unknown>>
type Sourced = { readonly sources?: readonly string[] }

/** Returns the tables that a statement writes, itself and through triggers. */
export function tablesWritten(db: DatabaseSync, sql: string): string[] {
  const tables = new Set<string>()
  const note = (text: string) => {
    for (const [, table = ''] of text.matchAll(WRITTEN)) {
      if (tables.has(table)) continue
      tables.add(table)
      const triggers = "select sql from sqlite_schema where type = 'trigger' and tbl_name = ?"
      for (const trigger of db.prepare(triggers).all(table)) note(String(trigger['sql']))
    }
  }
  note(sql)
  return [...tables]
}

export class RowCache {
  readonly #version: StatementSync
  #seen: unknown
  /** Event-loop counters when `data_version` was last read. While they are unchanged, no new request has arrived. */
  #looked = { loopCount: -1, events: -1 }
  /** Cached rows by statement, then by bound values. */
  readonly #rows = new Map<Sourced, Map<string, Row>>()
  readonly #written = new Set<string>()

  /** `writer` is this process's only write connection. */
  constructor(writer: DatabaseSync) {
    this.#version = writer.prepare('pragma data_version')
    this.#version.setReturnArrays(true)
  }

  find(statement: Sourced, key: string): Row | undefined {
    this.#look()
    return this.#rows.get(statement)?.get(key)
  }

  #look(): void {
    const { loopCount, events } = performance.nodeTiming.uvMetricsInfo
    if (loopCount === this.#looked.loopCount && events === this.#looked.events) return
    const version = this.#ask()
    if (version === undefined || version !== this.#seen) this.clear()
    this.#seen = version
    if (version !== undefined) this.#looked = { loopCount, events }
  }

  /**
   * Returns SQLite's `data_version`. Returns undefined when it cannot be read, for example while another
   * process repairs the write-ahead log.
   */
  #ask(): unknown {
    try {
      return (this.#version.get() as unknown as unknown[])[0]
    } catch {
      return undefined
    }
  }

  /** Caches a row that was read immediately after `find` returned undefined. */
  set(statement: Sourced, key: string, row: Row): void {
    let rows = this.#rows.get(statement)
    if (!rows) this.#rows.set(statement, (rows = new Map()))
    if (rows.size >= ROWS_MAX) rows.clear()
    rows.set(key, Object.freeze(row))
  }

  /** Records the tables that a statement will write. `invalidate` clears their cached rows. */
  noteWritten(tables: readonly string[]): void {
    for (const table of tables) this.#written.add(table)
  }

  /** Clears the cached rows of the tables that `noteWritten` recorded. Call it after each commit and rollback. */
  invalidate(): void {
    for (const [{ sources = [] }, rows] of this.#rows) {
      if (sources.some((table) => this.#written.has(table))) rows.clear()
    }
    this.#written.clear()
  }

  clear(): void {
    for (const rows of this.#rows.values()) rows.clear()
  }
}
