/** What `ids.ts` says of ids, in SQL: for ids that are made under a lock the server itself takes. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { ALPHABET } from './ids.ts'
import type { Dialect } from './statement.ts'

/** Digits of an id that hold its time, behind prefix and underscore. */
const TIME_DIGITS = 10
const PLACES = Array.from({ length: TIME_DIGITS }, (_, i) => i)
const DIGITS = sql.lit(ALPHABET)

/** The time an id holds, in epoch milliseconds: `timeOf`. */
export function timeInId(on: Dialect, id: Expression<string | null>): RawBuilder<number> {
  const digits = PLACES.map((i) => {
    const digit = on.position(sql`substr(${id}, ${sql.lit(5 + i)}, 1)`, DIGITS)
    return sql`cast(${digit} - 1 as bigint) * ${sql.lit(32 ** (TIME_DIGITS - 1 - i))}`
  })
  return sql`(${sql.join(digits, sql` + `)})`
}

/** The id itself, or one that is greater than `after` where the id is not: `newId`. */
export function idAfter(
  on: Dialect,
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
    from (select ${timeInId(on, after)} + 1 as time) as next
  ) end`
}
