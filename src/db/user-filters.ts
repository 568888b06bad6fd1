/** Conditions on `user_filters`, for statements of all features. Each look-up uses the primary key. */
import { type RawBuilder, sql } from 'kysely'
import type { Flag } from './flag.ts'

type Id = string | RawBuilder<string>

/** Returns SQL for a flag: 1 when the viewer blocked or muted the user. */
export function isFiltered(viewerId: Id, userId: Id): RawBuilder<Flag> {
  return sql`case when exists (select 1 from user_filters as filter
    where filter.user_id = ${viewerId} and filter.filtered_id = ${userId}) then 1 else 0 end`
}

/** Returns SQL for a flag: 1 when one of the two users blocked the other. */
export function isBlocked(leftId: Id, rightId: Id): RawBuilder<Flag> {
  const blocks = (userId: Id, blockedId: Id) =>
    sql`exists (select 1 from user_filters as filter where filter.user_id = ${userId}
      and filter.filtered_id = ${blockedId} and filter.blocked_at is not null)`
  return sql`case when ${blocks(leftId, rightId)} or ${blocks(rightId, leftId)} then 1 else 0 end`
}
