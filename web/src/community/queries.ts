import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import { type DataOf, newIdempotencyKey, type Post, type UserRef } from '#sdk'
import { likedOf } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { byCursor } from '../lists/paging.ts'
import { isMissing, plaza } from '../session/plaza.ts'
import { useToggle } from '../session/toggle.ts'
import { useViewer } from '../session/viewer.ts'
import { toast } from '../ui/toast.ts'
import { addPost, changePosts, FEED_KEY, patchPost, threadKey } from './cache.ts'
import { texts } from './texts.ts'

/** Maximum length of a post, in characters. */
export const POST_MAX = 1000
/** Maximum number of new posts that a poll returns. */
export const NEWER_MAX = 100
/** Milliseconds between polls for new posts. */
const NEWER_POLL_MS = 20_000

export type FeedPages = InfiniteData<DataOf<'listPosts'>, string | undefined>
type ThreadPage = DataOf<'getThread'>
export type ThreadPages = InfiniteData<ThreadPage, string | undefined>

/**
 * Query of the timeline. It never refetches automatically, so that posts do not move while the user reads.
 * `newerQuery` finds new posts.
 */
export const feedQuery = {
  ...byCursor(FEED_KEY, (before, signal) =>
    plaza.posts.list({ ...(before && { before }) }, { signal }),
  ),
  staleTime: Number.POSITIVE_INFINITY,
}

export function newerQuery(after: string | null) {
  return queryOptions({
    queryKey: ['posts', 'newer', after],
    queryFn: ({ signal }) =>
      plaza.posts.list({ limit: NEWER_MAX, ...(after !== null && { after }) }, { signal }),
    refetchInterval: NEWER_POLL_MS,
    gcTime: 0,
  })
}

export function threadQuery(id: string) {
  return {
    ...byCursor(threadKey(id), (before, signal) =>
      plaza.posts.getThread(id, { ...(before && { before }) }, { signal }),
    ),
    throwOnError: (error: Error) => isMissing(error),
  }
}

/**
 * Returns placeholder data for a thread: only the post, from the cached timeline. Undefined if the timeline does
 * not contain the post.
 */
export function beginningOf(feed: FeedPages | undefined, id: string): ThreadPages | undefined {
  const post = feed?.pages.flatMap(({ posts }) => posts).find((cached: Post) => cached.id === id)
  return (
    post && {
      pages: [{ ancestors: [], has_more_ancestors: false, post, replies: [], next_cursor: null }],
      pageParams: [undefined],
    }
  )
}

export function useLikePost(post: Post): () => void {
  const { id } = post
  const queries = useQueryClient()
  return useToggle<Pick<Post, 'is_liked' | 'like_count'>>({
    key: ['post', id],
    isOn: post.is_liked,
    stateOf: likedOf(post),
    set: (desired) => (desired ? plaza.posts.like(id) : plaza.posts.unlike(id)),
    show: (state) => patchPost(queries, id, state),
  })
}

const SENDING = 'sending'

export function isSending({ id }: Post): boolean {
  return id.startsWith(SENDING)
}

let begun = 0

function draftOf(author: UserRef, body: string, parent: Post | undefined): Post {
  begun += 1
  return {
    // Temporary id, which sorts after the ids of all existing posts.
    id: `${SENDING}-${begun}`,
    author,
    body: body.trim(),
    parent_id: parent?.id ?? null,
    root_id: parent ? (parent.root_id ?? parent.id) : null,
    reply_count: 0,
    like_count: 0,
    is_liked: false,
    is_deleted: false,
    is_filtered: false,
    hidden_by: null,
    created_at: new Date().toISOString(),
  }
}

interface Sending {
  parent?: Post | undefined
  onFailed: (body: string) => void
}

/**
 * Returns `send`, which sends a post, and the state of the request. The post appears in lists immediately. Sending the
 * same text again right after an error does not create a second post.
 */
export function useSendPost({ parent, onFailed }: Sending) {
  const queries = useQueryClient()
  const viewer = useViewer()
  const t = useTexts(texts)
  const keys = useIdempotencyKey()
  const mutation = useMutation({
    mutationFn: async ({ body, key }: { body: string; key: string }) => {
      const once = { idempotencyKey: key }
      const sent = parent
        ? await plaza.posts.createReply(parent.id, { body }, once)
        : await plaza.posts.create({ body }, once)
      return sent.post
    },
    onMutate: ({ body }) => {
      if (!viewer) return undefined
      const draft = draftOf(viewer, body, parent)
      addPost(queries, draft)
      return draft.id
    },
    onSuccess: (post, _, draftId) => {
      takeBack(queries, draftId)
      addPost(queries, post)
      if (parent) countReply(queries, parent.id)
      keys.forget()
    },
    onError: (_, { body }, draftId) => {
      takeBack(queries, draftId)
      onFailed(body)
      toast(t.notSent, { isBad: true })
    },
  })
  return {
    isPending: mutation.isPending,
    error: mutation.error,
    send: (body: string) => mutation.mutate({ body, key: keys.target(body) }),
  }
}

function takeBack(queries: QueryClient, draftId: string | undefined): void {
  if (draftId) changePosts(queries, (post) => (post.id === draftId ? null : post))
}

function countReply(queries: QueryClient, parentId: string): void {
  changePosts(queries, (post) =>
    post.id === parentId ? { ...post, reply_count: post.reply_count + 1 } : post,
  )
}

/**
 * Returns two functions. `target` returns the idempotency key of a text. A retry of the same text has the same key, so
 * the server does not process it twice. `forget` discards the key.
 */
function useIdempotencyKey() {
  const last = useRef({ text: '', key: '' })
  return {
    target: (text: string): string => {
      if (last.current.text !== text) last.current = { text, key: newIdempotencyKey() }
      return last.current.key
    },
    forget: () => {
      last.current = { text: '', key: '' }
    },
  }
}
