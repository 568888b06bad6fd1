/** Lists of posts. Cursors are post ids, and remain valid after the post is deleted. */
import { requireCreator } from '../creators/rules.ts'
import type { Handle } from '../db/handle.ts'
import { ApiError, type Problem } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { cutPage, unknownCursor } from '../http/page.ts'
import { collapses } from '../users/schema.ts'
import { findPlace, listLineage, listPostsOf, listReplies, listTimeline } from './queries.ts'
import {
  type CursorQuery,
  type FeedQuery,
  type PostRecordRow,
  type ThreadQuery,
  toPost,
} from './schema.ts'

const START = ''
const END = '~'
/** Maximum bytes of all records in a thread response. The rest of 256 KiB is for the envelope. */
const THREAD_BYTES = 252 * 1024
/** Maximum bytes of the ancestors in a thread response, so that the post and its replies have space. */
const ANCESTORS_BYTES = 228 * 1024

/**
 * Returns a page of the timeline, newest first. `before` selects the next older posts, `after` the next newer
 * ones, and both together the posts between them. Errors: 422 for a cursor that was never a top-level post.
 */
export async function listPosts(db: Handle, viewer: Viewer | null, query: FeedQuery) {
  const { limit, before, after } = query
  const viewerId = viewer?.id ?? ''
  const upward = after !== undefined && before === undefined
  const span = { viewerId, after, before, limit: limit + 1 }
  const [found] = await Promise.all([
    listTimeline(db, { order: upward ? 'asc' : 'desc', collapses: collapses(viewer, query) }, span),
    requireTopLevel(db, { before, after }),
  ])
  const page = cutPage(found, limit)
  const rows = upward ? page.rows.toReversed() : page.rows
  return {
    posts: rows.map(toPost),
    next_cursor: upward ? await cursorBelow(db, rows.at(-1)) : page.next_cursor,
    prev_cursor: rows[0]?.id ?? null,
  }
}

async function cursorBelow(db: Handle, last: PostRecordRow | undefined): Promise<string | null> {
  if (!last) return null
  const older = { viewerId: '', before: last.id, limit: 1 }
  const found = await listTimeline(db, { order: 'desc', collapses: false }, older)
  return found.length > 0 ? last.id : null
}

async function requireTopLevel(db: Handle, cursors: { [field: string]: string | undefined }) {
  const judged = Object.entries(cursors).map(async ([field, id]): Promise<Problem[]> => {
    const isFit = id === undefined || (await findPlace(db, id))?.parent_id === null
    return isFit ? [] : [{ field, key: 'invalid.cursor' }]
  })
  const problems = (await Promise.all(judged)).flat()
  if (problems.length > 0) throw new ApiError('VALIDATION_ERROR', { problems })
}

/**
 * Returns a post with its nearest ancestors and a page of its replies, oldest first, as far as they fit into the
 * response. `before` is the `next_cursor` of the previous page. A deleted post is returned while it has listed replies.
 * Errors: 404 POST_NOT_FOUND; 422 for a cursor that was never a reply to this post.
 */
export async function getThread(
  db: Handle,
  viewer: Viewer | null,
  id: string,
  { limit, before, filtered }: ThreadQuery,
) {
  const viewerId = viewer?.id ?? ''
  const collapsed = collapses(viewer, { filtered })
  const span = { parentId: id, viewerId, after: before ?? START, limit: limit + 1 }
  const [lineage, found, place] = await Promise.all([
    listLineage(db, collapsed, id, viewerId),
    listReplies(db, collapsed, span),
    before === undefined ? undefined : findPlace(db, before),
  ])
  const row = lineage.pop()
  if (!row) throw new ApiError('POST_NOT_FOUND')
  if (before !== undefined && place?.parent_id !== id) throw unknownCursor()
  const { rows, next_cursor } = cutPage(found, limit)
  const post = toPost(row)
  const nearest = fitting(lineage.map(toPost).toReversed(), ANCESTORS_BYTES)
  const replies = fitting(
    rows.map(toPost),
    THREAD_BYTES - sizeOf(post) - nearest.reduce((sum, above) => sum + sizeOf(above), 0),
  )
  const top = nearest.at(-1) ?? post
  return {
    ancestors: nearest.toReversed(),
    has_more_ancestors: top.parent_id !== null,
    post,
    replies,
    next_cursor: replies.length < rows.length ? (replies.at(-1)?.id ?? null) : next_cursor,
  }
}

/**
 * Returns the first posts that fit into this number of bytes. Keeps at least one post, so that paging always
 * advances.
 */
function fitting<T extends object>(posts: T[], bytes: number): T[] {
  let left = bytes
  const over = posts.findIndex((post) => (left -= sizeOf(post)) < 0)
  return over === -1 ? posts : posts.slice(0, Math.max(over, 1))
}

function sizeOf(record: object): number {
  return Buffer.byteLength(JSON.stringify(record)) + 1
}

/**
 * Returns a page of the posts and replies of the user with this handle. Errors: those of `listPostsBy`; 404
 * CREATOR_NOT_FOUND.
 */
export async function listCreatorPosts(
  db: Handle,
  viewer: Viewer | null,
  handle: string,
  query: CursorQuery,
) {
  const { id } = await requireCreator(db, handle, viewer)
  return listPostsBy(db, id, viewer, query)
}

/**
 * Returns a page of an author's posts and replies, newest first. Errors: 422 for a cursor that was never one of the
 * author's posts.
 */
export async function listPostsBy(
  db: Handle,
  authorId: string,
  viewer: Viewer | null,
  { limit, before }: CursorQuery,
) {
  const viewerId = viewer?.id ?? ''
  const span = { authorId, viewerId, before: before ?? END, limit: limit + 1 }
  const [found, place] = await Promise.all([
    listPostsOf(db, span),
    before === undefined ? undefined : findPlace(db, before),
  ])
  if (before !== undefined && place?.author_id !== authorId) throw unknownCursor()
  const { rows, next_cursor } = cutPage(found, limit)
  return { posts: rows.map(toPost), next_cursor }
}
