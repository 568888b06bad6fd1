/** The source of every time. Tests move it. */
export interface Clock {
  /** Epoch milliseconds. They jump when the operator or a time server sets the clock. */
  now(): number
  /** Milliseconds since an arbitrary moment. They never jump. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

let latest = { time: 0, text: '1970-01-01T00:00:00.000Z' }

/**
 * ISO 8601 UTC with milliseconds (contract, section 1, Timestamps). The last one is kept: most records
 * were made, published and changed in the same moment, and a page has dozens of times.
 */
export function iso(time: number): string {
  if (time !== latest.time) latest = { time, text: new Date(time).toISOString() }
  return latest.text
}

/** The same for a time that may be missing. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}
