import type { Insertable } from 'kysely'
import type { Column, Table, Where } from './conditions.ts'
import type { Tx } from './handle.ts'
import { deleteRows, insertNew } from './rows.ts'
import type { Tables } from './tables.ts'

export type ToggleMode = 'set' | 'unset' | 'toggle'

/**
 * Inserts the row, deletes it, or does either, as the mode requires. `key` is the primary key of the row, and `rest`
 * its other columns. Returns whether the row now exists, and the change of the number of rows. The caller holds a lock
 * that makes parallel calls for the same row run one after the other.
 */
export async function toggleRow<T extends Table, K extends Column<T>>(
  tx: Tx,
  table: T,
  mode: ToggleMode,
  key: Pick<Where<T>, K>,
  rest: Omit<Insertable<Tables[T]>, K>,
): Promise<{ isSet: boolean; change: 1 | 0 | -1 }> {
  const row = { ...key, ...rest } as unknown as Insertable<Tables[T]>
  if (mode !== 'unset' && (await insertNew(tx, table, row))) return { isSet: true, change: 1 }
  if (mode !== 'set' && (await deleteRows(tx, table, key as Where<T>)) > 0) {
    return { isSet: false, change: -1 }
  }
  return { isSet: mode === 'set', change: 0 }
}
