/** The source of the current time. Tests replace it. */
export interface Clock {
  /** Epoch milliseconds. Jumps when the operator or a time server sets the clock. */
  now(): number
  /** Milliseconds since an arbitrary moment. Never jumps. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

let latest = { time: 0, text: '1970-01-01T00:00:00.000Z' }

/**
 * Formats a time as ISO 8601 UTC with milliseconds (contract, section 1, Timestamps). Caches the last result,
 * because the times within one record are often equal.
 */
export function iso(time: number): string {
  if (time !== latest.time) latest = { time, text: new Date(time).toISOString() }
  return latest.text
}

/** Like `iso`, but returns null for a missing time. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}
