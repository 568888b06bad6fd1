import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { findUsedBytes } from './usage.ts'

/**
 * Uploads in progress reserve space, so that parallel uploads cannot fill the disk. Reservations exist per
 * process. The check in the transaction that stores the upload covers all processes.
 */
export class StorageQuota {
  readonly limit: number | null
  readonly #underWay = new Map<string, number>()

  constructor(limit: number | null) {
    this.limit = limit
  }

  /**
   * Holds a reservation while `use` runs. `leastBytes` is the minimum size of the upload.
   * Errors: 409 QUOTA_EXCEEDED when the quota has no space for it.
   */
  async withReservation<T>(
    db: Handle,
    userId: string,
    leastBytes: number,
    use: (reservation: Reservation) => Promise<T>,
  ): Promise<T> {
    const reservation = new Reservation(this.#underWay, userId, this.limit)
    try {
      await reservation.refresh(db)
      reservation.cover(Math.max(1, leastBytes))
      return await use(reservation)
    } finally {
      reservation.end()
    }
  }

  async read(db: Handle, userId: string) {
    return { used_bytes: await findUsedBytes(db, userId), quota_bytes: this.limit }
  }

  /** Errors: 409 QUOTA_EXCEEDED above the limit. */
  check(usedBytes: number): void {
    if (this.limit !== null && usedBytes > this.limit) throw new ApiError('QUOTA_EXCEEDED')
  }
}

export class Reservation {
  readonly #underWay: Map<string, number>
  readonly #userId: string
  readonly #limit: number | null
  #usedBytes = 0
  #bytes = 0

  constructor(underWay: Map<string, number>, userId: string, limit: number | null) {
    this.#underWay = underWay
    this.#userId = userId
    this.#limit = limit
  }

  async refresh(db: Handle): Promise<void> {
    if (this.#limit !== null) this.#usedBytes = await findUsedBytes(db, this.#userId)
  }

  /** Increases the reservation to `bytes`. Errors: 409 QUOTA_EXCEEDED. */
  cover(bytes: number): void {
    if (bytes <= this.#bytes) return
    const reserved = (this.#underWay.get(this.#userId) ?? 0) + bytes - this.#bytes
    if (this.#limit !== null && this.#usedBytes + reserved > this.#limit) {
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
