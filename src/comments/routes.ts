import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { deleteComment, updateComment } from './edit.ts'
import { exampleComment } from './example.ts'
import { createComment } from './rules.ts'
import { CommentAnswer, CommentEdit, CommentInput } from './schema.ts'

const tag = 'Comments'
const contentId = { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } } as const
const commentId = { id: { id: 'cmt', missing: 'COMMENT_NOT_FOUND', only: 'owner' } } as const

export function registerComments(api: Api<CoreDeps>): void {
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
    example: { comment: { ...exampleComment, like_count: 0 } },
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
    example: { comment: { ...exampleComment, updated_at: '2026-11-21T08:16:40.902Z' } },
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
}
