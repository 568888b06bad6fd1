/**
 * `erasures.jsonl` in DATA_DIR lists every erased user and content item. The file is separate from the
 * database, so the erasures can be repeated after a restore from an older backup.
 */
import { existsSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { iso } from '../clock.ts'
import type { ErasureRow } from '../db/erasure-tables.ts'
import type { Handle } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import { listErasures } from './queries.ts'

const PAGE = 500

export function erasureLogIn(dataDir: string): string {
  return join(dataDir, 'erasures.jsonl')
}

/** Returns the entries of a file, without damaged lines. Returns an empty list when the file does not exist. */
export function readErasureLog(file: string): ErasureRow[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8').split('\n').flatMap(toEntry)
}

function toEntry(line: string): ErasureRow[] {
  try {
    const { id, erased_at } = JSON.parse(line) as { id: string; erased_at: string }
    const time = Date.parse(erased_at)
    const isKnown = isId('usr', id) || isId('cnt', id)
    return isKnown && Number.isFinite(time) ? [{ id, erased_at: time }] : []
  } catch {
    return []
  }
}

/** Writes the file. A process has one, because two would both append an erasure that neither has read yet. */
export class ErasureLog {
  readonly #file: string
  #syncing: Promise<void> = Promise.resolve()
  #written: Set<string> | undefined
  #after: ErasureRow = { id: '', erased_at: 0 }

  constructor(dataDir: string) {
    this.#file = erasureLogIn(dataDir)
  }

  /**
   * Appends the erasures that are in the database but not in the file. The lines are durable when the promise
   * resolves. Concurrent calls run one after the other.
   */
  sync(db: Handle): Promise<void> {
    const done = this.#syncing.then(() => this.#appendNew(db))
    this.#syncing = done.catch(() => {})
    return done
  }

  async #appendNew(db: Handle): Promise<void> {
    this.#written ??= new Set(readErasureLog(this.#file).map(({ id }) => id))
    for (;;) {
      const rows = await listErasures(db, this.#after, PAGE)
      const last = rows.at(-1)
      if (!last) return
      await this.#append(rows.filter(({ id }) => !this.#written?.has(id)))
      // The next call reads the last minute again, because a slow transaction may yet commit an erasure from that
      // minute.
      if (rows.length < PAGE) return this.#passTo(last.erased_at - 60_000)
      this.#after = last
    }
  }

  #passTo(time: number): void {
    if (time > this.#after.erased_at) this.#after = { id: '', erased_at: time }
  }

  async #append(rows: readonly ErasureRow[]): Promise<void> {
    if (rows.length === 0) return
    const lines = rows.map((row) => JSON.stringify({ id: row.id, erased_at: iso(row.erased_at) }))
    const file = await open(this.#file, 'a', 0o600)
    try {
      // Starts with a line break, because a crash may have left an incomplete last line.
      await file.appendFile(`\n${lines.join('\n')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    for (const { id } of rows) this.#written?.add(id)
  }
}
