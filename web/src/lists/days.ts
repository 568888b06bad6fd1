/** Groups entries by day, in the viewer's time zone. */

export interface Day<E> {
  /** Time of the group's first entry. */
  at: string
  entries: E[]
}

/** Groups neighbours of the same day and keeps their order. */
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
