import { WriteBuffer } from '../write-buffer.ts'
import type { Db } from '../db/handle.ts'
import { updateKeysUsed } from './queries.ts'

const PRECISION_MS = 60_000
const FLUSH_MS = 5000

export class LastUsed {
  readonly #used: WriteBuffer<null>

  constructor(db: Db, now: () => number, onError: (error: unknown) => void) {
    const store = (used: Map<string, null>) => updateKeysUsed(db, [...used.keys()], now())
    this.#used = new WriteBuffer(FLUSH_MS, store, onError)
  }

  /** Records a use, unless the last recorded one (`stored`) is less than a minute old. */
  note(keyId: string, stored: number | null, now: number): void {
    if (stored === null || now - stored >= PRECISION_MS) this.#used.add(keyId, null)
  }

  close(): Promise<void> {
    return this.#used.close()
  }
}
