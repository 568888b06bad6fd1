import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { newIdempotencyKey, type Post, type UserRef } from '#sdk'
import { likedOf } from '../contents/actions.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { useToggle } from '../session/toggle.ts'
import { useViewer } from '../session/viewer.ts'
import { toast } from '../ui/toast.ts'
import { addPost, changePosts, patchPost } from './cache.ts'
import { texts } from './texts.ts'
import { useRef } from 'react'

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
