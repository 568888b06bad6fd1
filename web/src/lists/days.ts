/** Groups entries by the days of the viewer's time zone. */

export interface Day<E> {
  /** Time of the first entry. */
  time: string
  entries: E[]
}

export function byDay<E extends { created_at: string }>(entries: readonly E[]): Day<E>[] {
  const days: Day<E>[] = []
  for (const entry of entries) {
    const last = days.at(-1)
    if (last && isSameDay(last.time, entry.created_at)) last.entries.push(entry)
    else days.push({ time: entry.created_at, entries: [entry] })
  }
  return days
}

export function isSameDay(left: string, right: string): boolean {
  return new Date(left).toDateString() === new Date(right).toDateString()
}
