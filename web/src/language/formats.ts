import { useMemo } from 'react'
import { agoOf } from './ago.ts'
import { type Language, useLanguage } from './look.ts'

/** Formats milliseconds as minutes and seconds, such as 4:05, with hours if there are any, such as 1:02:09. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const tail = String(s).padStart(2, '0')
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${tail}` : `${m}:${tail}`
}

function makeFormats(language: Language) {
  const whole = new Intl.NumberFormat(language)
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const month = language === 'ko' ? 'long' : 'short'
  const date = new Intl.DateTimeFormat(language, { year: 'numeric', month, day: 'numeric' })
  const dateThisYear = new Intl.DateTimeFormat(language, { month, day: 'numeric' })
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const bytes = (n: number, unit: string) =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      // Uses the long form of bytes, because the short form has no plural.
      unitDisplay: unit === 'byte' ? 'long' : 'short',
      maximumFractionDigits: 1,
    }).format(n)
  const formatDate = (iso: string) => {
    const then = new Date(iso)
    return (then.getFullYear() === new Date().getFullYear() ? dateThisYear : date).format(then)
  }
  return {
    /** Whole number such as 12,345. */
    number: (n: number) => whole.format(n),
    /** Rounded number for the text next to icons, such as 1.2만 or 12K. */
    count: (n: number) => compact.format(n),
    percent: (share: number) => new Intl.NumberFormat(language, { style: 'percent' }).format(share),
    /** Date such as 11월 17일 or Nov 17. It includes the year unless that is the current year. */
    date: formatDate,
    dateTime: (iso: string) => dateTime.format(new Date(iso)),
    time: (iso: string) => time.format(new Date(iso)),
    day: (iso: string) => day.format(new Date(iso)),
    /** Relative time such as 3시간 전 or 3 hours ago. From one week on, the date. */
    ago: (iso: string, now = Date.now()) => {
      const ago = agoOf(iso, now)
      return ago ? relative.format(...ago) : formatDate(iso)
    },
    bytes: (n: number) => {
      if (n < 1000) return bytes(n, 'byte')
      if (n < 1_000_000) return bytes(n / 1000, 'kilobyte')
      return n < 1e9 ? bytes(n / 1e6, 'megabyte') : bytes(n / 1e9, 'gigabyte')
    },
    duration,
  }
}

type Formats = ReturnType<typeof makeFormats>

export function useFormats(): Formats {
  const language = useLanguage()
  return useMemo(() => makeFormats(language), [language])
}
