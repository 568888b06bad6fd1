import type { Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const removeOf = statement((q, p: { userId: string; limit: number }) =>
  q
    .deleteFrom('user_filters')
    .where((e) =>
      e(
        e.refTuple('user_id', 'filtered_id'),
        'in',
        e
          .selectFrom('user_filters')
          .select(['user_id', 'filtered_id'])
          .where('user_id', '=', p.userId)
          .limit(p.limit)
          .$asTuple('user_id', 'filtered_id'),
      ),
    ),
)

/** Deletes up to `limit` blocks and mutes by a user. Returns their number. Blocks of the user stay. */
export function eraseFilters(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.run(removeOf, { userId, limit })
}
