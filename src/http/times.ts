import type { Problem } from '../errors.ts'

const TIME = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i

/** Returns the epoch milliseconds of an ISO 8601 time with a zone, or undefined for another text. */
export function parseTime(text: string): number | undefined {
  const [, year, month, day] = TIME.exec(text)?.map(Number) ?? []
  const time = Date.parse(text)
  if (year === undefined || month === undefined || Number.isNaN(time)) return undefined
  // Date.parse accepts day 31 in every month, so the day is checked separately.
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? time : undefined
}

/** Adds a problem when the value is a text but not a time. */
export function checkTime(field: string, value: unknown, problems: Problem[]): void {
  if (typeof value !== 'string' || parseTime(value) !== undefined) return
  problems.push({ field, key: 'invalid.time' })
}
