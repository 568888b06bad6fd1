import type { Handle, Tx } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import type { NotificationCountsRow } from '../db/tables.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import {
  countUnreadAfter,
  findCountsLocked,
  findNotification,
  updateAsRead,
  updateCounts,
} from './queries.ts'
import { isRead } from './schema.ts'

/**
 * Marks a notification as read. Errors: 404 NOTIFICATION_NOT_FOUND for a notification that is missing or
 * another user's.
 */
export function markNotificationRead(db: Handle, viewer: Viewer, id: string) {
  return db.transaction(async (tx) => {
    const counts = await lockCounts(tx, viewer.id)
    const notification = await findNotification(tx, id, viewer.id)
    if (!notification) throw new ApiError('NOTIFICATION_NOT_FOUND')
    if (!isRead({ ...notification, read_up_to: counts.read_up_to })) {
      await updateAsRead(tx, id)
      await updateCounts(tx, { ...counts, unread: counts.unread - 1 })
    }
    return { id, is_read: true }
  })
}

/**
 * Marks notifications as read: all, or those up to and including `upTo`. Returns how many were unread. Errors:
 * 422 when `upTo` is not one of the viewer's notifications.
 */
export function markAllNotificationsRead(db: Handle, viewer: Viewer, upTo?: string) {
  if (upTo !== undefined && !isId('ntf', upTo)) throw invalid('up_to', 'invalid.cursor')
  return db.transaction(async (tx) => {
    const counts = await lockCounts(tx, viewer.id)
    if (upTo !== undefined && !(await findNotification(tx, upTo, viewer.id))) {
      throw invalid('up_to', 'invalid.cursor')
    }
    const mark = upTo ?? counts.last_notification_id
    if (counts.unread === 0 || mark === null || mark <= counts.read_up_to) return { updated: 0 }
    const unread = upTo === undefined ? 0 : await countUnreadAfter(tx, viewer.id, upTo)
    await updateCounts(tx, { ...counts, read_up_to: mark, unread })
    return { updated: counts.unread - unread }
  })
}

async function lockCounts(tx: Tx, userId: string): Promise<NotificationCountsRow> {
  const counts = await findCountsLocked(tx, userId)
  if (!counts) throw new Error(`${userId} has no notification counts`)
  return counts
}
