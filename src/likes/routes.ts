import { CreatorListQuery, Users } from '../creators/schema.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { otherUser } from '../users/example.ts'
import { listLikers } from './likers.ts'
import { likeContent } from './rules.ts'
import { LikeResult } from './schema.ts'

const ofContent = {
  tag: 'Contents',
  params: { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } },
} as const

const like = {
  ...ofContent,
  auth: 'user',
  errors: ['CONTENT_NOT_FOUND', 'NOT_ALLOWED_HERE'],
  data: LikeResult,
} as const

export function registerLikes(api: Api<CoreDeps>): void {
  api.get('/contents/:id/likers', {
    ...ofContent,
    id: 'listLikers',
    summary: 'List the users who like a content item, the newest like first',
    auth: 'optional',
    errors: ['CONTENT_NOT_FOUND'],
    query: CreatorListQuery,
    data: Users,
    indexes: ['likes_by_content'],
    example: { users: [{ ...otherUser, is_following: true }], pagination: examplePagination },
    handler: ({ db, viewer, params, query }) => listLikers(db, viewer, params.id, query),
  })

  api.post('/contents/:id/like', {
    ...like,
    id: 'toggleLike',
    summary: 'Like a content item, or remove the like',
    example: { is_liked: true, like_count: 12 },
    handler: ({ db, viewer, params, now }) => likeContent(db, viewer, params.id, 'toggle', now),
  })

  api.put('/contents/:id/like', {
    ...like,
    id: 'likeContent',
    summary: 'Like a content item; does nothing when already liked',
    example: { is_liked: true, like_count: 12 },
    handler: ({ db, viewer, params, now }) => likeContent(db, viewer, params.id, 'set', now),
  })

  api.delete('/contents/:id/like', {
    ...like,
    id: 'unlikeContent',
    summary: 'Remove the like of a content item, if any',
    example: { is_liked: false, like_count: 11 },
    handler: ({ db, viewer, params, now }) => likeContent(db, viewer, params.id, 'unset', now),
  })
}
