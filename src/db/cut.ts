import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Engine } from './statement.ts'

// oxlint-disable-next-line typescript/no-explicit-any
export type Rows = SelectQueryBuilder<any, any, any>

/** Returns SQL for a page of `rows`. The page is empty when `when` is false. `when` must not use columns of `rows`. */
export function cut(
  engine: Engine,
  rows: Rows,
  when: Expression<unknown>,
  { limit, offset }: { limit: unknown; offset: unknown },
): Expression<unknown> {
  // PostgreSQL evaluates this `where`, and SQLite this `limit`, before reading rows.
  return engine === 'postgres'
    ? sql`(select * from ${rows} as cut where ${when} limit ${limit} offset ${offset})`
    : rows
        .limit(sql<number>`case when ${when} then ${limit} else 0 end`)
        .offset(sql<number>`${offset}`)
}

const PAGE_MAX = 100

/** Returns SQL that combines two subqueries into at most PAGE_MAX rows. At least one must return no rows. */
export function eitherOf(left: Expression<unknown>, right: Expression<unknown>) {
  // With a literal limit PostgreSQL estimates few rows. For a computed limit it assumes a tenth of the table.
  return sql`(select * from ${left} as one union all select * from ${right} as other limit ${sql.lit(PAGE_MAX)})`
}

/**
 * Returns SQL that reads a page of rows from the nearer end of a list, so that the last page is as fast as the first.
 * The rows are in no particular order. `rows` returns the list's rows in order or, with `isReversed`, in reverse order.
 * The list's length must be `(select total from counts)`.
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
