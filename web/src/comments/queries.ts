import { queryOptions } from '@tanstack/react-query'
import type { Comment, DataOf } from '#sdk'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { findComment, findLinked } from './linked.ts'

export type CommentPage = DataOf<'listComments'>
export type Order = 'top' | 'newest' | 'oldest'
const PER_PAGE = 20
const MOST_PER_PAGE = 100

export function commentsKey(contentId: string) {
  return ['comments', contentId] as const
}

export function listsKey(contentId: string) {
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
