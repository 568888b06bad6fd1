/**
 * Statements that send and withdraw notifications. No statement needs the result of another, so all of them
 * share one round trip with the action.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { idAfter, timeInId } from '../db/id-words.ts'
import { newId } from '../db/ids.ts'
import { rawQuery, type Dialect, type Params, type Query, statement } from '../db/statement.ts'
import type { NotificationType } from '../db/tables.ts'
import type { NotificationKind } from './schema.ts'

/** An action that may cause a notification. */
// A type, because interfaces lack the index signature that statement parameters need.
export type Act = {
  type: NotificationType
  kind: NotificationKind
  /** Empty when the platform sends the notification. */
  actor_id: string
  /** Id of the object that the action affected. */
  subject_id: string
  /** Message parameters as JSON, other than the actor's name. */
  params: string
  /** Path to which the notification links. */
  link: string | null
}

interface TemplateParts<P> {
  /** Selects the recipient's id, or null to send no notification. */
  to: (q: Query, p: P, dialect: Dialect) => Expression<string | null>
  /**
   * SQL that is true when the action is currently done. Needed only when one statement both sends and
   * withdraws.
   */
  isDone?: (q: Query, p: P, dialect: Dialect) => RawBuilder<boolean>
  params?: (q: Query, p: P, dialect: Dialect) => RawBuilder<string>
  /** True when the recipient is also the subject of the notification. */
  isSelf?: boolean
}

export interface NotificationTemplate<P> {
  /** Locks the recipient's list. The caller is responsible for the lock order. */
  lock(tx: Tx, act: P): Promise<unknown>
  /** Sends the notification, unless the action is already done or already has a notification. */
  notify(tx: Tx, act: P, now: number): Promise<unknown>
  /** Withdraws the notification if the action is done and the user has not read it. */
  withdraw(tx: Tx, act: P): Promise<unknown>
}

/** Creates the statements for one kind of action. Their parameters must include every field of `Act`. */
export function notificationTemplate<P extends Act & Params>(
  parts: TemplateParts<P>,
): NotificationTemplate<P> {
  const { to, isDone, isSelf = false } = parts
  const counts = sql.table('notification_counts')
  const same = (p: P) => sql`notifications.user_id = notification_counts.user_id
    and type = ${p.type} and actor_id = ${p.actor_id} and subject_id = ${subject(p)}`
  const subject = (p: P) =>
    isSelf ? sql`notification_counts.user_id` : sql`cast(${p.subject_id} as text)`
  const unread = sql`is_read = 0 and notifications.id > notification_counts.read_up_to`
  /**
   * Returns a condition on the recipient's row of counts. With `isDone`, the row matches only if the action's
   * state equals `done`.
   */
  const theirs = (q: Query, p: P, dialect: Dialect, done: boolean) => {
    const found = sql`notification_counts.user_id = ${to(q, p, dialect)}`
    if (!isDone) return found
    return done
      ? sql`${found} and ${isDone(q, p, dialect)}`
      : sql`${found} and not ${isDone(q, p, dialect)}`
  }

  const lock = statement((q, p: P, dialect) =>
    dialect.locked(
      q
        .selectFrom('notification_counts')
        .select('user_id')
        .where('user_id', '=', to(q, p, dialect)),
    ),
  )
  const add = statement((q, p: P & { id: string }, dialect) =>
    rawQuery(
      q,
      sql`update ${counts} set total = total + 1, unread = unread + 1,
        last_notification_id = ${idAfter(dialect, p.id, sql.ref('last_notification_id'))}
      where ${theirs(q, p, dialect, false)}
        and not exists (select 1 from notifications where ${same(p)})`,
    ),
  )
  // Must follow `add`, which stores the new notification's id in `last_notification_id`.
  const insert = statement((q, p: P, dialect) =>
    rawQuery(
      q,
      sql`insert into notifications
        (id, user_id, type, kind, actor_id, subject_id, params, link, is_read, created_at)
      select last_notification_id, user_id, cast(${p.type} as text), cast(${p.kind} as text),
        cast(${p.actor_id} as text), ${subject(p)},
        ${parts.params?.(q, p, dialect) ?? sql`cast(${p.params} as text)`}, cast(${p.link} as text), 0,
        ${timeInId(dialect, sql.ref('last_notification_id'))}
      from ${counts} where ${theirs(q, p, dialect, false)}
        and not exists (select 1 from notifications where ${same(p)})`,
    ),
  )
  const take = statement((q, p: P, dialect) =>
    rawQuery(
      q,
      sql`update ${counts} set total = total - 1, unread = unread - 1
      where ${theirs(q, p, dialect, true)}
        and exists (select 1 from notifications where ${same(p)} and ${unread})`,
    ),
  )
  const remove = statement((q, p: P, dialect) =>
    rawQuery(
      q,
      sql`delete from notifications where id in (select notifications.id
        from ${counts} join notifications on ${same(p)} and ${unread}
        where ${theirs(q, p, dialect, true)})`,
    ),
  )

  return {
    // SQLite has a single writer, so it needs no lock.
    lock: (tx, act) => (tx.engine === 'sqlite' ? Promise.resolve() : tx.first(lock, act)),
    notify: (tx, act, now) =>
      Promise.all([tx.run(add, { ...act, id: newId('ntf', now) }), tx.run(insert, act)]),
    withdraw: (tx, act) => Promise.all([tx.run(take, act), tx.run(remove, act)]),
  }
}
