/**
 * Rows that nearly every request asks for, kept in memory while nothing is committed to the tables
 * they come from. What this process commits it knows; of others on the same file SQLite tells by
 * `data_version`, which is asked every time. So what is found is as of now, never older.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Bounds memory: beyond it all are forgotten. */
const KEPT_MAX = 10_000
/** Some statements are bare SQL, with no quotes; a word too many does no harm. */
const WRITTEN = /\b(?:insert into|update|delete from) "?(\w+)/gi

type KeptRow = Readonly<Record<string, unknown>>

/** The tables that a statement writes. */
export function tablesWritten(sql: string): string[] {
  return [...sql.matchAll(WRITTEN)].map(([, table]) => table as string)
}

export class KeptRows {
  readonly #version: StatementSync
  #seen: unknown
  readonly #rows = new Map<string, KeptRow>()
  /** The tables that kept rows come from. */
  readonly #sources = new Set<string>()
  readonly #written = new Set<string>()

  /** `writer` is the one connection of this process that writes. */
  constructor(writer: DatabaseSync) {
    this.#version = writer.prepare('pragma data_version')
    this.#version.setReturnArrays(true)
  }

  find(key: string): KeptRow | undefined {
    const version = this.#ask()
    if (version === undefined || version !== this.#seen) {
      this.#seen = version
      this.#rows.clear()
    }
    return this.#rows.get(key)
  }

  /** Undefined where it cannot be told, as while another process repairs the log: then nothing is found. */
  #ask(): unknown {
    try {
      return (this.#version.get() as unknown as unknown[])[0]
    } catch {
      return undefined
    }
  }

  /** Keeps a row of these tables that was read right after `find` gave nothing. */
  keep(key: string, row: KeptRow, sources: readonly string[]): void {
    for (const table of sources) this.#sources.add(table)
    if (this.#rows.size >= KEPT_MAX) this.#rows.clear()
    this.#rows.set(key, Object.freeze(row))
  }

  /** To be told of every statement of the writer, before it runs. */
  noteWritten(tables: readonly string[]): void {
    for (const table of tables) this.#written.add(table)
  }

  /** What was written is committed, or never will be. */
  settle(): void {
    for (const table of this.#written) {
      if (this.#sources.has(table)) this.#rows.clear()
    }
    this.#written.clear()
  }

  forget(): void {
    this.#rows.clear()
  }
}
