import type { Handle, Tx } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { type Fixed, settingsOf } from '../site-settings.ts'
import type { StorageRecord } from '../users/schema.ts'
import { findUsage } from './usage.ts'

/**
 * Enforces the storage quota of users. Uploads in progress reserve space, so that a user's parallel uploads
 * together stay within the quota. Reservations exist per process. The check in the transaction that stores the
 * upload covers all processes.
 */
export class StorageQuota {
  readonly #fixed: Fixed
  readonly #underWay = new Map<string, number>()

  constructor(fixed: Fixed) {
    this.#fixed = fixed
  }

  /**
   * Calls `use` with a reservation, which ends when `use` ends. `leastBytes` is the minimum size of the upload.
   * Errors: 409 QUOTA_EXCEEDED when the quota has no space for it.
   */
  async withReservation<T>(
    db: Handle,
    userId: string,
    leastBytes: number,
    use: (reservation: Reservation) => Promise<T>,
  ): Promise<T> {
    const reservation = new Reservation(this.#underWay, userId, (handle) =>
      this.read(handle, userId),
    )
    try {
      await reservation.refresh(db)
      reservation.cover(Math.max(1, leastBytes))
      return await use(reservation)
    } finally {
      reservation.end()
    }
  }

  async read(db: Handle, userId: string): Promise<StorageRecord> {
    const { usedBytes, settings } = await findUsage(db, userId)
    const { default_quota_bytes: quotaBytes } = settingsOf({ settings }, this.#fixed)
    return { used_bytes: usedBytes, quota_bytes: quotaBytes }
  }

  /** Checks the usage after an upload was added to it. Errors: 409 QUOTA_EXCEEDED. */
  async check(tx: Tx, userId: string): Promise<void> {
    const { used_bytes: used, quota_bytes: limit } = await this.read(tx, userId)
    if (limit !== null && used > limit) throw new ApiError('QUOTA_EXCEEDED')
  }
}

export class Reservation {
  readonly #underWay: Map<string, number>
  readonly #userId: string
  readonly #read: (db: Handle) => Promise<StorageRecord>
  #storage: StorageRecord = { used_bytes: 0, quota_bytes: null }
  #bytes = 0

  constructor(
    underWay: Map<string, number>,
    userId: string,
    read: (db: Handle) => Promise<StorageRecord>,
  ) {
    this.#underWay = underWay
    this.#userId = userId
    this.#read = read
  }

  async refresh(db: Handle): Promise<void> {
    this.#storage = await this.#read(db)
  }

  /** Increases the reservation to `bytes`. Errors: 409 QUOTA_EXCEEDED. */
  cover(bytes: number): void {
    if (bytes <= this.#bytes) return
    const reserved = (this.#underWay.get(this.#userId) ?? 0) + bytes - this.#bytes
    const { used_bytes: used, quota_bytes: limit } = this.#storage
    if (limit !== null && used + reserved > limit) {
      throw new ApiError('QUOTA_EXCEEDED')
    }
    this.#bytes = bytes
    this.#underWay.set(this.#userId, reserved)
  }

  end(): void {
    const left = (this.#underWay.get(this.#userId) ?? 0) - this.#bytes
    if (left > 0) this.#underWay.set(this.#userId, left)
    else this.#underWay.delete(this.#userId)
    this.#bytes = 0
  }
}
