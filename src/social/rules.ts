/**
 * Each action first locks the row that holds the count, so parallel actions on one target run one after the
 * other.
 */
import { loadForAll } from '../contents/load.ts'
import { findCreator } from '../creators/queries.ts'
import { toCreator } from '../creators/schema.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { notify, withdraw } from '../notifications/notify.ts'
import { findUser } from '../users/accounts.ts'
import { HANDLE, keyOf, toUserRef } from '../users/schema.ts'
import { emit } from '../webhooks/emit.ts'
import { deleteRelation, insertRelation, lockCreator, lockPublicContent } from './queries.ts'

export type ToggleMode = 'set' | 'unset' | 'toggle'

/**
 * A new like emits `content.liked` and notifies the author, if that is another user. Removing it withdraws
 * an unread notification. Errors: 404 CONTENT_NOT_FOUND; 403 NOT_ALLOWED_HERE for a new like across a block.
 */
export function likeContent(db: Handle, viewer: Viewer, id: string, mode: ToggleMode, now: number) {
  return db.transaction(async (tx) => {
    const content = await lockPublicContent(tx, id, viewer.id)
    if (!content) throw new ApiError('CONTENT_NOT_FOUND')
    const change = await applyToggle(tx, 'likes', mode, id, viewer, now)
    if (change === 1 && content.is_blocked) throw new ApiError('NOT_ALLOWED_HERE')
    const notice = {
      to: content.creator_id,
      type: 'like' as const,
      kind: 'like.content' as const,
      actorId: viewer.id,
      subjectId: id,
      params: { title: content.title },
      link: `/contents/${id}`,
    }
    if (change === 1) {
      await notify(tx, [notice], now)
      await emit(tx, content.creator_id, 'content.liked', now, async () => ({
        content: await loadForAll(tx, id),
        actor: await loadActor(tx, viewer),
      }))
    }
    if (change === -1) await withdraw(tx, notice)
    return { is_liked: isSet(mode, change), like_count: content.like_count + change }
  })
}

/** Errors: 404 CONTENT_NOT_FOUND. */
export function bookmarkContent(
  db: Handle,
  viewer: Viewer,
  id: string,
  mode: ToggleMode,
  now: number,
) {
  return db.transaction(async (tx) => {
    const content = await lockPublicContent(tx, id, viewer.id)
    if (!content) throw new ApiError('CONTENT_NOT_FOUND')
    const change = await applyToggle(tx, 'bookmarks', mode, id, viewer, now)
    return { is_bookmarked: isSet(mode, change), bookmark_count: content.bookmark_count + change }
  })
}

/**
 * A new follow emits `creator.followed` and notifies the creator. Removing it withdraws an unread
 * notification.
 * Errors: 401 UNAUTHORIZED when the viewer was suspended after authentication; 404 CREATOR_NOT_FOUND:
 * unknown or suspended; 403 NOT_ALLOWED_HERE for a new follow across a block; 409 CANNOT_FOLLOW_SELF.
 */
export function followCreator(
  db: Handle,
  viewer: Viewer,
  handle: string,
  mode: ToggleMode,
  now: number,
) {
  if (!HANDLE.test(handle)) throw new ApiError('CREATOR_NOT_FOUND')
  return db.transaction(async (tx) => {
    const creator = await lockCreator(tx, keyOf(handle), viewer.id)
    if (creator?.is_viewer_suspended) throw new ApiError('UNAUTHORIZED')
    if (!creator || creator.is_suspended) throw new ApiError('CREATOR_NOT_FOUND')
    if (creator.id === viewer.id) throw new ApiError('CANNOT_FOLLOW_SELF')
    const change = await applyToggle(tx, 'follows', mode, creator.id, viewer, now)
    if (change === 1 && creator.is_blocked) throw new ApiError('NOT_ALLOWED_HERE')
    const notice = followNotice(creator.id, viewer)
    if (change === 1) {
      await notify(tx, [notice], now)
      await emit(tx, creator.id, 'creator.followed', now, async () => ({
        creator: await loadCreator(tx, handle),
        actor: await loadActor(tx, viewer),
      }))
    }
    if (change === -1) await withdraw(tx, notice)
    return { is_following: isSet(mode, change), follower_count: creator.follower_count + change }
  })
}

function followNotice(creatorId: string, follower: { id: string; handle?: string }) {
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
 * Ends the follows between two users and withdraws their unread notifications. The caller holds the locks of
 * both users' counts and notifications.
 */
export async function endFollows(tx: Tx, leftId: string, rightId: string): Promise<void> {
  for (const [creatorId, id] of [
    [leftId, rightId],
    [rightId, leftId],
  ] as const) {
    if (await deleteRelation(tx, 'follows', { targetId: creatorId, userId: id }))
      await withdraw(tx, followNotice(creatorId, { id }))
  }
}

/** Returns the change of the count. The caller holds the lock of the target. */
async function applyToggle(
  tx: Tx,
  table: 'likes' | 'bookmarks' | 'follows',
  mode: ToggleMode,
  targetId: string,
  viewer: Viewer,
  now: number,
): Promise<1 | 0 | -1> {
  const pair = { targetId, userId: viewer.id }
  if (mode !== 'unset' && (await insertRelation(tx, table, pair, now))) return 1
  if (mode !== 'set' && (await deleteRelation(tx, table, pair))) return -1
  return 0
}

function isSet(mode: ToggleMode, change: number): boolean {
  return mode === 'toggle' ? change === 1 : mode === 'set'
}

async function loadActor(tx: Tx, { id }: Viewer) {
  const user = await findUser(tx, id)
  if (!user) throw new Error(`user ${id} does not exist`)
  return toUserRef(user)
}

async function loadCreator(tx: Tx, handle: string) {
  const row = await findCreator(tx, keyOf(handle), null)
  if (!row) throw new Error(`creator @${handle} does not exist`)
  return toCreator(row)
}
