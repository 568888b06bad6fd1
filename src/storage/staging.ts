import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { opendir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Milliseconds between updates of the modification times of folders in use. Other processes remove only folders with
 * old times.
 */
const TOUCH_MS = 600_000
/**
 * Options of `rmSync`. `maxRetries` repeats a removal that fails while another program is still writing to
 * the folder.
 */
const REMOVAL = { recursive: true, force: true, maxRetries: 3 } as const

export class Staging {
  readonly folder: string
  readonly #inUse = new Set<string>()
  readonly #timer: NodeJS.Timeout

  /** Stages files in `folder`, which must exist. */
  constructor(folder: string) {
    this.folder = folder
    this.#timer = setInterval(() => void this.#touch(), TOUCH_MS).unref()
  }

  /**
   * Returns the path for a new file. The caller must delete the file. A sweep deletes files older than an hour.
   */
  newFile(): string {
    return join(this.folder, randomUUID())
  }

  /** Calls `use` with an empty folder, and then removes the folder and its contents. */
  async withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.folder, randomUUID())
    this.#inUse.add(folder)
    try {
      // Creates the folder synchronously, because `abandon` cannot remove a folder that is still being created.
      mkdirSync(folder, { mode: 0o700 })
      return await use(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
      this.#inUse.delete(folder)
    }
  }

  /**
   * Removes files and folders that were last modified before `before` (epoch milliseconds), except folders that
   * this process uses.
   */
  async removeOld(before: number): Promise<void> {
    for await (const { name } of await opendir(this.folder)) {
      const place = join(this.folder, name)
      if (this.#inUse.has(place)) continue
      // Another process may have removed the file since this folder was listed.
      const found = await stat(place).catch(() => undefined)
      if (found && found.mtimeMs < before) await rm(place, { recursive: true, force: true })
    }
  }

  /** Removes the folders in use. Synchronous, so that it can run when the process exits. */
  abandon(): void {
    for (const folder of this.#inUse) rmSync(folder, REMOVAL)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #touch(): Promise<void> {
    const now = new Date()
    for (const folder of this.#inUse) await utimes(folder, now, now).catch(() => {})
  }
}
