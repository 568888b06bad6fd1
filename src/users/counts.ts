/** The counts of people: followers, followed creators, public works. */
import type { Tx } from '../db/handle.ts'
import { type AsParams, statement } from '../db/statement.ts'
import type { UserCountsRow } from '../db/tables.ts'

type Counts = Omit<UserCountsRow, 'user_id'>

/** What is added to the counts of one person; negative numbers take away. */
type UserCountsChange = { userId: string } & Partial<Counts>

const lockOf = statement((q, p: { ids: string[] }, on) =>
  on.locked(
    q.selectFrom('user_counts').selectAll().where(on.anyOf('user_id', p.ids)).orderBy('user_id'),
  ),
)

/** The counts of these people, in the order of their ids, locked until the transaction ends. */
export function lockUserCounts(tx: Tx, ids: string[]) {
  return tx.all(lockOf, { ids })
}

const add = statement((q, p: AsParams<Counts> & { userId: string }) =>
  q
    .updateTable('user_counts')
    .set((e) => ({
      follower_count: e('follower_count', '+', p.follower_count),
      following_count: e('following_count', '+', p.following_count),
      content_count: e('content_count', '+', p.content_count),
    }))
    .where('user_id', '=', p.userId),
)

/** Changes the counts of each person, in the order of their ids, which is the order of the locks. */
export async function addToUserCounts(tx: Tx, changes: UserCountsChange[]): Promise<void> {
  const ordered = changes.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))
  for (const change of ordered) {
    await tx.run(add, { follower_count: 0, following_count: 0, content_count: 0, ...change })
  }
}
