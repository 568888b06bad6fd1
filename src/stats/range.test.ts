import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loose, startApp } from '../../test/app.ts'
import { assertInvalid, dataOf, makeContent } from '../../test/make.ts'

const DAY = 86_400_000
const app = await startApp()
const ana = await app.user()

const today = () => new Date(app.clock.now()).toISOString().slice(0, 10)
const before = (days: number) => new Date(app.clock.now() - days * DAY).toISOString().slice(0, 10)

test('the range has every day from the first to the last, at most until today', async () => {
  const content = await makeContent(ana)
  const ranges = [
    [`?from=${before(2)}&to=${before(1)}`, before(2), before(1)],
    [`?from=${before(365)}`, before(365), today()],
    [`?to=${before(10)}`, before(37), before(10)],
    [`?from=${today()}&to=2999-01-01`, today(), today()],
    ['?to=1970-01-01', '1969-12-05', '1970-01-01'],
  ]
  for (const [query = '', from, to] of ranges) {
    for (const path of [`/contents/${content.id}/stats`, '/stats']) {
      const { stats } = dataOf(await ana.get(path + query))
      const dates = stats.days.map(({ date }: Loose) => date)
      assert.deepEqual([stats.from, stats.to, dates[0], dates.at(-1)], [from, to, from, to])
      const length = (Date.parse(to as string) - Date.parse(from as string)) / DAY + 1
      assert.deepEqual([dates.length, new Set(dates).size], [length, length])
    }
  }
})

test('the range is 422 when reversed, too long or malformed', async () => {
  const { id } = await makeContent(ana)
  for (const path of [`/contents/${id}/stats`, '/stats']) {
    for (const [query, field] of [
      [`from=${today()}&to=${before(1)}`, 'from'],
      [`from=${before(-1)}`, 'from'],
      [`from=${before(366)}`, 'from'],
      ['from=2026-02-30', 'from'],
      ['to=2026-13-01', 'to'],
      ['to=2026-02-30', 'to'],
      ['to=0000-01-01', 'to'],
      ['from=0000-01-01&to=0000-01-31', 'from'],
      ['to=1969-12-31', 'to'],
      ['from=9999-12-31', 'from'],
      ['from=9999-12-31&to=9999-12-31', 'from'],
      ['to=-00001-01-01', 'to'],
      ['to=275760-09-13', 'to'],
      ['from=٢٠٢٦-01-01', 'from'],
      ['to=20260101', 'to'],
      ['to=2026-01-01T00:00:00Z', 'to'],
      ['from=%2B2026-01-01', 'from'],
      ['to=', 'to'],
    ] as const) {
      assertInvalid(await ana.get(`${path}?${query}`), field)
    }
  }
})
