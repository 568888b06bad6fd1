import { deleteRows, findRow, putRow, updateRows } from '../db/rows.ts'
import { sql } from 'kysely'
import { deleteSome } from '../db/batches.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { type Range, statement, statementFamily } from '../db/statement.ts'

/** Kind of filter. If a user blocks and mutes the same user, one row of `user_filters` stores both times. */
export type FilterKind = 'block' | 'mute'
type Pair = { userId: string; filteredId: string }

const COLUMNS = { block: 'blocked_at', mute: 'muted_at' } as const
const OTHER = { block: 'muted_at', mute: 'blocked_at' } as const

const filterState = statement((q, p: Pair) =>
  q
    .selectFrom('users as target')
    .innerJoin('users as viewer', (join) => join.on('viewer.id', '=', p.userId))
    .leftJoin('user_filters as own', (join) =>
      join.on('own.user_id', '=', p.userId).onRef('own.filtered_id', '=', 'target.id'),
    )
    .select(['own.blocked_at', 'own.muted_at', 'target.is_suspended'])
    .select('viewer.is_suspended as is_viewer_suspended')
    .where('target.id', '=', p.filteredId),
)

/**
 * Returns the times of the viewer's block and mute of a user, each null if there is none, and the suspension flags of
 * both users.
 */
export function findFilterState(tx: Tx, pair: Pair) {
  return tx.first(filterState, pair)
}

export async function countFiltered(db: Handle, kind: FilterKind, userId: string): Promise<number> {
  return (await findRow(db, 'user_counts', { user_id: userId }))?.[`${kind}_count`] ?? 0
}

export async function setFilter(tx: Tx, kind: FilterKind, pair: Pair, now: number): Promise<void> {
  const row = { user_id: pair.userId, filtered_id: pair.filteredId, [COLUMNS[kind]]: now }
  await putRow(tx, 'user_filters', ['user_id', 'filtered_id'], row)
}

/** Ends the block or the mute of a user, if any. Leaves the other kind unchanged. */
export async function unsetFilter(tx: Tx, kind: FilterKind, pair: Pair): Promise<void> {
  const key = { user_id: pair.userId, filtered_id: pair.filteredId }
  await deleteRows(tx, 'user_filters', { ...key, [OTHER[kind]]: null })
  await updateRows(tx, 'user_filters', key, { [COLUMNS[kind]]: null })
}

// Skips the rows before the page by reading only the index, and joins only the rows of the page.
const page = statementFamily((kind: FilterKind) =>
  statement((q, p: Range & { userId: string }) =>
    q
      .selectFrom((e) =>
        e
          .selectFrom('user_filters')
          .select(['filtered_id', sql<number>`${sql.ref(COLUMNS[kind])}`.as('filtered_at')])
          .where('user_id', '=', p.userId)
          .where(COLUMNS[kind], 'is not', null)
          .orderBy(COLUMNS[kind], 'desc')
          .orderBy('filtered_id', 'desc')
          .limit(p.limit)
          .offset(p.offset)
          .as('page'),
      )
      .innerJoin('users', 'users.id', 'page.filtered_id')
      .select([
        'users.id',
        'users.handle',
        'users.display_name',
        'users.avatar_url',
        'users.avatar_sizes',
      ])
      .select('page.filtered_at')
      .orderBy('page.filtered_at', 'desc')
      .orderBy('page.filtered_id', 'desc'),
  ),
)

/**
 * Returns a page of the users that a user has blocked or muted, the latest first, including suspended users.
 */
export function listFiltered(db: Handle, kind: FilterKind, range: Range & { userId: string }) {
  return db.all(page(kind), range)
}

/**
 * Deletes up to `limit` blocks and mutes by a user, and returns their number. Keeps blocks and mutes of this user by
 * others.
 */
export function deleteFilters(tx: Tx, user_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'user_filters', ['user_id', 'filtered_id'], { user_id }, limit)
}
