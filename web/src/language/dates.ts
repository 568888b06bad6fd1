/** Dates and relative times. Days are those of the viewer's time zone. */
import type { Language } from './look.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

type Ago = readonly [value: number, unit: 'second' | 'minute' | 'hour' | 'day']

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

/** Returns the calendar days since a time: 0 for today, 1 for yesterday. */
export function daysSince(time: string, now: Date = new Date()): number {
  const midnight = (target: Date) =>
    new Date(target.getFullYear(), target.getMonth(), target.getDate()).getTime()
  return Math.round((midnight(now) - midnight(new Date(time))) / 86_400_000)
}

interface Words {
  date(day: Date): string
  dateWithYear(day: Date): string
  ago(ago: Ago): string
}

const KOREAN_UNITS = { second: '초', minute: '분', hour: '시간', day: '일' }
const KOREAN_DAYS: Record<number, string> = {
  '-2': '그저께',
  '-1': '어제',
  0: '오늘',
  1: '내일',
  2: '모레',
}
const ENGLISH_DAYS: Record<number, string> = { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Dates and relative times in the words of `Intl`. Formatters of `Intl` would load their data first, which takes 20 ms of
 * the first page.
 */
export const DATES: Record<Language, Words> = {
  ko: {
    date: (day) => `${day.getMonth() + 1}월 ${day.getDate()}일`,
    dateWithYear: (day) => `${day.getFullYear()}년 ${DATES.ko.date(day)}`,
    ago: ([value, unit]) => {
      const word = unit === 'day' && KOREAN_DAYS[value]
      if (word) return word
      return value === 0
        ? '지금'
        : `${Math.abs(value)}${KOREAN_UNITS[unit]} ${value < 0 ? '전' : '후'}`
    },
  },
  en: {
    date: (day) => `${MONTHS[day.getMonth()]} ${day.getDate()}`,
    dateWithYear: (day) => `${DATES.en.date(day)}, ${day.getFullYear()}`,
    ago: ([value, unit]) => {
      const word = unit === 'day' && ENGLISH_DAYS[value]
      if (word) return word
      if (value === 0) return 'now'
      const length = `${Math.abs(value)} ${unit}${Math.abs(value) === 1 ? '' : 's'}`
      return value < 0 ? `${length} ago` : `in ${length}`
    },
  },
}

export interface Day<E> {
  /** Time of the first entry. */
  time: string
  entries: E[]
}

/** Groups consecutive entries by the days of the viewer's time zone. */
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
