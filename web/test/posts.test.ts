import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import type { Post } from '#sdk'
import { addNewer, addPost, patchPost, removePost } from '../src/community/cache.ts'

const mina = {
  id: 'usr_1',
  handle: 'mina',
  display_name: 'Mina',
  avatar_url: null,
  avatar_sizes: [],
}

function post(id: string, more: Partial<Post> = {}): Post {
  return {
    id,
    author: mina,
    body: id,
    parent_id: null,
    root_id: null,
    reply_count: 0,
    like_count: 0,
    is_liked: false,
    is_deleted: false,
    is_filtered: false,
    hidden_by: null,
    created_at: '2026-05-04T12:00:00.000Z',
    ...more,
  }
}

const FEED = ['posts', 'feed']
const THREAD = ['posts', 'thread', 'pst_1']
const ABOVE = ['posts', 'thread', 'pst_2']

/** Returns a cache with a post, its reply, and a reply to that reply. */
function filled(): QueryClient {
  const queries = new QueryClient()
  const top = post('pst_1', { reply_count: 1 })
  const reply = post('pst_2', { parent_id: 'pst_1', root_id: 'pst_1', reply_count: 1 })
  const pages = (page: object) => ({ pages: [page], pageParams: [undefined] })
  const feed = { posts: [post('pst_9'), top], next_cursor: null, prev_cursor: 'pst_9' }
  queries.setQueryData(FEED, pages(feed))
  queries.setQueryData(
    THREAD,
    pages({
      ancestors: [],
      has_more_ancestors: false,
      post: top,
      replies: [reply],
      next_cursor: null,
    }),
  )
  queries.setQueryData(
    ABOVE,
    pages({
      ancestors: [top],
      has_more_ancestors: false,
      post: reply,
      replies: [],
      next_cursor: null,
    }),
  )
  return queries
}

interface Kept {
  pages: { posts: Post[]; ancestors: Post[]; post: Post; replies: Post[]; prev_cursor: string }[]
}

function kept(queries: QueryClient, key: string[]) {
  const [page] = queries.getQueryData<Kept>(key)?.pages ?? []
  assert.ok(page)
  return page
}

const ids = (posts: Post[]) => posts.map(({ id }) => id)

test('a like updates every cached copy of the post and no other post', () => {
  const queries = filled()
  patchPost(queries, 'pst_1', { is_liked: true, like_count: 5 })
  assert.equal(kept(queries, FEED).posts[1]?.like_count, 5)
  assert.equal(kept(queries, THREAD).post.like_count, 5)
  assert.equal(kept(queries, ABOVE).ancestors[0]?.like_count, 5)
  assert.equal(kept(queries, FEED).posts[0]?.like_count, 0)
  assert.equal(kept(queries, ABOVE).post.like_count, 0)
})

test('a deleted post leaves the timeline and keeps a placeholder above its replies', () => {
  const queries = filled()
  removePost(queries, post('pst_1', { reply_count: 1 }))
  assert.deepEqual(ids(kept(queries, FEED).posts), ['pst_9'])
  const [above] = kept(queries, ABOVE).ancestors
  assert.deepEqual([above?.is_deleted, above?.author, above?.body], [true, null, ''])
})

test('a deleted reply keeps a placeholder while it has replies, and its parent counts one less', () => {
  const queries = filled()
  removePost(queries, post('pst_2', { parent_id: 'pst_1', reply_count: 1 }))
  const { replies, post: parent } = kept(queries, THREAD)
  assert.deepEqual([replies[0]?.is_deleted, parent.reply_count], [true, 0])
  const without = filled()
  removePost(without, post('pst_2', { parent_id: 'pst_1' }))
  assert.deepEqual(kept(without, THREAD).replies, [])
})

test('the viewer’s new post comes first and does not hide older unloaded posts', () => {
  const queries = filled()
  addPost(queries, post('pst_a'))
  assert.deepEqual(ids(kept(queries, FEED).posts), ['pst_a', 'pst_9', 'pst_1'])
  assert.equal(kept(queries, FEED).prev_cursor, 'pst_9')
})

test('the viewer’s new reply is last in its thread and not on the timeline', () => {
  const queries = filled()
  addPost(queries, post('pst_b', { parent_id: 'pst_1' }))
  assert.deepEqual(ids(kept(queries, THREAD).replies), ['pst_2', 'pst_b'])
  assert.deepEqual(ids(kept(queries, FEED).posts), ['pst_9', 'pst_1'])
})

test('newer posts are added at the top, and the next poll asks for posts after them', () => {
  const queries = filled()
  const posts = [post('pst_c'), post('pst_b')]
  addNewer(queries, { posts, next_cursor: null, prev_cursor: 'pst_c' })
  assert.deepEqual(ids(kept(queries, FEED).posts), ['pst_c', 'pst_b'])
  assert.equal(kept(queries, FEED).prev_cursor, 'pst_c')
  assert.equal(queries.getQueryData<Kept>(FEED)?.pages.length, 2)
})
