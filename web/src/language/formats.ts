import { agoOf, DATES } from './dates.ts'
import { type Language, useLanguage } from './look.ts'

/** Formats milliseconds as minutes and seconds, such as 4:05, with hours if there are any, such as 1:02:09. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const tail = String(s).padStart(2, '0')
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${tail}` : `${m}:${tail}`
}

/** Numbers below this limit need no formatter. */
const PLAIN_MAX = 1000

/** Creates a value on first use. The first formatter of each kind takes milliseconds, because its data must load. */
function onUse<T>(create: () => T): () => T {
  let made: T | undefined
  return () => (made ??= create())
}

function makeFormats(language: Language) {
  const dates = (options: Intl.DateTimeFormatOptions) =>
    onUse(() => new Intl.DateTimeFormat(language, options))
  const words = DATES[language]
  const dateTime = dates({ dateStyle: 'medium', timeStyle: 'short' })
  const time = dates({ timeStyle: 'short' })
  const day = dates({ dateStyle: 'full' })
  const whole = onUse(() => new Intl.NumberFormat(language))
  const compact = onUse(
    () => new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }),
  )
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
    const isThisYear = then.getFullYear() === new Date().getFullYear()
    return isThisYear ? words.date(then) : words.dateWithYear(then)
  }
  return {
    /** Whole number such as 12,345. */
    number: (n: number) => (n < PLAIN_MAX ? String(n) : whole().format(n)),
    /** Rounded number for the text next to icons, such as 1.2만 or 12K. */
    count: (n: number) => (n < PLAIN_MAX ? String(n) : compact().format(n)),
    percent: (share: number) => new Intl.NumberFormat(language, { style: 'percent' }).format(share),
    /** Date such as 11월 17일 or Nov 17. It includes the year unless that is the current year. */
    date: formatDate,
    dateTime: (iso: string) => dateTime().format(new Date(iso)),
    time: (iso: string) => time().format(new Date(iso)),
    day: (iso: string) => day().format(new Date(iso)),
    /** Relative time such as 3시간 전 or 3 hours ago. From one week on, the date. */
    ago: (iso: string, now = Date.now()) => {
      const ago = agoOf(iso, now)
      return ago ? words.ago(ago) : formatDate(iso)
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

/** Formats by language, shared by all components. */
const made = new Map<Language, Formats>()

export function useFormats(): Formats {
  const language = useLanguage()
  const formats = made.get(language) ?? makeFormats(language)
  made.set(language, formats)
  return formats
}
