const MINUTE = 60
const HOUR = 60 * MINUTE

export type Ago = readonly [value: number, unit: 'second' | 'minute' | 'hour' | 'day']

/** Returns a relative time, negative in the past. Undefined from one week on, when pages show the date instead. */
export function agoOf(iso: string, now: number): Ago | undefined {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  const past = Math.abs(seconds)
  if (past < 45) return [0, 'second']
  if (past < 59.5 * MINUTE) return [Math.round(seconds / MINUTE), 'minute']
  if (past < 23.5 * HOUR) return [Math.round(seconds / HOUR), 'hour']
  // Counts calendar days: Saturday night is two days before Monday morning.
  const days = -daysSince(iso, new Date(now))
  return Math.abs(days) < 7 ? [days, 'day'] : undefined
}

/** Returns the calendar days since a time: 0 for today, 1 for yesterday, in the viewer's time zone. */
export function daysSince(time: string, now: Date = new Date()): number {
  const midnight = (target: Date) =>
    new Date(target.getFullYear(), target.getMonth(), target.getDate()).getTime()
  return Math.round((midnight(now) - midnight(new Date(time))) / 86_400_000)
}
