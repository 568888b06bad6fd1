import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Engine } from './statement.ts'

/** Of whatever tables. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Rows = SelectQueryBuilder<any, any, any>

/**
 * Cuts a page out of ordered rows, as a subquery; where `when` is false, an empty one, and not one
 * row is looked at, however many are passed over. `when` reads no column of the rows.
 */
export function cut(
  engine: Engine,
  rows: Rows,
  when: Expression<unknown>,
  { limit, offset }: { limit: unknown; offset: unknown },
): Expression<unknown> {
  // Each engine asks this first where it stands for it, and would walk through all rows elsewhere.
  return engine === 'postgres'
    ? sql`(select * from ${rows} as cut where ${when} limit ${limit} offset ${offset})`
    : rows
        .limit(sql<number>`case when ${when} then ${limit} else 0 end`)
        .offset(sql<number>`${offset}`)
}

/** Rows that a page holds, at most. */
const PAGE_MAX = 100

/** The rows of two subqueries, one of which finds none: a page at most. */
export function eitherOf(one: Expression<unknown>, other: Expression<unknown>) {
  // A number PostgreSQL can plan with: it takes a computed limit for a tenth of the table.
  return sql`(select * from ${one} as one union all select * from ${other} as other limit ${sql.lit(PAGE_MAX)})`
}

/**
 * The same from the nearer end of a list whose length `(select total from counts)` tells: the last
 * page costs what the first does, and the most what half of the list does. `rows` gives the rows in
 * their order or, reversed, from the end; the page is in no order.
 */
export function cutFromNearerEnd(
  engine: Engine,
  rows: (isReversed: boolean) => Rows,
  { limit, offset }: { limit: unknown; offset: unknown },
): Expression<unknown> {
  const total = sql`(select total from counts)`
  const before = sql`cast(${offset} as bigint)`
  const isNear = sql`${before} < ${total} and 2 * ${before} <= ${total}`
  const isFar = sql`${before} < ${total} and 2 * ${before} > ${total}`
  const behind = sql`(${total} - ${before} - ${limit})`
  return eitherOf(
    cut(engine, rows(false), isNear, { limit, offset }),
    cut(engine, rows(true), isFar, {
      limit: sql`case when ${before} >= ${total} then 0 when ${behind} < 0 then ${total} - ${before} else ${limit} end`,
      offset: sql`case when ${behind} < 0 then 0 else ${behind} end`,
    }),
  )
}
