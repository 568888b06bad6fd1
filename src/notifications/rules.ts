/**
 * Sends, withdraws and marks notifications. Every change locks the user's notification counts, so the list,
 * the unread count and the watermark stay consistent.
 */
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import type { NotificationCountsRow, NotificationType } from '../db/tables.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import {
  countUnreadAfter,
  findCountsLocked,
  findNotification,
  updateAsRead,
  updateCounts,
} from './queries.ts'
import { isRead, type NotificationKind } from './schema.ts'
import { type Act, notificationTemplate } from './template.ts'

export interface NewNotification {
  /** Id of the recipient. */
  to: string
  type: NotificationType
  kind: NotificationKind
  /** Null when the platform sends the notification. */
  actorId: string | null
  /** Id of the object that the action affected. */
  subjectId: string
  /** Message parameters other than the actor's name. */
  params?: Record<string, string>
  /** Path to which the notification links. */
  link: string | null
}

/**
 * Template for notifications whose recipient is known. The caller has checked that the action is new or
 * undone.
 */
const plain = notificationTemplate<Act & { to: string }>({
  to: (_q, p) => sql`cast(${p.to} as text)`,
})

/**
 * Sends all notifications of one action in one round trip. Skips notifications to the actor, and repetitions
 * with the same actor, type and subject. Recipients are locked in the order of their ids, so each action must
 * call this only once.
 */
export async function notify(tx: Tx, notices: NewNotification[], now: number): Promise<void> {
  const acts = notices.filter(({ to, actorId }) => to !== actorId).map(toAct)
  const byRecipient = Map.groupBy(acts, ({ to }) => to)
  await Promise.all(
    [...byRecipient]
      .sort()
      .flatMap(([, own]) => [
        plain.lock(tx, own[0] as (typeof own)[0]),
        ...own.map((act) => plain.notify(tx, act, now)),
      ]),
  )
}

/** Withdraws a notification, unless the user has read it. */
export async function withdraw(
  tx: Tx,
  notice: NewNotification & { actorId: string },
): Promise<void> {
  const act = toAct(notice)
  if (act.to === act.actor_id) return
  await Promise.all([plain.lock(tx, act), plain.withdraw(tx, act)])
}

function toAct({ to, type, kind, actorId, subjectId, params, link }: NewNotification) {
  return {
    to,
    type,
    kind,
    actor_id: actorId ?? '',
    subject_id: subjectId,
    params: JSON.stringify(params ?? {}),
    link,
  }
}

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
 * Marks the viewer's notifications as read, all or up to and including `upTo`. Moves only the watermark, and
 * never backwards.
 * Errors: 422 when `upTo` is not one of the viewer's notifications.
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
