/** Where files are written before they are whole: on the same file system as a local store. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { opendir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** Milliseconds between signs of life, so that no other process takes what is in use for left behind. */
const TOUCH_MS = 600_000
/** Again where another program still writes there. */
const REMOVAL = { recursive: true, force: true, maxRetries: 3 } as const

export class Staging {
  readonly folder: string
  readonly #inUse = new Set<string>()
  readonly #timer: NodeJS.Timeout

  /** The folder exists. */
  constructor(folder: string) {
    this.folder = folder
    this.#timer = setInterval(() => void this.#touch(), TOUCH_MS).unref()
  }

  /** A path that is free, for one file that is written soon. Who makes it sees to it that it goes. */
  newFile(): string {
    return join(this.folder, randomUUID())
  }

  /** Gives `use` an empty folder, and removes it with all that is in it afterwards. */
  async withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.folder, randomUUID())
    this.#inUse.add(folder)
    try {
      // At once: `abandon` would find nothing of one that is still being made.
      mkdirSync(folder, { mode: 0o700 })
      return await use(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
      this.#inUse.delete(folder)
    }
  }

  /** Removes what was left behind before a time, in epoch milliseconds. */
  async removeOld(before: number): Promise<void> {
    for await (const { name } of await opendir(this.folder)) {
      const place = join(this.folder, name)
      if (this.#inUse.has(place)) continue
      // Gone meanwhile: its owner lives.
      const found = await stat(place).catch(() => undefined)
      if (found && found.mtimeMs < before) await rm(place, { recursive: true, force: true })
    }
  }

  /** Removes at once what this process has in use, for one that ends in the middle of it. */
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
