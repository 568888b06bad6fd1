import type { Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const removeOf = statement((q, p: { userId: string; limit: number }) =>
  q
    .deleteFrom('mails')
    .where('id', 'in', (e) =>
      e.selectFrom('mails').select('id').where('user_id', '=', p.userId).limit(p.limit),
    ),
)

/** Deletes up to `limit` mails to a user, sent or not. Returns their number. */
export function eraseMails(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.run(removeOf, { userId, limit })
}
