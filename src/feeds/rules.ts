import type { Reaction } from '../contents/load.ts'
import { type PageChoices, readPage } from '../contents/page.ts'
import { tagKey } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import { hasRow } from '../db/rows.ts'
import type { Category } from '../db/tables.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput } from '../http/page.ts'
import type { Language } from '../messages/language.ts'
import { searchOwnContents } from '../search/own.ts'
import { followingPage, followingTaggedPage } from './following.ts'
import { FEED_MAX, followedTagsPage } from './followed-tags.ts'
import { authoredPage, reactedPage } from './mine.ts'
import { bound, taggedPage, contentsPage } from './queries.ts'
import type { AuthoredInput, FeedInput } from './schema.ts'

const REACH_MAX = 1_000_000_000

async function requirePage<T>(page: Promise<T | undefined>): Promise<T> {
  const found = await page
  if (!found) throw new Error('the list has no total')
  return found
}

/** Returns a page of a feed. Errors: 401 UNAUTHORIZED for `following` and `tags` without a session. */
export async function listFeeds(
  db: Handle,
  viewer: Viewer | null,
  category: Category | undefined,
  { sort, tag, ...page }: FeedInput,
) {
  const key = tag === undefined ? undefined : tagKey(tag)
  if (sort === 'following') {
    if (!viewer) throw new ApiError('UNAUTHORIZED')
    return listFollowing(db, viewer.id, page, category, key)
  }
  if (sort === 'tags') {
    if (!viewer) throw new ApiError('UNAUTHORIZED')
    return listOfFollowedTags(db, viewer.id, page, category, key)
  }
  const list = {
    order: sort === 'popular' || sort === 'hot' ? ('popular' as const) : ('latest' as const),
    category: category !== undefined,
  }
  const viewerId = viewer?.id ?? null
  return requirePage(
    key === undefined
      ? readPage(
          db,
          viewerId,
          page,
          (choices) => contentsPage({ ...choices, ...list }),
          bound(category),
        )
      : readPage(db, viewerId, page, (choices) => taggedPage({ ...choices, ...list }), {
          tag: key,
          ...bound(category),
        }),
  )
}

function listFollowing(
  db: Handle,
  viewerId: string,
  page: PageInput,
  category: Category | undefined,
  tag: string | undefined,
) {
  if (tag !== undefined) {
    const params = { tag, ...bound(category) }
    return requirePage(
      readPage(
        db,
        viewerId,
        page,
        (choices) => followingTaggedPage({ ...choices, category }),
        params,
      ),
    )
  }
  const { limit, offset } = offsetOf(page)
  // No feed lists more than REACH_MAX items, so later pages are empty.
  const reach = Math.min(limit + offset, REACH_MAX)
  const params = { reach, beforeReach: reach - 1, ...bound(category) }
  return requirePage(
    readPage(db, viewerId, page, (choices) => followingPage({ ...choices, category }), params),
  )
}

async function listOfFollowedTags(
  db: Handle,
  viewerId: string,
  page: PageInput,
  category: Category | undefined,
  tag: string | undefined,
) {
  const { limit, offset } = offsetOf(page)
  const list = { category: category !== undefined, tag: tag !== undefined }
  const last = Math.min(limit + offset, FEED_MAX) - 1
  if (tag !== undefined && (await hasRow(db, 'tag_follows', { user_id: viewerId, tag }))) {
    const latest = { order: 'latest', category: category !== undefined } as const
    const params = { tag, ...bound(category) }
    const statementOf = (choices: PageChoices) => taggedPage({ ...choices, ...latest })
    return requirePage(readPage(db, viewerId, page, statementOf, params))
  }
  return requirePage(
    readPage(db, viewerId, page, (choices) => followedTagsPage({ ...choices, ...list }), {
      tag: tag ?? '',
      last,
      ...bound(category),
    }),
  )
}

/**
 * Returns a page of the viewer's content items, newest first, including those that are not public. Without `status`,
 * omits archived items, unless `q` searches the items.
 */
export function listMyContents(
  db: Handle,
  viewer: Viewer,
  { status, q, ...page }: AuthoredInput,
  language: Language,
) {
  if (q !== undefined)
    return searchOwnContents(db, viewer.id, { q, ...(status && { status }), ...page }, language)
  const statementOf = (choices: PageChoices) =>
    authoredPage({ ...choices, byStatus: status !== undefined })
  const params = { status: status ?? 'archived' }
  return requirePage(readPage(db, viewer.id, page, statementOf, params, language))
}

/**
 * Returns a page of content that the viewer has liked or bookmarked and can open, the latest reaction first.
 */
export function listMyReactions(db: Handle, viewer: Viewer, reaction: Reaction, page: PageInput) {
  return requirePage(
    readPage(db, viewer.id, page, (choices) => reactedPage({ ...choices, reaction }), {}),
  )
}
