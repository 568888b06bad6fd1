import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { pageOfWorks } from '../feeds/rules.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { HANDLE, keyOf } from '../users/schema.ts'
import { countPeople, findCreator, listPeople, listWorksOf, type Side } from './queries.ts'
import { toUserRef } from './schema.ts'

/** The creator with this handle, in whatever case. Errors: 404 CREATOR_NOT_FOUND (unknown or suspended). */
export async function requireCreator(db: Handle, handle: string, viewer: Viewer | null) {
  const creator = HANDLE.test(handle)
    ? await findCreator(db, keyOf(handle), viewer?.id ?? null)
    : undefined
  if (!creator) throw new ApiError('CREATOR_NOT_FOUND')
  return creator
}

/** A creator's public works, newest first. Errors: 404 CREATOR_NOT_FOUND. */
export async function listCreatorContents(
  db: Handle,
  handle: string,
  viewer: Viewer | null,
  page: PageInput,
) {
  const creator = await requireCreator(db, handle, viewer)
  return pageOfWorks(db, viewer?.id ?? null, page, {
    total: creator.content_count,
    list: (range) => listWorksOf(db, creator.id, range),
  })
}

/** A creator's followers, or whom the creator follows. Errors: 404 CREATOR_NOT_FOUND. */
export async function listCreatorPeople(db: Handle, handle: string, side: Side, page: PageInput) {
  const { id } = await requireCreator(db, handle, null)
  const total = await countPeople(db, side, id)
  const range = offsetOf(page)
  const users = range.offset < total ? await listPeople(db, side, id, range) : []
  return { users: users.map(toUserRef), pagination: paginationOf(page, total) }
}
