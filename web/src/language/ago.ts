/** How far a time is from now, in the words' own units. */

const MINUTE = 60
const HOUR = 60 * MINUTE

type Ago = readonly [value: number, unit: 'second' | 'minute' | 'hour' | 'day']

/** Undefined from a week on: what is told then is the date. */
export function agoOf(iso: string, now: number): Ago | undefined {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  const past = Math.abs(seconds)
  if (past < 45) return [0, 'second']
  if (past < 59.5 * MINUTE) return [Math.round(seconds / MINUTE), 'minute']
  if (past < 23.5 * HOUR) return [Math.round(seconds / HOUR), 'hour']
  // By the calendar: late on Saturday is not yesterday on Monday morning.
  const days = -daysSince(iso, new Date(now))
  return Math.abs(days) < 7 ? [days, 'day'] : undefined
}

/** 0 for today, 1 for yesterday, and so on. */
export function daysSince(at: string, now: Date = new Date()): number {
  const midnight = (of: Date) => new Date(of.getFullYear(), of.getMonth(), of.getDate()).getTime()
  return Math.round((midnight(now) - midnight(new Date(at))) / 86_400_000)
}
