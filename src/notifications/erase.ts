import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { statement, statementFamily } from '../db/statement.ts'

type Act = { actor_id: string; subject_id: string }

const about = statement((q, p: { acts: Act[] }, dialect) =>
  q
    .selectFrom('notifications')
    .innerJoin(
      sql<Act>`${dialect.rows(p.acts, { actor_id: 'text', subject_id: 'text' })}`.as('acts'),
      (join) =>
        join
          .onRef('acts.actor_id', '=', 'notifications.actor_id')
          .onRef('acts.subject_id', '=', 'notifications.subject_id'),
    )
    .select(['notifications.id', 'notifications.user_id']),
)

const lock = statement((q, p: { ids: string[] }, dialect) =>
  dialect.locked(
    q
      .selectFrom('notification_counts')
      .select('user_id')
      .where(dialect.anyOf('user_id', p.ids))
      .orderBy('user_id'),
  ),
)

const remove = statement((q, p: { ids: string[] }, dialect) =>
  q.deleteFrom('notifications').where(dialect.anyOf('id', p.ids)),
)

async function deleteAll(tx: Tx, rows: { id: string; user_id: string }[]): Promise<number> {
  if (rows.length === 0) return 0
  await tx.all(lock, { ids: rows.map(({ user_id }) => user_id) })
  return tx.run(remove, { ids: rows.map(({ id }) => id) })
}

/** Deletes the notifications about these acts, read or not. Locks the counts of the recipients. */
export async function deleteNotificationsBy(tx: Tx, acts: Act[]): Promise<void> {
  if (acts.length > 0) await deleteAll(tx, await tx.all(about, { acts }))
}

const ofUser = statementFamily(({ column }: { column: 'user_id' | 'actor_id' }) =>
  statement((q, p: { userId: string; limit: number }) =>
    q
      .selectFrom('notifications')
      .select(['id', 'user_id'])
      .where(column, '=', p.userId)
      .limit(p.limit),
  ),
)

/** Deletes up to `limit` notifications to a user, then those about the user's acts. Returns their number. */
export async function eraseNotifications(tx: Tx, userId: string, limit: number): Promise<number> {
  const to = await tx.all(ofUser({ column: 'user_id' }), { userId, limit })
  const rows = to.length > 0 ? to : await tx.all(ofUser({ column: 'actor_id' }), { userId, limit })
  await deleteAll(tx, rows)
  return rows.length
}
