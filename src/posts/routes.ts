import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { LikeResult } from '../likes/schema.ts'
import { exampleUser, otherUser } from '../users/example.ts'
import { getThread, listCreatorPosts, listPosts, listPostsBy } from './lists.ts'
import { createPost, deletePost, createReply, requirePost, setPostLike } from './rules.ts'
import {
  CursorQuery,
  Feed,
  FeedQuery,
  PostAnswer,
  PostInput,
  PostList,
  ReplyInput,
  Thread,
  ThreadQuery,
  toPost,
} from './schema.ts'

const tag = 'Posts'
const postId = { id: { id: 'pst', missing: 'POST_NOT_FOUND' } } as const

const post = {
  id: 'pst_01kazr4jd6f2gt8y3hnq5vx0ce',
  author: exampleUser,
  body: '오늘 새 작품을 올렸어요.',
  parent_id: null,
  root_id: null,
  reply_count: 1,
  like_count: 4,
  is_liked: false,
  is_deleted: false,
  is_filtered: false,
  hidden_by: null,
  created_at: '2026-11-21T08:17:09.414Z',
}
const reply = {
  ...post,
  id: 'pst_01kazr6tq9e5dwz1m7b4kcj8sn',
  author: otherUser,
  body: '기다렸어요!',
  parent_id: post.id,
  root_id: post.id,
  reply_count: 0,
  like_count: 0,
  created_at: '2026-11-21T08:18:23.465Z',
}

export function registerPosts(api: Api<CoreDeps>): void {
  api.get('/feed', {
    id: 'listPosts',
    summary: 'Read the community timeline, newest first',
    tag,
    auth: 'optional',
    query: FeedQuery,
    data: Feed,
    indexes: ['posts_timeline'],
    example: { posts: [post], next_cursor: null, prev_cursor: post.id },
    handler: ({ db, viewer, query }) => listPosts(db, viewer, query),
  })

  api.get('/users/me/posts', {
    id: 'listMyPosts',
    summary: 'List your posts and replies, newest first',
    tag: 'Me',
    auth: 'user',
    query: CursorQuery,
    data: PostList,
    indexes: ['posts_by_author'],
    example: { posts: [reply], next_cursor: null },
    handler: ({ db, viewer, query }) => listPostsBy(db, viewer.id, viewer, query),
  })

  api.get('/creators/:handle/posts', {
    id: 'listCreatorPosts',
    summary: 'List the posts and replies of a creator, newest first',
    tag: 'Creators',
    auth: 'optional',
    params: { handle: { text: true } },
    query: CursorQuery,
    data: PostList,
    errors: ['CREATOR_NOT_FOUND'],
    indexes: ['posts_by_author'],
    example: { posts: [post], next_cursor: null },
    handler: ({ db, viewer, params, query }) => listCreatorPosts(db, viewer, params.handle, query),
  })

  api.post('/posts', {
    id: 'createPost',
    summary: 'Write a post',
    tag,
    auth: 'user',
    body: PostInput,
    status: 201,
    data: PostAnswer,
    example: { post: { ...post, reply_count: 0, like_count: 0 } },
    handler: async ({ db, viewer, body, now }) => ({
      post: await createPost(db, viewer, body.body, now),
    }),
  })

  api.get('/posts/:id', {
    id: 'getPost',
    summary: 'Read a post',
    tag,
    auth: 'optional',
    params: postId,
    data: PostAnswer,
    errors: ['POST_NOT_FOUND'],
    example: { post },
    handler: async ({ db, viewer, params }) => ({
      post: toPost(await requirePost(db, viewer, params.id)),
    }),
  })

  api.get('/posts/:id/thread', {
    id: 'getThread',
    summary: 'Read a post with its ancestors and its replies, oldest first',
    description:
      'A deleted post that has replies keeps its place without text and author. `before` is the `next_cursor` of the previous page. A page of very long replies may have fewer than `limit`.',
    tag,
    auth: 'optional',
    params: postId,
    query: ThreadQuery,
    data: Thread,
    errors: ['POST_NOT_FOUND'],
    example: {
      ancestors: [],
      has_more_ancestors: false,
      post,
      replies: [reply],
      next_cursor: null,
    },
    indexes: ['posts_replies'],
    handler: ({ db, viewer, params, query }) => getThread(db, viewer, params.id, query),
  })

  api.post('/posts/:id/replies', {
    id: 'createReply',
    summary: 'Reply to a post',
    tag,
    auth: 'user',
    params: postId,
    body: ReplyInput,
    status: 201,
    data: PostAnswer,
    errors: ['POST_NOT_FOUND', 'NOT_ALLOWED_HERE'],
    example: { post: reply },
    handler: async ({ db, viewer, params, body, now }) => ({
      post: await createReply(db, viewer, params.id, body.body, now),
    }),
  })

  api.post('/posts/:id/like', {
    id: 'likePost',
    summary: 'Like a post; does nothing when already liked',
    tag,
    auth: 'user',
    params: postId,
    data: LikeResult,
    errors: ['POST_NOT_FOUND', 'NOT_ALLOWED_HERE'],
    example: { is_liked: true, like_count: 5 },
    handler: ({ db, viewer, params, now }) => setPostLike(db, viewer, params.id, true, now),
  })

  api.delete('/posts/:id/like', {
    id: 'unlikePost',
    summary: 'Remove your like of a post, if any',
    tag,
    auth: 'user',
    params: postId,
    data: LikeResult,
    errors: ['POST_NOT_FOUND'],
    example: { is_liked: false, like_count: 4 },
    handler: ({ db, viewer, params, now }) => setPostLike(db, viewer, params.id, false, now),
  })

  api.delete('/posts/:id', {
    id: 'deletePost',
    summary: 'Delete your post. Its replies stay',
    tag,
    auth: 'user',
    params: { id: { ...postId.id, only: 'owner' } },
    errors: ['POST_NOT_FOUND'],
    handler: ({ db, viewer, params }) => deletePost(db, viewer, params.id),
  })
}
