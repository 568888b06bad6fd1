import { sql } from 'kysely'
import { requireCreator } from '../creators/rules.ts'
import { toCreator } from '../creators/schema.ts'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows } from '../db/rows.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { type ToggleMode, toggleRow } from '../db/toggle.ts'
import { isBlocked } from '../db/user-filters.ts'
import { isOpenTo } from '../db/visibility.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { lockLists } from '../notifications/erase.ts'
import { type NewNotification, notify, withdraw } from '../notifications/notify.ts'
import { loadUserRef } from '../users/accounts.ts'
import { HANDLE, keyOf } from '../users/schema.ts'
import { emit } from '../webhooks/emit.ts'

const NOT_SUSPENDED = { is_follower_suspended: 0, is_creator_suspended: 0 } as const

type Both = { handle: string; viewerId: string; contentId: string }

const countsOfBoth = statement((q, p: Both, dialect) =>
  rawQuery(
    q,
    sql`select user_id from user_counts
      where user_id = ${p.viewerId} or user_id = (select id from users where handle = ${p.handle})
      order by user_id ${dialect.lock}`,
  ),
)

interface LockedCreator {
  id: string
  follower_count: number
  is_suspended: Flag
  is_viewer_suspended: Flag
  is_blocked: Flag
  /** Id of the given content if it is by this creator and open to the viewer, else null. */
  content_id: string | null
}

const creatorOfBoth = statement((q, p: Both) =>
  rawQuery<LockedCreator>(
    q,
    sql`select creator.id, counts.follower_count, creator.is_suspended,
        viewer.is_suspended as is_viewer_suspended,
        ${isBlocked(p.viewerId, sql.ref('creator.id'))} as is_blocked,
        (select content_id from content_stats as stats where content_id = ${p.contentId}
          and creator_id = creator.id and ${isOpenTo(p.viewerId, 'stats')}) as content_id
      from users as creator
      join user_counts as counts on counts.user_id = creator.id
      join users as viewer on viewer.id = ${p.viewerId}
      where creator.handle = ${p.handle} and creator.erased_at is null`,
  ),
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
    await tx.send(countsOfBoth, pair)
    const creator = await tx.first(creatorOfBoth, pair)
    if (creator?.is_viewer_suspended) throw new ApiError('UNAUTHORIZED')
    if (!creator || creator.is_suspended) throw new ApiError('CREATOR_NOT_FOUND')
    if (creator.id === viewer.id) throw new ApiError('CANNOT_FOLLOW_SELF')
    const key = { creator_id: creator.id, follower_id: viewer.id }
    const rest = { ...NOT_SUSPENDED, content_id: creator.content_id, created_at: now }
    const { isSet, change } = await toggleRow(tx, 'follows', mode, key, rest)
    if (change === 1 && creator.is_blocked) throw new ApiError('NOT_ALLOWED_HERE')
    const notification = followNotification(creator.id, viewer)
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

function followNotification(creatorId: string, follower: { id: string; handle?: string }) {
  return {
    to: creatorId,
    type: 'follow',
    kind: 'follow',
    actorId: follower.id,
    subjectId: creatorId,
    link: `/creators/${follower.handle}`,
  } as const
}

/**
 * Ends the follows between two users and withdraws the unread notifications about these follows. Locks both
 * notification lists. The caller holds the locks of both users' counts.
 */
export async function endFollows(tx: Tx, leftId: string, rightId: string): Promise<void> {
  const ended: NewNotification[] = []
  for (const [creatorId, id] of [
    [leftId, rightId],
    [rightId, leftId],
  ] as const) {
    if (await deleteRows(tx, 'follows', { creator_id: creatorId, follower_id: id }))
      ended.push(followNotification(creatorId, { id }))
  }
  // Locks the notification lists only after the deletions, because triggers of the deletions lock the daily statistics,
  // which come first in the lock order of ARCHITECTURE.md.
  await lockLists(tx, [leftId, rightId])
  for (const notification of ended) await withdraw(tx, notification)
}
