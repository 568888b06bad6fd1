import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { type Range, statement, statementFamily } from '../db/statement.ts'

/** A user blocks or mutes another. Both are in one row of `user_filters`. */
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

/** Returns the viewer's block and mute of a user, and which of the two is suspended. */
export function findFilterState(tx: Tx, pair: Pair) {
  return tx.first(filterState, pair)
}

const filters = statementFamily((kind: FilterKind) =>
  statement((q, p: { userId: string }) =>
    q
      .selectFrom('user_filters')
      .select((e) => e.fn.countAll<number>().as('total'))
      .where('user_id', '=', p.userId)
      .where(COLUMNS[kind], 'is not', null),
  ),
)

export async function countFiltered(db: Handle, kind: FilterKind, userId: string): Promise<number> {
  return (await db.first(filters(kind), { userId }))?.total ?? 0
}

const set = statementFamily((kind: FilterKind) =>
  statement((q, p: Pair & { now: number }) =>
    q
      .insertInto('user_filters')
      .values({
        user_id: p.userId,
        filtered_id: p.filteredId,
        [COLUMNS[kind]]: p.now,
      })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'filtered_id']).doUpdateSet({ [COLUMNS[kind]]: p.now }),
      ),
  ),
)

export async function setFilter(tx: Tx, kind: FilterKind, pair: Pair, now: number): Promise<void> {
  await tx.send(set(kind), { ...pair, now })
}

const removeRow = statementFamily((kind: FilterKind) =>
  statement((q, p: Pair) =>
    q
      .deleteFrom('user_filters')
      .where('user_id', '=', p.userId)
      .where('filtered_id', '=', p.filteredId)
      .where(OTHER[kind], 'is', null),
  ),
)
const clear = statementFamily((kind: FilterKind) =>
  statement((q, p: Pair) =>
    q
      .updateTable('user_filters')
      .set({ [COLUMNS[kind]]: null })
      .where('user_id', '=', p.userId)
      .where('filtered_id', '=', p.filteredId),
  ),
)

/** Ends a block or a mute, if any. The other of the two stays. */
export async function unsetFilter(tx: Tx, kind: FilterKind, pair: Pair): Promise<void> {
  await tx.send(removeRow(kind), pair)
  await tx.send(clear(kind), pair)
}

const page = statementFamily((kind: FilterKind) =>
  statement((q, p: Range & { userId: string }) =>
    q
      .selectFrom('user_filters')
      .innerJoin('users', 'users.id', 'user_filters.filtered_id')
      .select(['users.id', 'users.handle', 'users.display_name', 'users.avatar_url'])
      .select(sql<number>`${sql.ref(`user_filters.${COLUMNS[kind]}`)}`.as('filtered_at'))
      .where('user_filters.user_id', '=', p.userId)
      .where(`user_filters.${COLUMNS[kind]}`, 'is not', null)
      .orderBy(`user_filters.${COLUMNS[kind]}`, 'desc')
      .orderBy('user_filters.filtered_id', 'desc')
      .limit(p.limit)
      .offset(p.offset),
  ),
)

/** Returns a page of the users that a user blocked or muted, newest first, including suspended users. */
export function listFiltered(db: Handle, kind: FilterKind, range: Range & { userId: string }) {
  return db.all(page(kind), range)
}
