import { type RawBuilder, sql } from 'kysely'

/** What a caller wants of a relation: that it be, that it not be, or the other of what it is. */
export type Wish = 'set' | 'unset' | 'toggle'

/** SQL: whether the wish changes anything where `isSet` says what is. */
export function isChange(wish: Wish, isSet: RawBuilder<boolean>): RawBuilder<boolean> {
  if (wish === 'toggle') return sql`true`
  return wish === 'set' ? sql`not ${isSet}` : isSet
}

/** SQL: what the wish, where it changes anything, adds to the count of the relation. */
export function changeOf(wish: Wish, isSet: RawBuilder<boolean>): RawBuilder<number> {
  if (wish === 'toggle') return sql`case when ${isSet} then -1 else 1 end`
  return wish === 'set' ? sql`1` : sql`-1`
}
