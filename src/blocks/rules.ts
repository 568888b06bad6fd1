/**
 * Blocks and mutes. Each change locks the counts of both users. A block also locks their conversation, so a
 * concurrent message is sent before the block or rejected.
 */
import type { Handle, Tx } from '../db/handle.ts'
import { lockConversationBetween } from '../dm/rules.ts'
import { ApiError } from '../errors.ts'
import { endFollows } from '../follows/erase.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { lockLists, withdrawAllFrom } from '../notifications/erase.ts'
import { findUserByHandle } from '../users/accounts.ts'
import { lockUserCounts } from '../users/counts.ts'
import { HANDLE, keyOf } from '../users/schema.ts'
import {
  countFiltered,
  type FilterKind,
  findFilterState,
  listFiltered,
  setFilter,
  unsetFilter,
} from './queries.ts'
import { toFilteredUser } from './schema.ts'

const FILTERS_MAX = 10_000

/**
 * Blocks a user, unless already blocked. Ends the follows between both users, and withdraws the viewer's unread
 * notifications from that user.
 * Errors: 401 UNAUTHORIZED when the viewer was suspended after authentication, 404 CREATOR_NOT_FOUND when the user is
 * unknown or suspended, 409 CANNOT_BLOCK_SELF, 409 LIMIT_REACHED.
 */
export async function blockCreator(db: Handle, viewer: Viewer, handle: string, now: number) {
  await addFilter(db, 'block', viewer, handle, now)
  return { is_blocked: true }
}

/** Ends a block, if any. Errors: 404 CREATOR_NOT_FOUND for an unknown user, 409 CANNOT_BLOCK_SELF. */
export async function unblockCreator(db: Handle, viewer: Viewer, handle: string) {
  await removeFilter(db, 'block', viewer, handle)
  return { is_blocked: false }
}

/** Mutes a user and withdraws the viewer's unread notifications from that user. Errors: as for `blockCreator`. */
export async function muteCreator(db: Handle, viewer: Viewer, handle: string, now: number) {
  await addFilter(db, 'mute', viewer, handle, now)
  return { is_muted: true }
}

/** Ends a mute, if any. Errors: as for `unblockCreator`. */
export async function unmuteCreator(db: Handle, viewer: Viewer, handle: string) {
  await removeFilter(db, 'mute', viewer, handle)
  return { is_muted: false }
}

function addFilter(db: Handle, kind: FilterKind, viewer: Viewer, handle: string, now: number) {
  return db.transaction(async (tx) => {
    const pair = { userId: viewer.id, filteredId: await requireOther(tx, viewer, handle) }
    if (kind === 'block') await lockConversationBetween(tx, pair.userId, pair.filteredId)
    const counts = await lockUserCounts(tx, [pair.userId, pair.filteredId])
    const state = await findFilterState(tx, pair)
    if (state?.is_viewer_suspended) throw new ApiError('UNAUTHORIZED')
    if (!state || state.is_suspended) throw new ApiError('CREATOR_NOT_FOUND')
    if (state[kind === 'block' ? 'blocked_at' : 'muted_at'] !== null) return
    const own = counts.find((row) => row.user_id === viewer.id)
    if (own && own[`${kind}_count`] >= FILTERS_MAX) throw new ApiError('LIMIT_REACHED')
    await setFilter(tx, kind, pair, now)
    if (kind === 'block') await endFollows(tx, pair.userId, pair.filteredId)
    else await lockLists(tx, [pair.userId])
    await withdrawAllFrom(tx, { to: pair.userId, actorId: pair.filteredId })
  })
}

function removeFilter(db: Handle, kind: FilterKind, viewer: Viewer, handle: string) {
  return db.transaction(async (tx) => {
    const pair = { userId: viewer.id, filteredId: await requireOther(tx, viewer, handle) }
    await lockUserCounts(tx, [pair.userId, pair.filteredId])
    await unsetFilter(tx, kind, pair)
  })
}

/**
 * Returns the id of the user with this handle, who must not be the viewer and may be suspended. Errors: 404
 * CREATOR_NOT_FOUND, 409 CANNOT_BLOCK_SELF.
 */
async function requireOther(tx: Tx, viewer: Viewer, handle: string): Promise<string> {
  const user = HANDLE.test(handle) ? await findUserByHandle(tx, keyOf(handle)) : undefined
  if (!user) throw new ApiError('CREATOR_NOT_FOUND')
  if (user.id === viewer.id) throw new ApiError('CANNOT_BLOCK_SELF')
  return user.id
}

/** Returns a page of the users that the viewer has blocked, the latest block first. */
export function listBlocks(db: Handle, viewer: Viewer, page: PageInput) {
  return readFiltered(db, 'block', viewer, page)
}

/** Returns a page of the users that the viewer has muted, the latest mute first. */
export function listMutes(db: Handle, viewer: Viewer, page: PageInput) {
  return readFiltered(db, 'mute', viewer, page)
}

async function readFiltered(db: Handle, kind: FilterKind, viewer: Viewer, page: PageInput) {
  const [users, total] = await Promise.all([
    listFiltered(db, kind, { userId: viewer.id, ...offsetOf(page) }),
    countFiltered(db, kind, viewer.id),
  ])
  return { users: users.map(toFilteredUser), pagination: paginationOf(page, total) }
}
