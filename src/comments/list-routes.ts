import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { exampleComment } from './example.ts'
import { listComments, listHiddenComments } from './load.ts'
import { CommentList, CommentQuery, HiddenComments, HiddenQuery } from './schema.ts'

const tag = 'Comments'
const contentId = { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } } as const

export function registerCommentLists(api: Api<CoreDeps>): void {
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
    example: { comments: [exampleComment], pinned_comment: null, pagination: examplePagination },
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
      comments: [{ ...exampleComment, hidden_by: 'creator' }],
      pagination: examplePagination,
    },
    indexes: ['comments_hidden'],
    handler: ({ db, viewer, params, query }) => listHiddenComments(db, viewer, params.id, query),
  })
}
