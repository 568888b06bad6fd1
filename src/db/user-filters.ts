/**
 * Conditions on `user_filters` and on the viewer's content filter, for statements of all features. Each look-up
 * uses a primary key.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Flag } from './flag.ts'
import type { Dialect } from './statement.ts'

type Id = string | RawBuilder<string>

/** Returns SQL for a flag: 1 when the viewer blocked or muted the user. */
export function isFiltered(viewerId: Id, userId: Id): RawBuilder<Flag> {
  // A scalar subquery looks up one row per user. For EXISTS, PostgreSQL could read all filters of the viewer.
  return sql`coalesce((select 1 from user_filters as filter
    where filter.user_id = ${viewerId} and filter.filtered_id = ${userId}), 0)`
}

/**
 * Returns SQL for a flag: 1 when lists leave the content out, because the viewer has blocked or muted the creator or
 * hides adult content. Without a session (`viewerId` null), the site's setting `adult_default` applies.
 * The statement must read the table `contents`.
 */
export function isLeftOut(viewerId: Id | null): RawBuilder<Flag> {
  if (viewerId === null) {
    return sql`case when contents.rating = 'adult' and exists (select 1 from site
      where site.settings like '%"adult_default":"hide"%') then 1 else 0 end`
  }
  return sql`case when ${isFiltered(viewerId, sql.ref('contents.creator_id'))} = 1
    or (contents.rating = 'adult' and exists (select 1 from users as viewer
      where viewer.id = ${viewerId} and viewer.adult_filter = 'hide')) then 1 else 0 end`
}

/** Returns SQL for a flag: 1 when one of the two users blocked the other. */
export function isBlocked(leftId: Id, rightId: Id): RawBuilder<Flag> {
  const blocks = (userId: Id, blockedId: Id) =>
    sql`exists (select 1 from user_filters as filter where filter.user_id = ${userId}
      and filter.filtered_id = ${blockedId} and filter.blocked_at is not null)`
  return sql`case when ${blocks(leftId, rightId)} or ${blocks(rightId, leftId)} then 1 else 0 end`
}

/**
 * Returns SQL that is false when the recipient blocked or muted the actor, or the actor blocked the recipient. On
 * PostgreSQL, also considers blocks committed while the statement waited for the recipient's lock.
 */
export function wantsNotification(
  { engine }: Dialect,
  recipient: RawBuilder<string>,
  actorId: string,
): RawBuilder<boolean> {
  return engine === 'postgres'
    ? sql`wants_notification(${recipient}, ${actorId})`
    : sql`${isFiltered(recipient, actorId)} + ${isBlocked(recipient, actorId)} = 0`
}
