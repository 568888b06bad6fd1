import { type RawBuilder, sql } from 'kysely'
import { bound, type Column, matches, type Table, testsOf, type Where } from './conditions.ts'
import type { Handle } from './handle.ts'
import { type Changes, formOf, refs, setOf } from './rows.ts'
import type { Params } from './statement.ts'

/** Maximum number of rows that one statement deletes or updates, which limits how long it blocks other writes. */
export const BATCH = 1000
const BATCHES_MAX = 50

/** Calls `change` until it changes fewer than BATCH rows, at most BATCHES_MAX times. */
export async function inBatches(change: () => Promise<number>): Promise<void> {
  for (let i = 0; i < BATCHES_MAX; i++) {
    if ((await change()) < BATCH) return
  }
}

/** Returns SQL that is true for up to `limit` of the rows that `where` matches. */
function someOf(table: Table, key: readonly string[], where: RawBuilder<boolean>, p: Params) {
  return sql`(${refs(key)}) in (
    select ${refs(key)} from ${sql.table(table)} where ${where} limit ${p['limit']})`
}

/** Deletes up to `limit` rows and returns their number. `key` is the primary key. */
export function deleteSome<T extends Table>(
  tx: Handle,
  table: T,
  key: readonly Column<T>[],
  where: Where<T>,
  limit: number,
): Promise<number> {
  const form = formOf(['delete some', table, key, testsOf(where)], (p, dialect) => {
    const some = someOf(table, key, matches(where, p, dialect), p)
    return sql`delete from ${sql.table(table)} where ${some}`
  })
  return tx.run(form, bound(where, { limit }))
}

/** Updates up to `limit` rows and returns their number. `key` is the primary key. */
export function updateSome<T extends Table>(
  tx: Handle,
  table: T,
  key: readonly Column<T>[],
  where: Where<T>,
  changes: Changes<T>,
  limit: number,
): Promise<number> {
  const parts = ['update some', table, key, testsOf(where), Object.keys(changes)]
  const form = formOf(parts, (p, dialect) => {
    const some = someOf(table, key, matches(where, p, dialect), p)
    return sql`update ${sql.table(table)} set ${setOf(changes, p)} where ${some}`
  })
  return tx.run(form, bound(where, { ...changes, limit }))
}

/**
 * Deletes the rows that match, in at most BATCHES_MAX batches. Each delete checks the condition again, because a row
 * may have changed since it was selected.
 */
export async function deleteInBatches<T extends Table>(
  db: Handle,
  table: T,
  key: readonly Column<T>[],
  where: Where<T>,
): Promise<void> {
  const form = formOf(['delete batch', table, key, testsOf(where)], (p, dialect) => {
    const isOver = matches(where, p, dialect)
    return sql`delete from ${sql.table(table)} where ${isOver} and ${someOf(table, key, isOver, p)}`
  })
  await inBatches(() => db.run(form, bound(where, { limit: BATCH })))
}
