/**
 * Dates and relative times in the words of `Intl`. Formatters of `Intl` would load their data first, which takes 20 ms of
 * the first page.
 */
import type { Ago } from './ago.ts'
import type { Language } from './look.ts'

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
