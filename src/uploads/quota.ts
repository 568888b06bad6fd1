import type { Handle, Tx } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { type Fixed, settingsOf } from '../site-settings.ts'
import type { StorageRecord } from '../users/schema.ts'
import { findUsage, type Usage } from './usage.ts'

/**
 * Bytes of a file system block. A quota allows one file for each block, so that tiny files cannot fill the
 * disk.
 */
const BLOCK_BYTES = 4096
/** Number of files that even the smallest quota allows. */
const FILES_MIN = 1000
const NONE: Usage = { bytes: 0, files: 0 }

interface Storage {
  usage: Usage
  quotaBytes: number | null
}

/**
 * Enforces the storage quota of users. Uploads in progress reserve space, so that a user's parallel uploads stay within
 * the quota. Reservations cover only this process. The transaction that stores an upload checks the quota for all
 * processes.
 */
export class StorageQuota {
  readonly #fixed: Fixed
  readonly #reserved = new Map<string, Usage>()

  constructor(fixed: Fixed) {
    this.#fixed = fixed
  }

  /**
   * Calls `use` with a reservation of `leastBytes`, the minimum size of the upload. Ends the reservation when `use`
   * ends. Errors: 409 QUOTA_EXCEEDED when the quota has too little space left.
   */
  async withReservation<T>(
    db: Handle,
    userId: string,
    leastBytes: number,
    use: (reservation: Reservation) => Promise<T>,
  ): Promise<T> {
    const reservation = new Reservation(this.#reserved, userId, (handle) =>
      this.#find(handle, userId),
    )
    try {
      await reservation.refresh(db)
      reservation.cover({ bytes: Math.max(1, leastBytes), files: 1 })
      return await use(reservation)
    } finally {
      reservation.end()
    }
  }

  async read(db: Handle, userId: string): Promise<StorageRecord> {
    const { usage, quotaBytes } = await this.#find(db, userId)
    return { used_bytes: usage.bytes, quota_bytes: quotaBytes }
  }

  /** Checks that the usage, with a new upload already added, is within the quota. Errors: 409 QUOTA_EXCEEDED. */
  async check(tx: Tx, userId: string): Promise<void> {
    const { usage, quotaBytes } = await this.#find(tx, userId)
    requireWithin(quotaBytes, usage)
  }

  async #find(db: Handle, userId: string): Promise<Storage> {
    const { usage, settings } = await findUsage(db, userId)
    return { usage, quotaBytes: settingsOf({ settings }, this.#fixed).default_quota_bytes }
  }
}

export class Reservation {
  readonly #reserved: Map<string, Usage>
  readonly #userId: string
  readonly #find: (db: Handle) => Promise<Storage>
  #storage: Storage = { usage: NONE, quotaBytes: null }
  #covered = NONE

  constructor(
    reserved: Map<string, Usage>,
    userId: string,
    find: (db: Handle) => Promise<Storage>,
  ) {
    this.#reserved = reserved
    this.#userId = userId
    this.#find = find
  }

  async refresh(db: Handle): Promise<void> {
    this.#storage = await this.#find(db)
  }

  /**
   * Increases the reservation to at least this usage. Errors: 409 QUOTA_EXCEEDED when the quota has too little
   * space.
   */
  cover({ bytes, files }: Usage): void {
    if (bytes <= this.#covered.bytes && files <= this.#covered.files) return
    const covered = {
      bytes: Math.max(bytes, this.#covered.bytes),
      files: Math.max(files, this.#covered.files),
    }
    const reserved = this.#reservedWith(covered)
    const { usage, quotaBytes } = this.#storage
    requireWithin(quotaBytes, sum(usage, reserved))
    this.#covered = covered
    this.#reserved.set(this.#userId, reserved)
  }

  end(): void {
    const reserved = this.#reservedWith(NONE)
    if (reserved.files > 0) this.#reserved.set(this.#userId, reserved)
    else this.#reserved.delete(this.#userId)
    this.#covered = NONE
  }

  /**
   * Returns the total of all the user's reservations, with `covered` in place of this reservation's current
   * usage.
   */
  #reservedWith(covered: Usage): Usage {
    const reserved = this.#reserved.get(this.#userId) ?? NONE
    return {
      bytes: reserved.bytes - this.#covered.bytes + covered.bytes,
      files: reserved.files - this.#covered.files + covered.files,
    }
  }
}

function sum(left: Usage, right: Usage): Usage {
  return { bytes: left.bytes + right.bytes, files: left.files + right.files }
}

function requireWithin(quotaBytes: number | null, { bytes, files }: Usage): void {
  if (quotaBytes === null) return
  const filesMax = Math.max(FILES_MIN, quotaBytes / BLOCK_BYTES)
  if (bytes > quotaBytes || files > filesMax) throw new ApiError('QUOTA_EXCEEDED')
}
