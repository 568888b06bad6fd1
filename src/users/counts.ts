import type { Tx } from '../db/handle.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'
import type { UserCountsRow } from '../db/tables.ts'

type Counts = AsParams<Omit<UserCountsRow, 'user_id'>>

export const NO_COUNTS: Counts = {
  follower_count: 0,
  following_count: 0,
  content_count: 0,
  hype_count: 0,
  swipe_count: 0,
  jump_count: 0,
  suspended_follower_count: 0,
}
const COUNTS = Object.keys(NO_COUNTS) as (keyof Counts)[]

type UserCountsChange = { userId: string } & Partial<Counts>

const insert = statement((q, p: AsParams<UserCountsRow>) =>
  q.insertInto('user_counts').values(pickParams(p, ['user_id', ...COUNTS])),
)

export async function insertUserCounts(tx: Tx, userId: string): Promise<void> {
  await tx.run(insert, { user_id: userId, ...NO_COUNTS })
}

const lockOf = statement((q, p: { ids: string[] }, dialect) =>
  dialect.locked(
    q
      .selectFrom('user_counts')
      .selectAll()
      .where(dialect.anyOf('user_id', p.ids))
      .orderBy('user_id'),
  ),
)

/** Locks the counts in the order of the ids, and returns them. */
export function lockUserCounts(tx: Tx, ids: string[]) {
  return tx.all(lockOf, { ids })
}

const add = statement((q, p: Counts & { userId: string }) =>
  q
    .updateTable('user_counts')
    .set((e) => Object.fromEntries(COUNTS.map((name) => [name, e(name, '+', p[name])])))
    .where('user_id', '=', p.userId),
)

/** Adds in the order of the ids, which is the lock order. */
export async function addToUserCounts(tx: Tx, changes: UserCountsChange[]): Promise<void> {
  const ordered = changes.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))
  for (const change of ordered) {
    await tx.run(add, { ...NO_COUNTS, ...change })
  }
}
