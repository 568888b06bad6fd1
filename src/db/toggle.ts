import { type RawBuilder, sql } from 'kysely'

/** The requested change of a relation: set it, unset it, or toggle it. */
export type ToggleMode = 'set' | 'unset' | 'toggle'

/** SQL: true when the request changes the relation, given whether it is currently set. */
export function isChange(mode: ToggleMode, isSet: RawBuilder<boolean>): RawBuilder<boolean> {
  if (mode === 'toggle') return sql`true`
  return mode === 'set' ? sql`not ${isSet}` : isSet
}

/** SQL: the difference that the change adds to the relation's count: 1 or -1. */
export function changeOf(mode: ToggleMode, isSet: RawBuilder<boolean>): RawBuilder<number> {
  if (mode === 'toggle') return sql`case when ${isSet} then -1 else 1 end`
  return mode === 'set' ? sql`1` : sql`-1`
}
