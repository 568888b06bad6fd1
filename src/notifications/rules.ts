/**
 * Who is told what, and what counts as read. Everything that happens to a person's notifications
 * happens under the lock of that person's counts, so the list, the unread number and read-all
 * never contradict each other.
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
import { type Act, tellingOf } from './telling.ts'

export interface Notice {
  /** The id of the person who is told. */
  to: string
  type: NotificationType
  kind: NotificationKind
  /** Null where the platform itself speaks. */
  actorId: string | null
  /** The id of what the act was on. */
  subjectId: string
  /** Parameters of the message, beside the actor's name. */
  params?: Record<string, string>
  /** Path of what it is about. */
  link: string | null
}

/** Plain acts: who is told is known, and the rule has seen that it is new or gone. */
const plain = tellingOf<Act & { to: string }>({ to: (_q, p) => sql`cast(${p.to} as text)` })

/**
 * Tells people of one act. Nobody is told of an own act, nor twice of one type and subject by one
 * actor: the first notice stands. Recipients are locked in the order of their ids, so an act calls
 * this once, with all its notices. It waits for nothing in between: all of it crosses together.
 */
export async function notify(tx: Tx, notices: Notice[], now: number): Promise<void> {
  const acts = notices.filter(({ to, actorId }) => to !== actorId).map(toAct)
  const byRecipient = Map.groupBy(acts, ({ to }) => to)
  await Promise.all(
    [...byRecipient]
      .sort()
      .flatMap(([, own]) => [
        plain.lock(tx, own[0] as (typeof own)[0]),
        ...own.map((act) => plain.tell(tx, act, now)),
      ]),
  )
}

/** Takes back what `notify` told while it is unread; once read it stays. */
export async function withdraw(tx: Tx, notice: Notice & { actorId: string }): Promise<void> {
  const act = toAct(notice)
  if (act.to === act.actor_id) return
  await Promise.all([plain.lock(tx, act), plain.withdraw(tx, act)])
}

function toAct({ to, type, kind, actorId, subjectId, params, link }: Notice) {
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

/** Marks one of the viewer's notifications as read. Errors: 404 NOTIFICATION_NOT_FOUND. */
export function readNotification(db: Handle, viewer: Viewer, id: string) {
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
 * Marks all of the viewer's notifications as read, or those up to and with `upTo`: only the
 * watermark moves, and never back. Errors: 422 where `upTo` is none of the viewer's.
 */
export function readAllNotifications(db: Handle, viewer: Viewer, upTo?: string) {
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
