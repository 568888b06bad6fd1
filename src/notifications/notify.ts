/**
 * Inserts and withdraws notifications. Each statement locks the recipient's row in `notification_counts` until the
 * transaction ends. Triggers change the row.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { idAfter, timeInId } from '../db/id-words.ts'
import { newId } from '../db/ids.ts'
import { listColumn } from '../db/rows.ts'
import { type AsParams, type Dialect, pickParams, rawQuery, statement } from '../db/statement.ts'
import type { NotificationRow, NotificationType } from '../db/tables.ts'
import { isBlocked, isFiltered } from '../db/user-filters.ts'
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

type Written = AsParams<Omit<NotificationRow, 'is_read' | 'created_at'>>
const WRITTEN = ['type', 'kind', 'actor_id', 'subject_id', 'params', 'link'] as const

/**
 * False when the recipient has blocked or muted the actor, or the actor has blocked the recipient. On
 * PostgreSQL, also considers blocks committed while the statement waited for the recipient's lock.
 */
const isAllowed = ({ engine }: Dialect, recipient: RawBuilder<string>, actorId: string) =>
  engine === 'postgres'
    ? sql<boolean>`wants_notification(${recipient}, ${actorId})`
    : sql<boolean>`${isFiltered(recipient, actorId)} + ${isBlocked(recipient, actorId)} = 0`

// Inserts nothing when a notification with the same recipient, actor, type and subject exists, or `isAllowed` is false.
const insert = statement((q, p: Written, dialect) => {
  const values = WRITTEN.map((name) => sql`cast(${p[name]} as text)`)
  return rawQuery(
    q,
    sql`insert into notifications (id, user_id, ${sql.raw(WRITTEN.join(', '))}, is_read, created_at)
      select id, user_id, ${sql.join(values)}, 0, ${timeInId(dialect, sql.ref('id'))}
      from (
        select user_id, ${idAfter(dialect, p.id, sql.ref('last_notification_id'))} as id
        from notification_counts where user_id = ${p.user_id} ${dialect.lock}
      ) as reader
      where ${isAllowed(dialect, sql.ref('reader.user_id'), p.actor_id)} on conflict do nothing`,
  )
})

type Key = Pick<Written, 'user_id' | 'type' | 'actor_id' | 'subject_id'>

const remove = statement((q, p: Key, dialect) =>
  rawQuery(
    q,
    sql`with reader as (
        select read_up_to from notification_counts where user_id = ${p.user_id} ${dialect.lock}
      )
      delete from notifications where user_id = ${p.user_id} and type = ${p.type}
        and actor_id = ${p.actor_id} and subject_id = ${p.subject_id} and is_read = 0
        and id > (select read_up_to from reader)`,
  ),
)

/**
 * Inserts notifications, except those to the actor, those that exist already, and those that `isAllowed`
 * excludes. To prevent deadlocks, it locks the recipients in the order of their ids, so call it once per action
 * with all notifications.
 */
export async function notify(tx: Tx, notifications: NewNotification[], now: number): Promise<void> {
  for (const notification of notifications.toSorted((left, right) =>
    left.to < right.to ? -1 : 1,
  )) {
    if (notification.to === notification.actorId) continue
    await tx.send(insert, { ...toRow(notification), id: newId('ntf', now) })
  }
}

/** Withdraws a notification unless the recipient has read it. */
export async function withdraw(tx: Tx, notification: NewNotification): Promise<void> {
  if (notification.to === notification.actorId) return
  const key = pickParams(toRow(notification), ['user_id', 'type', 'actor_id', 'subject_id'])
  await tx.send(remove, key)
}

function toRow(notification: NewNotification): Omit<Written, 'id'> {
  return {
    user_id: notification.to,
    type: notification.type,
    kind: notification.kind,
    actor_id: notification.actorId ?? '',
    subject_id: notification.subjectId,
    params: JSON.stringify(notification.params ?? {}),
    link: notification.link,
  }
}

/** Matches `@handle`, except inside an email address, a link or a name on another server. */
const MENTION = /(?<![A-Za-z0-9_@/])@[A-Za-z0-9_]{3,30}(?![A-Za-z0-9_@])/g
const MENTIONS_MAX = 20

/**
 * Returns the ids of the mentioned users. Reads only the first MENTIONS_MAX distinct handles. Ignores the case of
 * handles, and skips suspended users.
 */
export async function findMentioned(tx: Tx, texts: string[]): Promise<string[]> {
  const handles = new Set<string>()
  for (const text of texts) {
    for (const [mention] of text.matchAll(MENTION)) handles.add(mention.slice(1).toLowerCase())
  }
  if (handles.size === 0) return []
  const named = {
    handle: [...handles].slice(0, MENTIONS_MAX),
    is_suspended: 0,
    erased_at: null,
  } as const
  return listColumn(tx, 'users', 'id', named)
}
