import type { Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const unread = statement((q, p: { userId: string; limit: number }) =>
  q
    .deleteFrom('announcement_reads')
    .where((e) =>
      e(
        e.refTuple('announcement_id', 'user_id'),
        'in',
        e
          .selectFrom('announcement_reads')
          .select(['announcement_id', 'user_id'])
          .where('user_id', '=', p.userId)
          .limit(p.limit)
          .$asTuple('announcement_id', 'user_id'),
      ),
    ),
)

/** Deletes up to `limit` records of announcements that a user has read. Returns their number. */
export function eraseAnnouncementReads(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.run(unread, { userId, limit })
}
