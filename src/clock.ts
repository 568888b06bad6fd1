export interface Clock {
  /** Unix time in milliseconds. Jumps when the system clock is adjusted. */
  now(): number
  /** Milliseconds since an arbitrary moment. Adjusting the system clock does not change it. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

let latest = { time: 0, text: '1970-01-01T00:00:00.000Z' }

/**
 * Returns a Unix time in milliseconds as ISO 8601 text in UTC (docs/api.md, Conventions). Caches the last result,
 * because the times of a record are often equal.
 */
export function iso(time: number): string {
  if (time !== latest.time) latest = { time, text: new Date(time).toISOString() }
  return latest.text
}

export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}
