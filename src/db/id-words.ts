/** SQL versions of functions in `ids.ts`, for statements that lock a row and create an id. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { ALPHABET } from './ids.ts'
import type { Dialect } from './statement.ts'

const TIME_DIGITS = 10
const PLACES = Array.from({ length: TIME_DIGITS }, (_, i) => i)
const DIGITS = sql.lit(ALPHABET)

/** Returns SQL for `timeOf`: the time in an id, as Unix time in milliseconds. */
export function timeInId(dialect: Dialect, id: Expression<string | null>): RawBuilder<number> {
  const digits = PLACES.map((i) => {
    const digit = dialect.position(sql`substr(${id}, ${sql.lit(5 + i)}, 1)`, DIGITS)
    return sql`cast(${digit} - 1 as bigint) * ${sql.lit(32 ** (TIME_DIGITS - 1 - i))}`
  })
  return sql`(${sql.join(digits, sql` + `)})`
}

/**
 * Returns SQL for `newId` with `after`: `id` if it is greater than `after` or `after` is null, else a later id.
 */
export function idAfter(
  dialect: Dialect,
  id: string,
  after: Expression<string | null>,
): RawBuilder<string> {
  const made = sql`cast(${id} as text)`
  const digits = PLACES.map(
    (i) =>
      sql`substr(${DIGITS}, cast((time >> ${sql.lit(5 * (TIME_DIGITS - 1 - i))}) & 31 as integer) + 1, 1)`,
  )
  return sql`case when ${after} is null or ${made} > ${after} then ${made} else (
    select substr(${made}, 1, 4) || ${sql.join(digits, sql` || `)} || substr(${made}, 15)
    from (select ${timeInId(dialect, after)} + 1 as time) as next
  ) end`
}
