import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { LikeResult } from '../likes/schema.ts'
import { pinComment, setCommentHidden } from './creator.ts'
import { exampleComment } from './example.ts'
import { setCommentLike } from './likes.ts'
import { CommentAnswer, PinInput, PinResult } from './schema.ts'

const tag = 'Comments'
const contentId = { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } } as const
const commentId = { id: { id: 'cmt', missing: 'COMMENT_NOT_FOUND', only: 'owner' } } as const

/** Registers likes of comments, and the routes with which creators hide and pin comments on their content. */
export function registerCommentTools(api: Api<CoreDeps>): void {
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
      example: { comment: isHidden ? { ...exampleComment, ...hidden } : exampleComment },
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
      data: LikeResult,
      errors: ['COMMENT_NOT_FOUND', 'NOT_ALLOWED_HERE'],
      example: { is_liked: isLiked, like_count: isLiked ? 3 : 2 },
      handler: ({ db, viewer, params, now }) => setCommentLike(db, viewer, params.id, isLiked, now),
    })
  }

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
    example: { pinned_comment_id: exampleComment.id },
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
