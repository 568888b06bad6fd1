/**
 * Inserts and withdraws notifications. Each statement locks the recipient's row in `notification_counts` until the
 * transaction ends. Triggers change the row.
 */
import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { idAfter, timeInId } from '../db/id-words.ts'
import { newId } from '../db/ids.ts'
import { type AsParams, rawQuery, statement } from '../db/statement.ts'
import type { NotificationRow, NotificationType } from '../db/tables.ts'
import { wantsNotification } from '../db/user-filters.ts'
import type { NotificationKind } from './schema.ts'

export interface NewNotification {
  to: string
  type: NotificationType
  kind: NotificationKind
  /** Null when the platform is the sender. */
  actorId: string | null
  /** Target of the action. A recipient has one notification per actor, type and subject. */
  subjectId: string
  params?: Record<string, string>
  link: string | null
}

type Written = AsParams<Omit<NotificationRow, 'id' | 'is_read' | 'created_at'>>
const WRITTEN = ['type', 'kind', 'actor_id', 'subject_id', 'params', 'link'] as const

// Inserts nothing when a notification with the same recipient, actor, type and subject exists, or the recipient does not
// want notifications from the actor.
const insert = statement((q, p: Written & { id: string }, dialect) => {
  const values = WRITTEN.map((name) => sql`cast(${p[name]} as text)`)
  return rawQuery(
    q,
    sql`insert into notifications (id, user_id, ${sql.raw(WRITTEN.join(', '))}, is_read, created_at)
      select id, user_id, ${sql.join(values)}, 0, ${timeInId(dialect, sql.ref('id'))}
      from (
        select user_id, ${idAfter(dialect, p.id, sql.ref('last_notification_id'))} as id
        from notification_counts where user_id = ${p.user_id} ${dialect.lock}
      ) as reader
      where ${wantsNotification(dialect, sql.ref('reader.user_id'), p.actor_id)} on conflict do nothing`,
  )
})

type Key = { to: string; type: NotificationType; actorId: string; subjectId: string }

const remove = statement((q, p: Key, dialect) =>
  rawQuery(
    q,
    sql`with reader as (
        select read_up_to from notification_counts where user_id = ${p.to} ${dialect.lock}
      )
      delete from notifications where user_id = ${p.to} and type = ${p.type}
        and actor_id = ${p.actorId} and subject_id = ${p.subjectId} and is_read = 0
        and id > (select read_up_to from reader)`,
  ),
)

/**
 * Inserts notifications, except those to the actor, those that exist already, and those that `wantsNotification`
 * excludes. To prevent deadlocks, it locks the recipients in the order of their ids, so call it once per action
 * with all notifications.
 */
export async function notify(tx: Tx, notifications: NewNotification[], now: number): Promise<void> {
  const ordered = notifications.toSorted((left, right) => (left.to < right.to ? -1 : 1))
  for (const { to, type, kind, actorId, subjectId, params = {}, link } of ordered) {
    if (to === actorId) continue
    const key = { user_id: to, type, actor_id: actorId ?? '', subject_id: subjectId }
    const id = newId('ntf', now)
    await tx.send(insert, { id, ...key, kind, params: JSON.stringify(params), link })
  }
}

/** Withdraws a notification unless the recipient has read it. */
export async function withdraw(tx: Tx, { to, type, actorId, subjectId }: Key): Promise<void> {
  if (to !== actorId) await tx.send(remove, { to, type, actorId, subjectId })
}
