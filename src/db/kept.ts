/**
 * Rows that nearly every request asks for, kept in memory while nothing is committed to the tables
 * they come from. What this process commits it knows; of others on the same file SQLite tells by
 * `data_version`, which is asked once in each turn of the event loop that wants a row. So what is
 * found is as of that turn, never older.
 */
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
  #isSeen = false
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
    if (this.#isSeen) return
    const version = this.#ask()
    if (version === undefined || version !== this.#seen) this.forget()
    this.#seen = version
    // Nothing comes in until the event loop has its next turn: no caller can know of a later commit.
    this.#isSeen = version !== undefined
    queueMicrotask(this.#endTurn)
  }

  /** A tick that is asked for by a microtask comes after all microtasks. */
  readonly #endTurn = (): void => process.nextTick(this.#endSight)
  readonly #endSight = (): void => {
    this.#isSeen = false
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
