import { CreatorListQuery, toUser, Users } from '../creators/schema.ts'
import { ApiError } from '../errors.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination, offsetOf, paginationOf } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { otherUser } from '../users/example.ts'
import { listLikers } from './queries.ts'
import { bookmarkContent, followCreator, likeContent } from './rules.ts'
import { BookmarkResult, FollowQuery, FollowResult, LikeResult } from './schema.ts'

const ofContent = {
  tag: 'Contents',
  params: { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } },
} as const

export function registerSocial(api: Api<CoreDeps>): void {
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
    handler: async ({ db, viewer, params, query }) => {
      const target = { contentId: params.id, viewerId: viewer?.id }
      const found = await listLikers(db, target, offsetOf(query))
      if (!found) throw new ApiError('CONTENT_NOT_FOUND')
      return { users: found.users.map(toUser), pagination: paginationOf(query, found.total) }
    },
  })

  for (const [method, mode, id, summary] of [
    ['post', 'toggle', 'toggleLike', 'Like a content item, or remove the like'],
    ['put', 'set', 'likeContent', 'Like a content item; does nothing when already liked'],
    ['delete', 'unset', 'unlikeContent', 'Remove the like of a content item, if any'],
  ] as const) {
    const is_liked = mode !== 'unset'
    api[method]('/contents/:id/like', {
      ...ofContent,
      id,
      summary,
      auth: 'user',
      errors: ['CONTENT_NOT_FOUND', 'NOT_ALLOWED_HERE'],
      data: LikeResult,
      example: { is_liked, like_count: is_liked ? 12 : 11 },
      handler: ({ db, viewer, params, now }) => likeContent(db, viewer, params.id, mode, now),
    })
  }

  for (const [method, mode, id, summary] of [
    ['post', 'toggle', 'toggleBookmark', 'Bookmark a content item, or remove the bookmark'],
    [
      'put',
      'set',
      'bookmarkContent',
      'Bookmark a content item; does nothing when already bookmarked',
    ],
    ['delete', 'unset', 'unbookmarkContent', 'Remove the bookmark of a content item, if any'],
  ] as const) {
    const is_bookmarked = mode !== 'unset'
    api[method]('/contents/:id/bookmark', {
      ...ofContent,
      id,
      summary,
      auth: 'user',
      errors: ['CONTENT_NOT_FOUND'],
      data: BookmarkResult,
      example: { is_bookmarked, bookmark_count: is_bookmarked ? 4 : 3 },
      handler: ({ db, viewer, params, now }) => bookmarkContent(db, viewer, params.id, mode, now),
    })
  }

  for (const [method, mode, id, summary] of [
    ['post', 'toggle', 'toggleFollow', 'Follow a creator, or stop following'],
    ['put', 'set', 'followCreator', 'Follow a creator; does nothing when already following'],
    ['delete', 'unset', 'unfollowCreator', 'Stop following a creator, if following'],
  ] as const) {
    const is_following = mode !== 'unset'
    api[method]('/creators/:handle/follow', {
      id,
      summary,
      tag: 'Creators',
      auth: 'user',
      params: { handle: { text: true } },
      ...(mode !== 'unset' && { query: FollowQuery }),
      errors: ['CREATOR_NOT_FOUND', 'NOT_ALLOWED_HERE', 'CANNOT_FOLLOW_SELF'],
      data: FollowResult,
      example: { is_following, follower_count: is_following ? 83 : 82 },
      handler: ({ db, viewer, params, query, now }) =>
        followCreator(db, viewer, { ...params, contentId: query?.content_id }, mode, now),
    })
  }
}
