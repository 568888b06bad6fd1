import { readPage } from '../contents/page.ts'
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { HANDLE, keyOf } from '../users/schema.ts'
import { creatorPage, findCreator, listUsers, type Side } from './queries.ts'
import { type CreatorContentsInput, toUser } from './schema.ts'

/**
 * Returns a user's public profile. Ignores the letter case of `handle`. Errors: 404 CREATOR_NOT_FOUND for an unknown
 * or suspended user.
 */
export async function requireCreator(db: Handle, handle: string, viewer: Viewer | null) {
  const creator = HANDLE.test(handle)
    ? await findCreator(db, keyOf(handle), viewer?.id ?? null)
    : undefined
  if (!creator) throw new ApiError('CREATOR_NOT_FOUND')
  return creator
}

/** Returns a page of a creator's public content. Errors: 404 CREATOR_NOT_FOUND. */
export async function listCreatorContents(
  db: Handle,
  handle: string,
  viewer: Viewer | null,
  { category, type, sort: order, ...page }: CreatorContentsInput,
) {
  const list = { order, category: category !== undefined, type: type !== undefined }
  const found = HANDLE.test(handle)
    ? await readPage(
        db,
        viewer?.id ?? null,
        page,
        (choices) => creatorPage({ ...choices, ...list }),
        // The defaults are placeholders: a statement that does not filter by a parameter ignores it.
        { handle: keyOf(handle), category: category ?? 'hype', type: type ?? 'video' },
      )
    : undefined
  if (!found) throw new ApiError('CREATOR_NOT_FOUND')
  return found
}

/**
 * Returns a page of a creator's followers or followed users, the newest follow first. Errors: 404
 * CREATOR_NOT_FOUND.
 */
export async function listCreatorUsers(
  db: Handle,
  { handle, side }: { handle: string; side: Side },
  viewer: Viewer | null,
  page: PageInput,
) {
  const found = HANDLE.test(handle)
    ? await listUsers(
        db,
        side,
        { handle: keyOf(handle), viewerId: viewer?.id ?? null },
        offsetOf(page),
      )
    : undefined
  if (!found) throw new ApiError('CREATOR_NOT_FOUND')
  return { users: found.users.map(toUser), pagination: paginationOf(page, found.total) }
}
