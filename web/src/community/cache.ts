import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Post } from '#sdk'
import type { FeedPages, ThreadPages } from './queries.ts'

/**
 * Updates of cached posts. All query keys begin with `posts`, so that one update changes every cached copy of a post.
 */

export const FEED_KEY = ['posts', 'feed'] as const

export function threadKey(id: string) {
  return ['posts', 'thread', id] as const
}

interface Page {
  posts?: Post[]
  ancestors?: Post[]
  post?: Post
  replies?: Post[]
}

/** Returns the changed post. Returns the same object if nothing changed, or null to remove the post. */
type Change = (post: Post) => Post | null

export function changePosts(queries: QueryClient, change: Change): void {
  queries.setQueriesData<InfiniteData<Page> | Page>({ queryKey: ['posts'] }, (cached) => {
    if (!cached) return cached
    if (!('pages' in cached)) return changePage(cached, change)
    return { ...cached, pages: cached.pages.map((page) => changePage(page, change)) }
  })
}

function changePage(page: Page, change: Change): Page {
  const list = (posts: Post[]) => posts.map(change).filter((post) => post !== null)
  return {
    ...page,
    // Removes deleted posts from lists, because only threads show placeholders for them.
    ...(page.posts && { posts: list(page.posts).filter((post) => !post.is_deleted) }),
    ...(page.replies && { replies: list(page.replies) }),
    // The thread's main post and its ancestors become placeholders when they are deleted, instead of disappearing.
    ...(page.ancestors && {
      ancestors: page.ancestors.map((post) => change(post) ?? emptied(post)),
    }),
    ...(page.post && { post: change(page.post) ?? emptied(page.post) }),
  }
}

function emptied(post: Post): Post {
  return { ...post, author: null, body: '', is_deleted: true }
}

export function patchPost(queries: QueryClient, id: string, patch: Partial<Post>): void {
  changePosts(queries, (post) => (post.id === id ? { ...post, ...patch } : post))
}

/**
 * Removes a post and decreases its parent's reply count. A deleted reply that has replies becomes a placeholder in
 * threads, as on the server.
 */
export function removePost(queries: QueryClient, { id, parent_id, reply_count }: Post): void {
  changePosts(queries, (post) => {
    if (post.id === parent_id) return { ...post, reply_count: Math.max(0, post.reply_count - 1) }
    if (post.id !== id) return post
    return reply_count > 0 && parent_id !== null ? emptied(post) : null
  })
}

export function addPost(queries: QueryClient, post: Post): void {
  if (post.parent_id === null) {
    queries.setQueryData<FeedPages>(FEED_KEY, (cached) => {
      const [first, ...rest] = cached?.pages ?? []
      if (!cached || !first) return cached
      return { ...cached, pages: [{ ...first, posts: [post, ...first.posts] }, ...rest] }
    })
    return
  }
  queries.setQueryData<ThreadPages>(threadKey(post.parent_id), (cached) => {
    const last = cached?.pages.at(-1)
    if (!cached || !last) return cached
    const replies = [...last.replies, post]
    return { ...cached, pages: [...cached.pages.slice(0, -1), { ...last, replies }] }
  })
}

export function addNewer(queries: QueryClient, newer: FeedPages['pages'][number]): void {
  queries.setQueryData<FeedPages>(
    FEED_KEY,
    (cached) =>
      cached && {
        pages: [{ ...newer, next_cursor: newer.posts.at(-1)?.id ?? null }, ...cached.pages],
        pageParams: [undefined, ...cached.pageParams],
      },
  )
}
