import { type RawBuilder, sql } from 'kysely'

/** The requested change of a relation: set it, unset it, or toggle it. */
export type Wish = 'set' | 'unset' | 'toggle'

/** SQL: true when the request changes the relation, given whether it is currently set. */
export function isChange(wish: Wish, isSet: RawBuilder<boolean>): RawBuilder<boolean> {
  if (wish === 'toggle') return sql`true`
  return wish === 'set' ? sql`not ${isSet}` : isSet
}

/** SQL: the difference that the change adds to the relation's count: 1 or -1. */
export function changeOf(wish: Wish, isSet: RawBuilder<boolean>): RawBuilder<number> {
  if (wish === 'toggle') return sql`case when ${isSet} then -1 else 1 end`
  return wish === 'set' ? sql`1` : sql`-1`
}
