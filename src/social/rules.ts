/**
 * Likes, bookmarks and follows. Each action first locks the row that stores the count. Parallel actions
 * therefore run one after the other: toggles alternate, and a count always equals its number of rows. No
 * statement needs the result of another, because each one reads the previous state in SQL. An action
 * therefore takes one round trip to PostgreSQL, including the commit (decision 013). The row itself changes
 * last, because the other statements check whether it exists.
 */
import { loadForAll } from '../contents/load.ts'
import { lockForReaction, updateReactionCount } from '../contents/reaction-queries.ts'
import { findCreator } from '../creators/queries.ts'
import { toCreator, toUserRef } from '../creators/schema.ts'
import type { Handle, Tx } from '../db/handle.ts'
import type { ToggleMode } from '../db/toggle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import type { NotificationTemplate } from '../notifications/template.ts'
import { findIsSuspended, findUser } from '../users/accounts.ts'
import { lockFollowCounts, updateFollowCounts } from '../users/follow-queries.ts'
import { HANDLE, keyOf } from '../users/schema.ts'
import { emit } from '../webhooks/emit.ts'
import {
  authorHasSubscribers,
  creatorHasSubscribers,
  findCreatorShared,
  applyToggle,
  followNotification,
  likeNotification,
  resolveToggle,
} from './queries.ts'

/** Sets, unsets or toggles a like and notifies the author. Errors: 404 CONTENT_NOT_FOUND. */
export function likeContent(db: Handle, viewer: Viewer, id: string, mode: ToggleMode, now: number) {
  const target = { content_id: id, user_id: viewer.id }
  const act = {
    ...target,
    type: 'like' as const,
    kind: 'like.content' as const,
    actor_id: viewer.id,
    subject_id: id,
    params: '',
    link: `/contents/${id}`,
  }
  return db.transaction(async (tx) => {
    const resolved = await resolveToggle(tx, 'likes', mode, target)
    const [content, counts, , , hasSubscribers] = await Promise.all([
      lockForReaction(tx, id),
      updateReactionCount(tx, { reaction: 'likes', mode: resolved }, target),
      notifyOrWithdraw(tx, likeNotification, resolved, act, now),
      applyToggle.likes(tx, resolved, target, now),
      tx.commitUnlessFound(authorHasSubscribers, target),
    ])
    if (!content?.is_public) throw new ApiError('CONTENT_NOT_FOUND')
    const like_count = counts?.like_count ?? content.like_count
    if (hasSubscribers && like_count > content.like_count) {
      const data = async () => ({
        content: await loadForAll(tx, id),
        actor: await loadActor(tx, viewer),
      })
      await emit(tx, content.creator_id, 'content.liked', now, data)
    }
    return { is_liked: isSet(resolved, like_count > content.like_count), like_count }
  })
}

/** Sets, unsets or toggles a bookmark. Sends no notification. Errors: 404 CONTENT_NOT_FOUND. */
export function bookmarkContent(
  db: Handle,
  viewer: Viewer,
  id: string,
  mode: ToggleMode,
  now: number,
) {
  const target = { content_id: id, user_id: viewer.id }
  return db.transaction(async (tx) => {
    const resolved = await resolveToggle(tx, 'bookmarks', mode, target)
    const asked = Promise.all([
      lockForReaction(tx, id),
      updateReactionCount(tx, { reaction: 'bookmarks', mode: resolved }, target),
      applyToggle.bookmarks(tx, resolved, target, now),
    ])
    tx.commitWithPending()
    const [content, counts] = await asked
    if (!content?.is_public) throw new ApiError('CONTENT_NOT_FOUND')
    const bookmark_count = counts?.bookmark_count ?? content.bookmark_count
    return {
      is_bookmarked: isSet(resolved, bookmark_count > content.bookmark_count),
      bookmark_count,
    }
  })
}

/**
 * Sets, unsets or toggles a follow and notifies the creator. Errors: 401 UNAUTHORIZED when the viewer was
 * suspended after authentication, 404 CREATOR_NOT_FOUND when the creator is unknown or suspended, 409
 * CANNOT_FOLLOW_SELF.
 */
export function followCreator(
  db: Handle,
  viewer: Viewer,
  handle: string,
  mode: ToggleMode,
  now: number,
) {
  if (!HANDLE.test(handle)) throw new ApiError('CREATOR_NOT_FOUND')
  const target = { handle: keyOf(handle), user_id: viewer.id }
  const act = {
    ...target,
    type: 'follow' as const,
    kind: 'follow' as const,
    actor_id: viewer.id,
    subject_id: '',
    params: '{}',
    link: `/creators/${viewer.handle}`,
  }
  return db.transaction(async (tx) => {
    const resolved = await resolveToggle(tx, 'follows', mode, target)
    const [creator, before, isSuspended, after, , , hasSubscribers] = await Promise.all([
      findCreatorShared(tx, target.handle),
      lockFollowCounts(tx, target),
      findIsSuspended(tx, viewer.id),
      updateFollowCounts(tx, resolved, target),
      notifyOrWithdraw(tx, followNotification, resolved, act, now),
      applyToggle.follows(tx, resolved, target, now),
      tx.commitUnlessFound(creatorHasSubscribers, target),
    ])
    // The viewer was suspended after authentication, so the statements above changed nothing.
    if (isSuspended) throw new ApiError('UNAUTHORIZED')
    if (!creator || creator.is_suspended) throw new ApiError('CREATOR_NOT_FOUND')
    if (creator.id === viewer.id) throw new ApiError('CANNOT_FOLLOW_SELF')
    const followersIn = (rows: typeof before) =>
      rows.find(({ user_id }) => user_id === creator.id)?.follower_count
    const followers = followersIn(before) ?? 0
    const follower_count = followersIn(after) ?? followers
    if (hasSubscribers && follower_count > followers) {
      const data = async () => ({
        creator: await loadCreator(tx, handle),
        actor: await loadActor(tx, viewer),
      })
      await emit(tx, creator.id, 'creator.followed', now, data)
    }
    return { is_following: isSet(resolved, follower_count > followers), follower_count }
  })
}

/** Sends the notification when the action is new. Withdraws it when the action is undone. */
function notifyOrWithdraw<P>(
  tx: Tx,
  template: NotificationTemplate<P>,
  mode: ToggleMode,
  act: P,
  now: number,
) {
  return Promise.all([
    template.lock(tx, act),
    mode !== 'unset' && template.notify(tx, act, now),
    mode !== 'set' && template.withdraw(tx, act),
  ])
}

/** Returns whether the relation exists after the action. `isMore` is true when the count has grown. */
function isSet(mode: ToggleMode, isMore: boolean): boolean {
  return mode === 'toggle' ? isMore : mode === 'set'
}

async function loadActor(tx: Tx, { id }: Viewer) {
  const user = await findUser(tx, id)
  if (!user) throw new Error(`user ${id} does not exist`)
  return toUserRef(user)
}

/** Returns the profile that anonymous viewers see. */
async function loadCreator(tx: Tx, handle: string) {
  const row = await findCreator(tx, keyOf(handle), null)
  if (!row) throw new Error(`creator @${handle} does not exist`)
  return toCreator(row)
}
