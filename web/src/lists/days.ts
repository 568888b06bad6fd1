/** Entries by the day they are of, where the reader is. */

export interface Day<E> {
  /** The time of its first entry. */
  at: string
  entries: E[]
}

/** Neighbours of one day together, in the order they have. */
export function byDay<E extends { created_at: string }>(entries: readonly E[]): Day<E>[] {
  const days: Day<E>[] = []
  for (const entry of entries) {
    const last = days.at(-1)
    if (last && isSameDay(last.at, entry.created_at)) last.entries.push(entry)
    else days.push({ at: entry.created_at, entries: [entry] })
  }
  return days
}

export function isSameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString()
}
