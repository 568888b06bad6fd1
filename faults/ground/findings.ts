/** What came of the writes, and whatever else did not hold. */
export interface Findings {
  acknowledged: number
  /** Acknowledged, and not there. */
  lost: number
  /** There more than once. */
  duplicated: number
  /** There otherwise than it was written, or never written by anybody. */
  corrupt: number
  /** Counts that differ from their rows. */
  drift: number
  /** What did not hold, one line each. */
  broken: string[]
  /** Figures. */
  notes: string[]
}

export function noFindings(): Findings {
  return {
    acknowledged: 0,
    lost: 0,
    duplicated: 0,
    corrupt: 0,
    drift: 0,
    broken: [],
    notes: [],
  }
}

export function isSound({ lost, duplicated, corrupt, drift, broken }: Findings): boolean {
  return lost + duplicated + corrupt + drift + broken.length === 0
}

/** The middle one; NaN of none. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
