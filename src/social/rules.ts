/**
 * Likes, bookmarks and follows. Each rule locks the row that holds the count before it looks, so
 * acts at the same time take turns: toggles alternate, and a count always equals its rows.
 */
import { loadForAll } from '../contents/load.ts'
import { addToContentStats, lockPublicContent } from '../contents/rules.ts'
import { findCreator } from '../creators/queries.ts'
import { toCreator, toUserRef } from '../creators/schema.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { notify, withdraw } from '../notifications/rules.ts'
import { findUser } from '../users/accounts.ts'
import { addToUserCounts, lockUserCounts } from '../users/counts.ts'
import { HANDLE, keyOf } from '../users/schema.ts'
import { emit } from '../webhooks/emit.ts'
import { deleteFollow, deleteMark, findCreatorShared, insertFollow, insertMark } from './queries.ts'

/** What a caller wants of a relation: that it be, that it not be, or the other of what it is. */
type Wish = 'set' | 'unset' | 'toggle'

/** Both say whether they changed anything. */
interface Relation {
  insert: () => Promise<boolean>
  remove: () => Promise<boolean>
}

/** Fulfils a wish under the lock of the relation's count; `change` is what it adds to that count. */
async function fulfil(wish: Wish, { insert, remove }: Relation) {
  if (wish !== 'unset' && (await insert())) return { isSet: true, change: 1 }
  if (wish === 'set') return { isSet: true, change: 0 }
  return { isSet: false, change: (await remove()) ? -1 : 0 }
}

/** Likes a work or takes that back; its author is told. Errors: 404 CONTENT_NOT_FOUND. */
export function likeContent(db: Handle, viewer: Viewer, id: string, wish: Wish, now: number) {
  return db.transaction(async (tx) => {
    const content = await lockPublicContent(tx, id)
    const { isSet, change } = await fulfil(wish, {
      insert: () => insertMark(tx, 'likes', id, viewer.id, now),
      remove: () => deleteMark(tx, 'likes', id, viewer.id),
    })
    if (change !== 0) await addToContentStats(tx, id, { like_count: change })
    const notice = {
      to: content.creator_id,
      type: 'like' as const,
      actorId: viewer.id,
      subjectId: id,
    }
    if (change > 0) {
      const params = { title: content.title }
      const link = `/contents/${id}`
      await notify(tx, [{ ...notice, kind: 'like.content', params, link }], now)
    }
    if (change > 0 && content.is_creator_listening) {
      const data = async () => ({
        content: await loadForAll(tx, id),
        actor: await loadActor(tx, viewer),
      })
      await emit(tx, content.creator_id, 'content.liked', now, data)
    }
    if (change < 0) await withdraw(tx, notice)
    return { is_liked: isSet, like_count: content.like_count + change }
  })
}

/** Bookmarks a work or takes that back; nobody is told. Errors: 404 CONTENT_NOT_FOUND. */
export function bookmarkContent(db: Handle, viewer: Viewer, id: string, wish: Wish, now: number) {
  return db.transaction(async (tx) => {
    const content = await lockPublicContent(tx, id)
    const { isSet, change } = await fulfil(wish, {
      insert: () => insertMark(tx, 'bookmarks', id, viewer.id, now),
      remove: () => deleteMark(tx, 'bookmarks', id, viewer.id),
    })
    if (change !== 0) await addToContentStats(tx, id, { bookmark_count: change })
    return { is_bookmarked: isSet, bookmark_count: content.bookmark_count + change }
  })
}

/**
 * Follows a creator or takes that back; the creator is told.
 * Errors: 404 CREATOR_NOT_FOUND (unknown or suspended), 409 CANNOT_FOLLOW_SELF.
 */
export function followCreator(db: Handle, viewer: Viewer, handle: string, wish: Wish, now: number) {
  if (!HANDLE.test(handle)) throw new ApiError('CREATOR_NOT_FOUND')
  return db.transaction(async (tx) => {
    const creator = await findCreatorShared(tx, keyOf(handle))
    if (!creator || creator.is_suspended) throw new ApiError('CREATOR_NOT_FOUND')
    if (creator.id === viewer.id) throw new ApiError('CANNOT_FOLLOW_SELF')
    const locked = await lockUserCounts(tx, [creator.id, viewer.id])
    const followers = locked.find(({ user_id }) => user_id === creator.id)?.follower_count ?? 0
    const { isSet, change } = await fulfil(wish, {
      insert: () => insertFollow(tx, creator.id, viewer.id, now),
      remove: () => deleteFollow(tx, creator.id, viewer.id),
    })
    if (change !== 0) {
      await addToUserCounts(tx, [
        { userId: creator.id, follower_count: change },
        { userId: viewer.id, following_count: change },
      ])
    }
    const notice = {
      to: creator.id,
      type: 'follow' as const,
      actorId: viewer.id,
      subjectId: creator.id,
    }
    if (change > 0) {
      const link = `/creators/${viewer.handle}`
      await notify(tx, [{ ...notice, kind: 'follow', link }], now)
    }
    if (change > 0 && creator.is_listening) {
      const data = async () => ({
        creator: await loadCreator(tx, handle),
        actor: await loadActor(tx, viewer),
      })
      await emit(tx, creator.id, 'creator.followed', now, data)
    }
    if (change < 0) await withdraw(tx, notice)
    return { is_following: isSet, follower_count: followers + change }
  })
}

async function loadActor(tx: Tx, { id }: Viewer) {
  const user = await findUser(tx, id)
  if (!user) throw new Error(`there is no ${id}`)
  return toUserRef(user)
}

/** A profile as anybody sees it. */
async function loadCreator(tx: Tx, handle: string) {
  const row = await findCreator(tx, keyOf(handle), null)
  if (!row) throw new Error(`there is no @${handle}`)
  return toCreator(row)
}
