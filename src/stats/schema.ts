import { type Static, type TProperties, Type } from 'typebox'
import { DAY_MS } from '../db/stats-tables.ts'
import { checked, textOrNull, withCsv } from '../http/fields.ts'

const COUNTS = ['views', 'plays', 'likes', 'comments', 'follows'] as const
type Count = (typeof COUNTS)[number]

const Numbers = {
  views: Type.Integer(),
  plays: Type.Integer(),
  likes: Type.Integer(),
  comments: Type.Integer(),
  follows: Type.Integer(),
}
const date = () => Type.String({ format: 'date' })

const Days = {
  from: date(),
  to: date(),
  totals: Type.Object(Numbers, { description: 'Sums of `days`' }),
  days: Type.Array(Type.Object({ date: date(), ...Numbers }, { title: 'DayNumbers' }), {
    description: 'Every day of the range',
  }),
  undated: Type.Object(
    { views: Type.Integer() },
    { description: 'Views from before views were counted by day' },
  ),
}
const statsOf = <P extends TProperties>(fields: P) =>
  Type.Object({ stats: Type.Object({ ...fields, ...Days }) })

export const ContentStats = withCsv(statsOf({ content_id: Type.String() }), toCsv)
export const CreatorStats = withCsv(
  statsOf({
    top: Type.Array(
      Type.Object({
        content_id: Type.String(),
        title: Type.String(),
        thumbnail_url: textOrNull(),
        views: Type.Integer(),
      }),
      { description: 'At most ten, the most viewed in the range first' },
    ),
  }),
  toCsv,
)

/**
 * Returns the number of days from 1970-01-01 to a date such as 2030-01-31. Returns undefined for other texts and for
 * dates before 1970.
 */
export function dayOf(text: string): number | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return time >= 0 && dateOf(time / DAY_MS) === text ? time / DAY_MS : undefined
}

export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

export const StatsQuery = checked(
  Type.Object({
    from: Type.Optional(
      Type.String({ description: 'First day in UTC. Default: 27 days before `to`' }),
    ),
    to: Type.Optional(
      Type.String({ description: 'Last day in UTC, at most and by default today' }),
    ),
  }),
  (query, problems) => {
    for (const field of ['from', 'to'] as const) {
      const text = query[field]
      if (typeof text === 'string' && dayOf(text) === undefined) {
        problems.push({ field, key: 'invalid.date' })
      }
    }
  },
)
export type StatsQuery = Static<typeof StatsQuery>

/** Returns the sums of the rows for each day of the span, including days without rows, and the totals of all days. */
export function toDays(
  { from, to }: { from: number; to: number },
  rows: readonly ({ day: number } & Record<Count, number>)[],
) {
  const sum = (some: typeof rows) =>
    Object.fromEntries(
      COUNTS.map((name) => [name, some.reduce((total, row) => total + row[name], 0)]),
    ) as Record<Count, number>
  const byDay = Map.groupBy(rows, ({ day }) => day)
  const days = Array.from({ length: to - from + 1 }, (_, index) => ({
    date: dateOf(from + index),
    ...sum(byDay.get(from + index) ?? []),
  }))
  return { from: dateOf(from), to: dateOf(to), totals: sum(rows), days }
}

/** Returns the days as CSV (RFC 4180) with a header. */
function toCsv({
  stats,
}: {
  stats: { days: (Record<Count, number> & { date: string })[] }
}): string {
  const lines = stats.days.map((row) => [row.date, ...COUNTS.map((name) => row[name])])
  return [['date', ...COUNTS], ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}
