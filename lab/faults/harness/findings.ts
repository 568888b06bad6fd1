export interface Findings {
  acknowledged: number
  lost: number
  duplicated: number
  /** Number of writes stored with values other than those sent or acknowledged, plus rows that no client wrote. */
  corrupt: number
  /** Sum of the differences between stored counts and counted rows. */
  drift: number
  broken: string[]
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

/**
 * Returns the median, or NaN for an empty list. For an even number of values, returns the larger of the two middle
 * values.
 */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
