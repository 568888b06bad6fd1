/** The source of the current time. Tests replace it. */
export interface Clock {
  /** Epoch milliseconds. Jumps when the system clock is adjusted. */
  now(): number
  /** Milliseconds since an arbitrary moment. Never jumps when the system clock is adjusted. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

let latest = { time: 0, text: '1970-01-01T00:00:00.000Z' }

/**
 * Formats a time as ISO 8601 UTC with milliseconds (contract, section 1, Timestamps). Caches the last result,
 * because the times of one record are often equal.
 */
export function iso(time: number): string {
  if (time !== latest.time) latest = { time, text: new Date(time).toISOString() }
  return latest.text
}

/** Formats a time like `iso`. Returns null for null. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}
