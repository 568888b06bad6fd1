/** The limit of stored bytes for each user. */
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { findUsedBytes } from './usage.ts'

/**
 * Bytes that users may store. Uploads under way reserve theirs in this process, so that users cannot
 * fill the disk with many at once; the transaction that stores an upload decides, for all processes.
 */
export class StorageQuota {
  /** Null: unlimited. */
  readonly limit: number | null
  readonly #underWay = new Map<string, number>()

  constructor(limit: number | null) {
    this.limit = limit
  }

  /**
   * Runs `use` with a reservation of the user's, which ends with it. `leastBytes` are known to come.
   * Errors: 409 QUOTA_EXCEEDED when there is no room for them.
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

  /** What the user has stored, and may store. */
  async read(db: Handle, userId: string) {
    return { used_bytes: await findUsedBytes(db, userId), quota_bytes: this.limit }
  }

  /** Errors: 409 QUOTA_EXCEEDED for more bytes than a user may have. */
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

  /** Reads what the user has stored by now. */
  async refresh(db: Handle): Promise<void> {
    if (this.#limit !== null) this.#usedBytes = await findUsedBytes(db, this.#userId)
  }

  /** Reserves so many bytes in all. Errors: 409 QUOTA_EXCEEDED. */
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
