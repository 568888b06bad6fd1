/**
 * The statements by which a person is told of an act, or an act is taken back. They decide by
 * themselves and none waits for the answer of another, so they can cross in one flight with the act.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { idAfter, timeInId } from '../db/id-words.ts'
import { newId } from '../db/ids.ts'
import { bare, type Dialect, type Params, type Query, statement } from '../db/statement.ts'
import type { NotificationType } from '../db/tables.ts'
import type { NotificationKind } from './schema.ts'

/** An act of which somebody may be told. */
// A type, not an interface: parameters have an index signature.
export type Act = {
  type: NotificationType
  kind: NotificationKind
  /** Empty where the platform itself speaks. */
  actor_id: string
  /** The id of what the act was on. */
  subject_id: string
  /** JSON: parameters of the message, beside the actor's name. */
  params: string
  /** Path of what it is about. */
  link: string | null
}

interface Wording<P> {
  /** The id of the person, or null where nobody is told. */
  to: (q: Query, p: P, on: Dialect) => Expression<string | null>
  /** Whether the act is done already, where one statement serves both ways. */
  isDone?: (q: Query, p: P, on: Dialect) => RawBuilder<boolean>
  params?: (q: Query, p: P, on: Dialect) => RawBuilder<string>
  /** Whether the subject is the person who is told. */
  isSelf?: boolean
}

export interface Telling<P> {
  /** Locks the list of the person; the order of locks is the caller's to keep. */
  lock(tx: Tx, act: P): Promise<unknown>
  /** Tells, unless this person was told of this act before, or it is done: the first notice stands. */
  tell(tx: Tx, act: P, now: number): Promise<unknown>
  /** Takes back what was told while it is unread, if the act is done; once read it stays. */
  withdraw(tx: Tx, act: P): Promise<unknown>
}

/** Statements of one kind of act. Acts must be given with all that `Act` names. */
export function tellingOf<P extends Act & Params>(wording: Wording<P>): Telling<P> {
  const { to, isDone, isSelf = false } = wording
  const counts = sql.table('notification_counts')
  const same = (p: P) => sql`notifications.user_id = notification_counts.user_id
    and type = ${p.type} and actor_id = ${p.actor_id} and subject_id = ${subject(p)}`
  const subject = (p: P) =>
    isSelf ? sql`notification_counts.user_id` : sql`cast(${p.subject_id} as text)`
  const unread = sql`is_read = 0 and notifications.id > notification_counts.read_up_to`
  /** The counts of whom it concerns, where the act is done or not. */
  const theirs = (q: Query, p: P, on: Dialect, done: boolean) => {
    const found = sql`notification_counts.user_id = ${to(q, p, on)}`
    if (!isDone) return found
    return done ? sql`${found} and ${isDone(q, p, on)}` : sql`${found} and not ${isDone(q, p, on)}`
  }

  const lock = statement((q, p: P, on) =>
    on.locked(
      q
        .selectFrom('notification_counts')
        .select('user_id')
        .where('user_id', '=', to(q, p, on)),
    ),
  )
  const add = statement((q, p: P & { id: string }, on) =>
    bare(
      q,
      sql`update ${counts} set total = total + 1, unread = unread + 1,
        last_notification_id = ${idAfter(on, p.id, sql.ref('last_notification_id'))}
      where ${theirs(q, p, on, false)}
        and not exists (select 1 from notifications where ${same(p)})`,
    ),
  )
  // The id is the one that `add` has just made.
  const insert = statement((q, p: P, on) =>
    bare(
      q,
      sql`insert into notifications
        (id, user_id, type, kind, actor_id, subject_id, params, link, is_read, created_at)
      select last_notification_id, user_id, cast(${p.type} as text), cast(${p.kind} as text),
        cast(${p.actor_id} as text), ${subject(p)},
        ${wording.params?.(q, p, on) ?? sql`cast(${p.params} as text)`}, cast(${p.link} as text), 0,
        ${timeInId(on, sql.ref('last_notification_id'))}
      from ${counts} where ${theirs(q, p, on, false)}
        and not exists (select 1 from notifications where ${same(p)})`,
    ),
  )
  const take = statement((q, p: P, on) =>
    bare(
      q,
      sql`update ${counts} set total = total - 1, unread = unread - 1
      where ${theirs(q, p, on, true)}
        and exists (select 1 from notifications where ${same(p)} and ${unread})`,
    ),
  )
  const remove = statement((q, p: P, on) =>
    bare(
      q,
      sql`delete from notifications where id in (select notifications.id
        from ${counts} join notifications on ${same(p)} and ${unread}
        where ${theirs(q, p, on, true)})`,
    ),
  )

  return {
    // One writer makes the lock free on SQLite, and its row tells nothing.
    lock: (tx, act) => (tx.engine === 'sqlite' ? Promise.resolve() : tx.first(lock, act)),
    tell: (tx, act, now) =>
      Promise.all([tx.run(add, { ...act, id: newId('ntf', now) }), tx.run(insert, act)]),
    withdraw: (tx, act) => Promise.all([tx.run(take, act), tx.run(remove, act)]),
  }
}
