import { loadContents } from '../contents/load.ts'
import { tagKey } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import type { Range } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import type { Mark } from '../social/queries.ts'
import {
  countFollowing,
  countFollowingTagged,
  listFollowing,
  listFollowingTagged,
} from './following.ts'
import { countAuthored, countMarked, listAuthored, listMarked } from './mine.ts'
import { countTagged, countWorks, listTagged, listWorks, type Order } from './queries.ts'
import type { AuthoredInput, FeedInput } from './schema.ts'

/**
 * How many times cheaper a walk by rank must look than a sort of all works with the tag: what
 * carries the tag may be old and stand far down.
 */
const WALK_ADVANTAGE = 16

/** A list of works: how many there are, and the ids of some of them. */
interface WorkList {
  total: number
  list(range: Range): Promise<string[]>
}

/** A page of a list, with the viewer's flags. Past the end nothing is looked for. */
export async function pageOfWorks(
  db: Handle,
  viewerId: string | null,
  page: PageInput,
  { total, list }: WorkList,
) {
  const range = offsetOf(page)
  const ids = range.offset < total ? await list(range) : []
  return {
    feeds: await loadContents(db, ids, viewerId),
    pagination: paginationOf(page, total),
  }
}

/** A feed of one category, or of all. Errors: 401 UNAUTHORIZED for `following` without a session. */
export async function listFeed(
  db: Handle,
  viewer: Viewer | null,
  category: Category | undefined,
  { sort, tag, ...page }: FeedInput,
) {
  const key = tag === undefined ? undefined : tagKey(tag)
  if (sort === 'following') {
    if (!viewer) throw new ApiError('UNAUTHORIZED')
    const list = await followingList(db, viewer.id, category, key)
    return pageOfWorks(db, viewer.id, page, list)
  }
  const order = sort === 'popular' || sort === 'hot' ? 'popular' : 'latest'
  const list = await publicList(db, order, category, key)
  return pageOfWorks(db, viewer?.id ?? null, page, list)
}

async function publicList(
  db: Handle,
  order: Order,
  category: Category | undefined,
  tag: string | undefined,
): Promise<WorkList> {
  if (tag === undefined) {
    return {
      total: await countWorks(db, category),
      list: (range) => listWorks(db, order, category, range),
    }
  }
  const total = await countTagged(db, tag, category)
  if (order === 'latest') {
    const chosen = { tag, category, from: 'tags' } as const
    return { total, list: (range) => listTagged(db, order, chosen, range) }
  }
  const all = await countWorks(db, category)
  return {
    total,
    list: (range) => {
      const steps = ((range.offset + range.limit) * all) / total
      const from = steps * WALK_ADVANTAGE < total ? 'works' : 'tags'
      return listTagged(db, order, { tag, category, from }, range)
    },
  }
}

async function followingList(
  db: Handle,
  viewerId: string,
  category: Category | undefined,
  tag: string | undefined,
): Promise<WorkList> {
  if (tag === undefined) {
    return {
      total: await countFollowing(db, viewerId, category),
      list: (range) => listFollowing(db, viewerId, category, range),
    }
  }
  const ofTag = await countTagged(db, tag, undefined)
  const ofFollowed = await countFollowing(db, viewerId, undefined)
  const from = ofTag <= ofFollowed ? 'tags' : 'follows'
  const chosen = { viewerId, tag, category, from } as const
  return {
    total: await countFollowingTagged(db, chosen),
    list: (range) => listFollowingTagged(db, chosen, range),
  }
}

/** The viewer's own works, also those that nobody else sees. */
export async function listOwnContents(
  db: Handle,
  viewer: Viewer,
  { status, ...page }: AuthoredInput,
) {
  return pageOfWorks(db, viewer.id, page, {
    total: await countAuthored(db, viewer.id, status),
    list: (range) => listAuthored(db, viewer.id, status, range),
  })
}

/** Public works that the viewer liked or bookmarked. */
export async function listOwnMarks(db: Handle, viewer: Viewer, mark: Mark, page: PageInput) {
  return pageOfWorks(db, viewer.id, page, {
    total: await countMarked(db, mark, viewer.id),
    list: (range) => listMarked(db, mark, viewer.id, range),
  })
}
