import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Comment } from '#sdk'
import { changeContent } from '../contents/actions.ts'
import type { Linked } from './linked.ts'
import { type CommentPage, commentsKey, listsKey, repliesQuery, topQuery } from './queries.ts'

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
