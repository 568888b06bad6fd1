/** Where every time comes from: epoch milliseconds. Tests move it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** ISO 8601 UTC with milliseconds (contract, section 1, Timestamps). */
export function iso(time: number): string {
  return new Date(time).toISOString()
}

/** The same for a time that may be missing. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}
