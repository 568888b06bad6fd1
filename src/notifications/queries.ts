import { above } from '../db/conditions.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { findRowLocked, insertRow, updateRows, countRows, findRow } from '../db/rows.ts'
import { cached, type Range, pickParams, statement } from '../db/statement.ts'
import type { NotificationCountsRow, NotificationRow, UserRow } from '../db/tables.ts'

/**
 * Returns the user's notification counts and locks them until the transaction ends. Inserts and deletes of
 * notifications update this row, so they wait for the lock.
 */
export function findCountsLocked(tx: Tx, userId: string) {
  return findRowLocked(tx, 'notification_counts', { user_id: userId })
}

export async function updateCounts(tx: Tx, counts: NotificationCountsRow): Promise<void> {
  await updateRows(
    tx,
    'notification_counts',
    { user_id: counts.user_id },
    pickParams(counts, ['total', 'unread', 'read_up_to', 'last_notification_id']),
  )
}

const unreadOf = cached(
  ['notification_counts'],
  statement((q, p: { userId: string }) =>
    q.selectFrom('notification_counts').select('unread').where('user_id', '=', p.userId),
  ),
)

export async function countUnreadNotifications(db: Handle, userId: string): Promise<number> {
  return (await db.first(unreadOf, { userId }))?.unread ?? 0
}

/** Returns a notification of this user. Returns undefined when it is missing or another user's. */
export function findNotification(db: Handle, id: string, userId: string) {
  return findRow(db, 'notifications', { id, user_id: userId })
}

export async function updateAsRead(tx: Tx, id: string): Promise<void> {
  await updateRows(tx, 'notifications', { id }, { is_read: 1 })
}

/** Counts the notifications after `id` that were not marked as read individually. */
export function countUnreadAfter(tx: Tx, userId: string, id: string): Promise<number> {
  return countRows(tx, 'notifications', { user_id: userId, is_read: 0, id: above(id) })
}

// Uses a single statement, so that the page and both counts are consistent.
const pageOf = statement((q, p: Range & { userId: string }) =>
  q
    .selectFrom('notification_counts as counts')
    .leftJoin(
      (e) =>
        e
          .selectFrom('notifications')
          .selectAll()
          .where('user_id', '=', p.userId)
          .orderBy('id', 'desc')
          .limit(p.limit)
          .offset(p.offset)
          .as('listed'),
      (join) => join.onTrue(),
    )
    .leftJoin('users', 'users.id', 'listed.actor_id')
    .select([
      'counts.total',
      'counts.unread',
      'counts.read_up_to',
      'listed.id',
      'listed.type',
      'listed.kind',
      'listed.params',
      'listed.link',
      'listed.is_read',
      'listed.created_at',
      'users.id as actor_id',
      'users.handle',
      'users.display_name',
      'users.avatar_url',
      'users.avatar_sizes',
    ])
    .where('counts.user_id', '=', p.userId)
    .orderBy('listed.id', 'desc'),
)

export type NotificationListRow = Omit<NotificationRow, 'user_id' | 'actor_id' | 'subject_id'> &
  Pick<NotificationCountsRow, 'read_up_to'> &
  (
    | ({ actor_id: string } & Pick<
        UserRow,
        'handle' | 'display_name' | 'avatar_url' | 'avatar_sizes'
      >)
    | { actor_id: null }
  )

export async function listNotifications(db: Handle, userId: string, range: Range) {
  const rows = await db.all(pageOf, { userId, ...range })
  return {
    total: rows[0]?.total ?? 0,
    unread: rows[0]?.unread ?? 0,
    // A page past the end consists of one row, which contains only the counts.
    listed: rows.filter((row): row is typeof row & NotificationListRow => row.id !== null),
  }
}

export async function insertNotificationCounts(tx: Tx, userId: string): Promise<void> {
  await insertRow(tx, 'notification_counts', {
    user_id: userId,
    total: 0,
    unread: 0,
    read_up_to: '',
    last_notification_id: null,
  })
}
