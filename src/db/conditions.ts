/**
 * Conditions of the statements in `rows.ts`. A row matches when each named column equals its value, is in its list,
 * or satisfies its comparison. Flags and states are literals, so that partial indexes apply.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Dialect, Params } from './statement.ts'
import type { Tables } from './tables.ts'

export type Table = keyof Tables
export type RowOf<T extends Table> = Selectable<Tables[T]>
export type Column<T extends Table> = keyof RowOf<T> & string
export type Where<T extends Table> = {
  [K in Column<T>]?: RowOf<T>[K] | readonly RowOf<T>[K][] | Comparison
}

type Scalar = string | number

/** Comparison of a column with up to two values. In `form`, `#` stands for the column, `$` and `$2` for the values. */
class Comparison {
  readonly form: string
  readonly values: readonly Scalar[]
  constructor(form: string, ...values: Scalar[]) {
    this.form = form
    this.values = values
  }
}

export const above = (value: Scalar) => new Comparison('# > $', value)
export const below = (value: Scalar) => new Comparison('# < $', value)
export const atMost = (value: Scalar) => new Comparison('# <= $', value)
export const not = (value: Scalar) => new Comparison('# <> $', value)
export const between = (low: Scalar, high: Scalar) =>
  new Comparison('# between $ and $2', low, high)
/** Matches values up to `low` or above `high`. Finds due times, and future times that a wrong clock wrote. */
export const outside = (low: Scalar, high: Scalar) =>
  new Comparison('(# <= $ or # > $2)', low, high)
/**
 * Matches when `table` has a row whose `key` equals the tested column and whose `filter` equals `value`. `table` must
 * have no column with the name of the tested column.
 */
export const isIn = (table: Table, key: string, filter: string, value: Scalar) =>
  new Comparison(
    `exists (select 1 from ${table} where ${table}.${key} = # and ${filter} = $)`,
    value,
  )
export const notNull = new Comparison('# is not null')

/** Returns the filters without undefined values. A filter is undefined when a request omits it. */
export function given<W extends object>(filters: W): { [K in keyof W]: Exclude<W[K], undefined> } {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof W]: Exclude<W[K], undefined> }
}

const LITERAL = /^(?:is|has|was)_|^(?:status|role|purpose)$/
const isLiteral = (column: string, value: unknown) =>
  value === null || (typeof value !== 'object' && LITERAL.test(column))

/**
 * Returns the columns of a condition with their operators and literals. Two conditions with the same result
 * have the same SQL.
 */
export function testsOf(where: object): string[] {
  return Object.entries(where).map(([column, value]) => {
    if (value instanceof Comparison) return `${column}:${value.form}`
    return isLiteral(column, value)
      ? `${column}=${value}`
      : column + (Array.isArray(value) ? '[]' : '')
  })
}

/**
 * Returns the SQL of a condition. The names of its parameters begin with `where_`, because an update may set the same
 * columns.
 */
export function matches(where: object, p: Params, dialect: Dialect): RawBuilder<boolean> {
  const tests = Object.entries(where).map(([column, value]) => {
    const name = sql.ref(column)
    const value1 = p[`where_${column}`]
    if (value === null) return sql`${name} is null`
    if (Array.isArray(value)) return dialect.anyOf(column, value1 as never)
    if (!(value instanceof Comparison))
      return sql`${name} = ${isLiteral(column, value) ? sql.lit(value) : value1}`
    const parts = value.form.split(/(#|\$2?)/).map((part) => {
      if (part === '#') return name
      if (part === '$') return sql`${value1}`
      return part === '$2' ? sql`${p[`where_${column}_2`]}` : sql.raw(part)
    })
    return sql.join(parts, sql``)
  })
  return tests.length === 0 ? sql`true` : sql.join(tests, sql` and `)
}

export function bound(where: object, more: object = {}): Params {
  const params: Params = { ...more }
  for (const [column, value] of Object.entries(where)) {
    const [first, second] = value instanceof Comparison ? value.values : [value]
    if (first !== undefined) params[`where_${column}`] = first
    if (second !== undefined) params[`where_${column}_2`] = second
  }
  return params
}
