/**
 * Rows that nearly every request asks for, kept in memory while nothing is committed to the tables
 * they come from. What this process commits it knows; of others on the same file SQLite tells by
 * `data_version`, which is asked for the first row that is wanted after the event loop took in what
 * waited at its sockets. So what is found is never older than the request that asks for it.
 */
import { performance } from 'node:perf_hooks'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Bounds the memory of each statement: beyond it all its rows are forgotten. */
const KEPT_MAX = 10_000
/** Some statements are bare SQL, with no quotes; a word too many does no harm. */
const WRITTEN = /\b(?:insert into|update|delete from) "?(\w+)/gi

type Row = Readonly<Record<string, unknown>>
type Sourced = { readonly sources?: readonly string[] }

/** The tables that a statement writes. */
export function tablesWritten(sql: string): string[] {
  return [...sql.matchAll(WRITTEN)].map(([, table]) => table as string)
}

export class KeptRows {
  readonly #version: StatementSync
  #seen: unknown
  /** Until one of these counts grows nothing came in, so no caller can know of a later commit. */
  #looked = { loopCount: -1, events: -1 }
  /** Of each statement the rows it gave, by what was bound. */
  readonly #rows = new Map<Sourced, Map<string, Row>>()
  readonly #written = new Set<string>()

  /** `writer` is the one connection of this process that writes. */
  constructor(writer: DatabaseSync) {
    this.#version = writer.prepare('pragma data_version')
    this.#version.setReturnArrays(true)
  }

  find(statement: Sourced, key: string): Row | undefined {
    this.#look()
    return this.#rows.get(statement)?.get(key)
  }

  /** Forgets what another process may have changed. Where that cannot be told nothing is found. */
  #look(): void {
    const { loopCount, events } = performance.nodeTiming.uvMetricsInfo
    if (loopCount === this.#looked.loopCount && events === this.#looked.events) return
    const version = this.#ask()
    if (version === undefined || version !== this.#seen) this.forget()
    this.#seen = version
    if (version !== undefined) this.#looked = { loopCount, events }
  }

  /** Undefined where it cannot be told, as while another process repairs the log. */
  #ask(): unknown {
    try {
      return (this.#version.get() as unknown as unknown[])[0]
    } catch {
      return undefined
    }
  }

  /** Keeps a row that was read right after `find` gave nothing. */
  keep(statement: Sourced, key: string, row: Row): void {
    let rows = this.#rows.get(statement)
    if (!rows) this.#rows.set(statement, (rows = new Map()))
    if (rows.size >= KEPT_MAX) rows.clear()
    rows.set(key, Object.freeze(row))
  }

  /** To be told of every statement of the writer, before it runs. */
  noteWritten(tables: readonly string[]): void {
    for (const table of tables) this.#written.add(table)
  }

  /** What was written is committed, or never will be. */
  settle(): void {
    for (const [{ sources = [] }, rows] of this.#rows) {
      if (sources.some((table) => this.#written.has(table))) rows.clear()
    }
    this.#written.clear()
  }

  forget(): void {
    for (const rows of this.#rows.values()) rows.clear()
  }
}
