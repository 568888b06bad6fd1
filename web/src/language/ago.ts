/** Distance between a time and now, in the unit to display. */

const MINUTE = 60
const HOUR = 60 * MINUTE

type Ago = readonly [value: number, unit: 'second' | 'minute' | 'hour' | 'day']

/** Returns undefined from one week on, when the date is shown instead. */
export function agoOf(iso: string, now: number): Ago | undefined {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  const past = Math.abs(seconds)
  if (past < 45) return [0, 'second']
  if (past < 59.5 * MINUTE) return [Math.round(seconds / MINUTE), 'minute']
  if (past < 23.5 * HOUR) return [Math.round(seconds / HOUR), 'hour']
  // Counts calendar days: from Saturday night to Monday morning is two days.
  const days = -daysSince(iso, new Date(now))
  return Math.abs(days) < 7 ? [days, 'day'] : undefined
}

/** Calendar days since a time: 0 today, 1 yesterday. */
export function daysSince(at: string, now: Date = new Date()): number {
  const midnight = (target: Date) =>
    new Date(target.getFullYear(), target.getMonth(), target.getDate()).getTime()
  return Math.round((midnight(now) - midnight(new Date(at))) / 86_400_000)
}
