import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { deleteRows, listRows, listRowsLocked } from '../db/rows.ts'
import { FALSE, statement } from '../db/statement.ts'
import type { NotificationType } from '../db/tables.ts'

/**
 * Locks the notification lists of several users in the order of their ids. To avoid deadlocks, transactions
 * that change notifications more than once call this first.
 */
export async function lockLists(tx: Tx, userIds: string[]): Promise<void> {
  await listRowsLocked(tx, 'notification_counts', { user_id: userIds }, 'user_id')
}

const unread = statement((q, p: { userId: string; actorId: string; types: string[] }, dialect) =>
  q
    .deleteFrom('notifications')
    .where('user_id', '=', p.userId)
    // Lists the types, so that the database can use the index of the unique key (user, type, actor, subject).
    .where(dialect.anyOf('type', p.types))
    .where('actor_id', '=', p.actorId)
    .where('is_read', '=', FALSE)
    .where('id', '>', (e) =>
      e.selectFrom('notification_counts').select('read_up_to').where('user_id', '=', p.userId),
    ),
)

/** Withdraws all unread notifications from one user to another. The caller holds the recipient's lock. */
export async function withdrawAllFrom(
  tx: Tx,
  { to, actorId }: { to: string; actorId: string },
): Promise<void> {
  const types: NotificationType[] = ['like', 'comment', 'follow', 'mention']
  await tx.send(unread, { userId: to, actorId, types })
}

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

async function deleteAll(tx: Tx, rows: { id: string; user_id: string }[]): Promise<number> {
  if (rows.length === 0) return 0
  await lockLists(
    tx,
    rows.map(({ user_id }) => user_id),
  )
  return deleteRows(tx, 'notifications', { id: rows.map(({ id }) => id) })
}

/** Deletes the notifications about these acts, read or not. Locks the counts of the recipients. */
export async function deleteNotificationsBy(tx: Tx, acts: Act[]): Promise<void> {
  if (acts.length > 0) await deleteAll(tx, await tx.all(about, { acts }))
}

/**
 * Deletes up to `limit` notifications to a user or, when there are none, notifications about the user's actions.
 * Returns the number of deleted notifications.
 */
export async function eraseNotifications(tx: Tx, userId: string, limit: number): Promise<number> {
  const to = await listRows(tx, 'notifications', { user_id: userId }, { limit })
  const rows =
    to.length > 0 ? to : await listRows(tx, 'notifications', { actor_id: userId }, { limit })
  await deleteAll(tx, rows)
  return rows.length
}
