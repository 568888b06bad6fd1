import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agoOf, byDay, DATES, daysSince } from '../src/language/dates.ts'
import { lengthOf } from '../src/language/length.ts'

/** Returns the ISO time of an hour on a day in May 2026, in the time zone of the test process. */
const timeOn = (day: number, hour: number) => new Date(2026, 4, day, hour).toISOString()

test('entries of one day are grouped in their order', () => {
  const entries = [timeOn(4, 23), timeOn(4, 0), timeOn(3, 23)].map((created_at) => ({ created_at }))
  assert.deepEqual(
    byDay(entries).map((day) => day.entries.length),
    [2, 1],
  )
  assert.deepEqual(byDay([]), [])
})

test('days are counted from midnight to midnight, not by hours', () => {
  const now = new Date(2026, 4, 4, 1)
  assert.equal(daysSince(timeOn(4, 0), now), 0)
  assert.equal(daysSince(timeOn(3, 23), now), 1)
  assert.equal(daysSince(timeOn(2, 23), now), 2)
})

test('relative times use calendar days and never show 60 minutes or 24 hours', () => {
  const monday = new Date(2026, 4, 4, 4).getTime()
  const before = (minutes: number) => new Date(monday - minutes * 60_000).toISOString()
  assert.deepEqual(agoOf(timeOn(2, 23), monday), [-2, 'day'])
  assert.deepEqual(agoOf(timeOn(3, 4), monday), [-1, 'day'])
  assert.deepEqual(agoOf(timeOn(3, 23), monday), [-5, 'hour'])
  assert.deepEqual(agoOf(timeOn(7, 5), monday), [3, 'day'])
  assert.deepEqual(agoOf(before(0.5), monday), [0, 'second'])
  assert.deepEqual(agoOf(before(59.8), monday), [-1, 'hour'])
  assert.deepEqual(agoOf(before(23.8 * 60), monday), [-1, 'day'])
  assert.equal(agoOf(new Date(2026, 3, 27, 5).toISOString(), monday), undefined)
})

test('lengths are counted like on the server', () => {
  assert.equal(lengthOf('  가나다\n'), 3)
  assert.equal(lengthOf('한'.normalize('NFD')), 1)
  assert.equal(lengthOf('👩‍🚀'), 3)
  assert.equal(lengthOf(' \n'), 0)
})

test('dates and relative times have the words of Intl', () => {
  for (const language of ['ko', 'en'] as const) {
    const words = DATES[language]
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
    for (const [unit, most] of [
      ['minute', 59],
      ['hour', 24],
      ['day', 6],
    ] as const) {
      for (let value = -most; value <= most; value++) {
        if (value === 0 && unit !== 'day') continue
        assert.equal(words.ago([value, unit]), relative.format(value, unit))
      }
    }
    assert.equal(words.ago([0, 'second']), relative.format(0, 'second'))
    const month = language === 'ko' ? 'long' : 'short'
    const date = new Intl.DateTimeFormat(language, { month, day: 'numeric' })
    const whole = new Intl.DateTimeFormat(language, { year: 'numeric', month, day: 'numeric' })
    for (let day = 1; day <= 366; day++) {
      const then = new Date(2028, 0, day)
      assert.deepEqual(
        [words.date(then), words.dateWithYear(then)],
        [date.format(then), whole.format(then)],
      )
    }
  }
})
