import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import type { Comment, DataOf } from '#sdk'
import { changeContent } from '../contents/queries.ts'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { findComment, findLinked, type Linked } from './linked.ts'

type CommentPage = DataOf<'listComments'>
export type Order = 'top' | 'newest' | 'oldest'
const PER_PAGE = 20
const MOST_PER_PAGE = 100

export function commentsKey(contentId: string) {
  return ['comments', contentId] as const
}

function listsKey(contentId: string) {
  return ['comments', contentId, 'lists'] as const
}

export function topQuery(id: string, sort: Order) {
  return byPages([...listsKey(id), 'top', sort], (page, signal) =>
    plaza.comments.list(id, { page, per_page: PER_PAGE, sort, parent_id: 'none' }, { signal }),
  )
}

/** Query of the direct replies to a comment, oldest first. */
export function repliesQuery(id: string, parentId: string) {
  return byPages([...listsKey(id), 'replies', parentId], (page, signal) =>
    plaza.comments.list(id, { page, per_page: PER_PAGE, parent_id: parentId }, { signal }),
  )
}

/** Query of the comments that the content's author has hidden. Only the content's author may read them. */
export function hiddenQuery(id: string) {
  return byPages([...commentsKey(id), 'hidden'], (page, signal) =>
    plaza.comments.listHidden(id, { page, per_page: PER_PAGE }, { signal }),
  )
}

export function linkedQuery(contentId: string, id: string) {
  return queryOptions({
    queryKey: [...commentsKey(contentId), 'linked', id],
    queryFn: ({ signal }) =>
      findLinked(id, (page) =>
        plaza.comments.list(contentId, { page, per_page: MOST_PER_PAGE }, { signal }),
      ),
  })
}

/**
 * Loads the full text of a comment by a blocked or muted user. Returns the comment marked as deleted if the server does
 * not find it.
 */
export async function loadFiltered({ id, content_id, ...comment }: Comment): Promise<Comment> {
  const found = await findComment(id, (page) =>
    plaza.comments.list(content_id, { page, per_page: MOST_PER_PAGE, filtered: 'show' }),
  )
  return found ?? { ...comment, id, content_id, is_filtered: false, is_deleted: true }
}

type Pages = InfiniteData<CommentPage, number>

function changeEach(
  queries: QueryClient,
  contentId: string,
  change: (comment: Comment) => Comment,
): void {
  queries.setQueriesData<Pages>(
    { queryKey: listsKey(contentId) },
    (cached) =>
      cached && {
        ...cached,
        pages: cached.pages.map((page) => ({
          ...page,
          comments: page.comments.map(change),
          pinned_comment: page.pinned_comment && change(page.pinned_comment),
        })),
      },
  )
  queries.setQueriesData<Linked | null>(
    { queryKey: [...commentsKey(contentId), 'linked'] },
    (cached) => cached && { ...cached, root: change(cached.root) },
  )
}

export function changeCount(queries: QueryClient, contentId: string, by: -1 | 0 | 1): void {
  changeContent(queries, contentId, (content) => ({
    ...content,
    comment_count: content.comment_count + by,
  }))
}

function putIn(
  pages: Pages | undefined,
  comment: Comment,
  end: 'start' | 'end',
): Pages | undefined {
  const page = end === 'start' ? pages?.pages[0] : pages?.pages.at(-1)
  if (!pages || !page || page.comments.some(({ id }) => id === comment.id)) return pages
  const comments = end === 'start' ? [comment, ...page.comments] : [...page.comments, comment]
  return {
    ...pages,
    pages: pages.pages.map((entry) => (entry === page ? { ...page, comments } : entry)),
  }
}

function put(
  queries: QueryClient,
  queryKey: QueryKey,
  comment: Comment,
  end: 'start' | 'end',
): void {
  const isAskedFor = queries.isFetching({ queryKey, exact: true }) > 0
  queries.setQueryData<Pages>(queryKey, (cached) => putIn(cached, comment, end))
  if (!isAskedFor) return
  // Repeats a request in flight, because its response may lack the new comment.
  void queries
    .cancelQueries({ queryKey, exact: true })
    .then(() => queries.invalidateQueries({ queryKey, exact: true }))
}

export function addComment(queries: QueryClient, comment: Comment): void {
  const { content_id, parent_id } = comment
  changeCount(queries, content_id, 1)
  if (parent_id === null) {
    put(queries, topQuery(content_id, 'newest').queryKey, comment, 'start')
    put(queries, topQuery(content_id, 'oldest').queryKey, comment, 'end')
    return
  }
  put(queries, repliesQuery(content_id, parent_id).queryKey, comment, 'end')
  changeEach(queries, content_id, (cached) =>
    cached.id === parent_id ? { ...cached, reply_count: cached.reply_count + 1 } : cached,
  )
}

export function changeComment(
  queries: QueryClient,
  { id, content_id }: Comment,
  changed: Partial<Comment>,
): void {
  changeEach(queries, content_id, (cached) =>
    cached.id === id ? { ...cached, ...changed } : cached,
  )
}

/**
 * Decreases the comment count after a deletion. Refetches the comments, because other comments may disappear with the
 * deleted one.
 */
export async function forgetComment(queries: QueryClient, comment: Comment): Promise<void> {
  changeCount(queries, comment.content_id, -1)
  await queries.invalidateQueries({ queryKey: commentsKey(comment.content_id) })
  // Marks the cached comment as deleted, because the refetch may have failed.
  changeComment(queries, comment, { body: '', author: null, is_deleted: true })
}
