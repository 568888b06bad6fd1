import { type RawBuilder, sql } from 'kysely'

/** Requested change of a relation such as a like. */
export type ToggleMode = 'set' | 'unset' | 'toggle'

/**
 * Returns SQL that is true when the request changes the relation. `isSet` is the relation's current state.
 */
export function isChange(mode: ToggleMode, isSet: RawBuilder<boolean>): RawBuilder<boolean> {
  if (mode === 'toggle') return sql`true`
  return mode === 'set' ? sql`not ${isSet}` : isSet
}

/** Returns SQL for the change of the relation's count: 1 or -1. */
export function changeOf(mode: ToggleMode, isSet: RawBuilder<boolean>): RawBuilder<number> {
  if (mode === 'toggle') return sql`case when ${isSet} then -1 else 1 end`
  return mode === 'set' ? sql`1` : sql`-1`
}
