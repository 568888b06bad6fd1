import type { Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const applications = statement((q, p: { userId: string; limit: number }) =>
  q
    .deleteFrom('applications')
    .where('id', 'in', (e) =>
      e.selectFrom('applications').select('id').where('user_id', '=', p.userId).limit(p.limit),
    ),
)

/** Deletes the application that became the account of a user. Returns the number of deleted rows. */
export function eraseApplications(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.run(applications, { userId, limit })
}

const invites = statement((q, p: { userId: string; now: number; limit: number }) =>
  q
    .updateTable('invites')
    .set((e) => ({ revoked_at: e.fn.coalesce('revoked_at', e.val(p.now)), note: null }))
    .where('id', 'in', (e) =>
      e
        .selectFrom('invites')
        .select('id')
        .where('created_by', '=', p.userId)
        .where((row) => row.or([row('revoked_at', 'is', null), row('note', 'is not', null)]))
        .limit(p.limit),
    ),
)

/** Ends up to `limit` invites of a user and deletes their notes. Returns their number. */
export function endInvites(tx: Tx, userId: string, now: number, limit: number): Promise<number> {
  return tx.run(invites, { userId, now, limit })
}
