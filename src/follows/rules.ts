import { sql } from 'kysely'
import { requireCreator } from '../creators/rules.ts'
import { toCreator } from '../creators/schema.ts'
import type { Handle } from '../db/handle.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { type ToggleMode, toggleRow } from '../db/toggle.ts'
import { isBlocked } from '../db/user-filters.ts'
import { isOpenTo } from '../db/visibility.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { notify, withdraw } from '../notifications/notify.ts'
import { loadUserRef } from '../users/accounts.ts'
import { HANDLE, keyOf } from '../users/schema.ts'
import { emit } from '../webhooks/emit.ts'

const lockCounts = statement((q, p: { handle: string; viewerId: string }, dialect) =>
  rawQuery(
    q,
    sql`select user_id from user_counts
      where user_id = ${p.viewerId} or user_id = (select id from users where handle = ${p.handle})
      order by user_id ${dialect.lock}`,
  ),
)

const creatorOfHandle = statement((q, p: Record<'handle' | 'viewerId' | 'contentId', string>) =>
  q
    .selectFrom('users as creator')
    .innerJoin('user_counts as counts', 'counts.user_id', 'creator.id')
    .innerJoin('users as viewer', (join) => join.on('viewer.id', '=', p.viewerId))
    // The given content counts only if it is by this creator and open to the viewer.
    .leftJoin('content_stats as origin', (join) =>
      join
        .on('origin.content_id', '=', p.contentId)
        .onRef('origin.creator_id', '=', 'creator.id')
        .on(isOpenTo(p.viewerId, 'origin')),
    )
    .select(['creator.id', 'creator.is_suspended', 'counts.follower_count', 'origin.content_id'])
    .select('viewer.is_suspended as is_viewer_suspended')
    .select(isBlocked(p.viewerId, sql.ref('creator.id')).as('is_blocked'))
    .where('creator.handle', '=', p.handle)
    .where('creator.erased_at', 'is', null),
)

/**
 * Sets, removes or toggles the viewer's follow. A new follow emits `creator.followed`, notifies the creator, and stores
 * the content item from which the viewer followed. Removing a follow withdraws its unread notification. Errors: 401
 * UNAUTHORIZED when the viewer was suspended after authentication; 404 CREATOR_NOT_FOUND when the creator is unknown or
 * suspended; 403 NOT_ALLOWED_HERE for a new follow when the viewer or the creator has blocked the other; 409
 * CANNOT_FOLLOW_SELF.
 */
export function followCreator(
  db: Handle,
  viewer: Viewer,
  { handle, contentId = '' }: { handle: string; contentId?: string | undefined },
  mode: ToggleMode,
  now: number,
) {
  if (!HANDLE.test(handle)) throw new ApiError('CREATOR_NOT_FOUND')
  return db.transaction(async (tx) => {
    const pair = { handle: keyOf(handle), viewerId: viewer.id, contentId }
    // A suspension of either user locks the counts too. So this transaction sees the suspension, or the
    // suspension waits until this transaction ends.
    await tx.send(lockCounts, pair)
    const creator = await tx.first(creatorOfHandle, pair)
    if (creator?.is_viewer_suspended) throw new ApiError('UNAUTHORIZED')
    if (!creator || creator.is_suspended) throw new ApiError('CREATOR_NOT_FOUND')
    if (creator.id === viewer.id) throw new ApiError('CANNOT_FOLLOW_SELF')
    const key = { creator_id: creator.id, follower_id: viewer.id }
    const state = { is_follower_suspended: 0, is_creator_suspended: 0 } as const
    const rest = { ...state, content_id: creator.content_id, created_at: now }
    const { isSet, change } = await toggleRow(tx, 'follows', mode, key, rest)
    if (change === 1 && creator.is_blocked) throw new ApiError('NOT_ALLOWED_HERE')
    const notification = {
      to: creator.id,
      type: 'follow',
      kind: 'follow',
      actorId: viewer.id,
      subjectId: creator.id,
      link: `/creators/${viewer.handle}`,
    } as const
    if (change === 1) {
      await notify(tx, [notification], now)
      await emit(tx, creator.id, 'creator.followed', now, async () => ({
        creator: toCreator(await requireCreator(tx, handle, null)),
        actor: await loadUserRef(tx, viewer.id),
      }))
    }
    if (change === -1) await withdraw(tx, notification)
    return { is_following: isSet, follower_count: creator.follower_count + change }
  })
}
