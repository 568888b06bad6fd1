import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { exampleUser } from '../users/example.ts'
import { listHiddenComments, pinComment, setCommentHidden } from './creator.ts'
import { setCommentLike } from './likes.ts'
import { createComment, deleteComment, listComments, updateComment } from './rules.ts'
import {
  CommentAnswer,
  CommentEdit,
  CommentInput,
  CommentLike,
  CommentList,
  CommentQuery,
  HiddenComments,
  HiddenQuery,
  PinInput,
  PinResult,
} from './schema.ts'

const tag = 'Comments'
const contentId = { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } } as const
const commentId = { id: { id: 'cmt', missing: 'COMMENT_NOT_FOUND', only: 'owner' } } as const

const comment = {
  id: 'cmt_01kazr0p5vfq1s9m7c2xw4hd3t',
  content_id: 'cnt_01kazqz8n3ee6bq0r5ytj2vk7m',
  parent_id: null,
  root_id: null,
  author: exampleUser,
  body: '색감이 정말 좋아요!',
  is_deleted: false,
  is_filtered: false,
  hidden_by: null,
  reply_count: 0,
  like_count: 2,
  is_liked: false,
  is_pinned: false,
  created_at: '2026-11-21T08:15:02.331Z',
  updated_at: '2026-11-21T08:15:02.331Z',
}

export function registerComments(api: Api<CoreDeps>): void {
  api.get('/contents/:id/comments', {
    id: 'listComments',
    summary: 'List the comments on a content item',
    description:
      'The list is flat and includes replies. A deleted comment that has replies keeps its place without text and author. So does a comment of a user that you blocked or muted.',
    tag,
    auth: 'optional',
    params: contentId,
    query: CommentQuery,
    data: CommentList,
    errors: ['CONTENT_NOT_FOUND'],
    example: { comments: [comment], pinned_comment: null, pagination: examplePagination },
    indexes: [
      'comments_listed',
      'comments_top',
      'comments_replies',
      'comments_liked',
      'comments_liked_top',
      'comments_liked_replies',
    ],
    handler: ({ db, viewer, params, query }) => listComments(db, viewer, params.id, query),
  })

  api.post('/contents/:id/comments', {
    id: 'createComment',
    summary: 'Comment on a content item, or reply to a comment',
    tag,
    auth: 'user',
    params: contentId,
    body: CommentInput,
    status: 201,
    data: CommentAnswer,
    errors: ['CONTENT_NOT_FOUND', 'NOT_ALLOWED_HERE'],
    example: { comment: { ...comment, like_count: 0 } },
    handler: async ({ db, viewer, params, body, now }) => ({
      comment: await createComment(db, viewer, params.id, body, now),
    }),
  })

  api.patch('/comments/:id', {
    id: 'updateComment',
    summary: 'Change the text of your comment',
    tag,
    auth: 'user',
    params: commentId,
    body: CommentEdit,
    data: CommentAnswer,
    errors: ['COMMENT_NOT_FOUND'],
    example: { comment: { ...comment, updated_at: '2026-11-21T08:16:40.902Z' } },
    handler: async ({ db, viewer, params, body, now }) => ({
      comment: await updateComment(db, viewer, params.id, body.body, now),
    }),
  })

  api.delete('/comments/:id', {
    id: 'deleteComment',
    summary: 'Delete your comment. Its replies stay',
    tag,
    auth: 'user',
    params: commentId,
    errors: ['COMMENT_NOT_FOUND'],
    handler: ({ db, viewer, params }) => deleteComment(db, viewer, params.id),
  })

  for (const [method, id, summary] of [
    ['put', 'hideComment', 'Hide a comment on your content'],
    ['delete', 'unhideComment', 'Show a comment again that you hide'],
  ] as const) {
    const isHidden = method === 'put'
    const hidden = { body: '', author: null, is_deleted: true, hidden_by: 'creator' }
    api[method]('/comments/:id/hidden', {
      id,
      summary,
      description:
        'Only for the author of the content. A hidden comment looks deleted and is not counted. Its author is not notified and can only delete it.',
      tag,
      auth: 'user',
      params: commentId,
      data: CommentAnswer,
      errors: ['COMMENT_NOT_FOUND'],
      example: { comment: isHidden ? { ...comment, ...hidden } : comment },
      handler: async ({ db, viewer, params }) => ({
        comment: await setCommentHidden(db, viewer, params.id, isHidden),
      }),
    })
  }

  for (const [method, id, summary] of [
    ['put', 'likeComment', 'Like a comment; does nothing when already liked'],
    ['delete', 'unlikeComment', 'Remove the like of a comment, if any'],
  ] as const) {
    const isLiked = method === 'put'
    api[method]('/comments/:id/like', {
      id,
      summary,
      tag,
      auth: 'user',
      params: { id: { id: 'cmt', missing: 'COMMENT_NOT_FOUND' } },
      data: CommentLike,
      errors: ['COMMENT_NOT_FOUND', 'NOT_ALLOWED_HERE'],
      example: { is_liked: isLiked, like_count: isLiked ? 3 : 2 },
      handler: ({ db, viewer, params, now }) => setCommentLike(db, viewer, params.id, isLiked, now),
    })
  }

  api.get('/contents/:id/comments/hidden', {
    id: 'listHiddenComments',
    summary: 'List the comments that you hide on your content, newest first',
    tag,
    auth: 'user',
    params: contentId,
    query: HiddenQuery,
    data: HiddenComments,
    errors: ['CONTENT_NOT_FOUND', 'NOT_CONTENT_AUTHOR'],
    example: {
      comments: [{ ...comment, hidden_by: 'creator' }],
      pagination: examplePagination,
    },
    indexes: ['comments_hidden'],
    handler: ({ db, viewer, params, query }) => listHiddenComments(db, viewer, params.id, query),
  })

  const pinErrors = ['CONTENT_NOT_FOUND', 'NOT_CONTENT_AUTHOR'] as const
  api.put('/contents/:id/pinned-comment', {
    id: 'pinComment',
    summary: 'Pin a comment on your content, in place of the pinned one',
    tag,
    auth: 'user',
    params: contentId,
    body: PinInput,
    data: PinResult,
    errors: pinErrors,
    example: { pinned_comment_id: comment.id },
    handler: ({ db, viewer, params, body }) => pinComment(db, viewer, params.id, body.comment_id),
  })

  api.delete('/contents/:id/pinned-comment', {
    id: 'unpinComment',
    summary: 'Unpin the pinned comment of your content, if any',
    tag,
    auth: 'user',
    params: contentId,
    data: PinResult,
    errors: pinErrors,
    example: { pinned_comment_id: null },
    handler: ({ db, viewer, params }) => pinComment(db, viewer, params.id, null),
  })
}
