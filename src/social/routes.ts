import { CreatorListQuery, toUser, Users } from '../creators/schema.ts'
import { ApiError } from '../errors.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination, offsetOf, paginationOf } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { otherUser } from '../users/example.ts'
import { listLikers } from './queries.ts'
import { bookmarkContent, followCreator, likeContent } from './rules.ts'
import { BookmarkResult, FollowResult, LikeResult } from './schema.ts'

const ofContent = {
  tag: 'Contents',
  auth: 'user',
  params: { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } },
  errors: ['CONTENT_NOT_FOUND'],
} as const

const like = {
  ...ofContent,
  errors: ['CONTENT_NOT_FOUND', 'NOT_ALLOWED_HERE'],
  data: LikeResult,
} as const
const LIKED = { is_liked: true, like_count: 12 }
const NOT_LIKED = { is_liked: false, like_count: 11 }

const bookmark = { ...ofContent, data: BookmarkResult }
const BOOKMARKED = { is_bookmarked: true, bookmark_count: 4 }
const NOT_BOOKMARKED = { is_bookmarked: false, bookmark_count: 3 }

const follow = {
  tag: 'Creators',
  auth: 'user',
  params: { handle: { text: true } },
  errors: ['CREATOR_NOT_FOUND', 'NOT_ALLOWED_HERE', 'CANNOT_FOLLOW_SELF'],
  data: FollowResult,
} as const
const FOLLOWING = { is_following: true, follower_count: 83 }
const NOT_FOLLOWING = { is_following: false, follower_count: 82 }

export function registerSocial(api: Api<CoreDeps>): void {
  api.get('/contents/:id/likers', {
    ...ofContent,
    id: 'listLikers',
    summary: 'List the users who like a content item, the newest like first',
    auth: 'optional',
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

  api.post('/contents/:id/like', {
    ...like,
    id: 'toggleLike',
    summary: 'Like a content item, or remove the like',
    example: LIKED,
    handler: ({ db, viewer, params, now }) => likeContent(db, viewer, params.id, 'toggle', now),
  })
  api.put('/contents/:id/like', {
    ...like,
    id: 'likeContent',
    summary: 'Like a content item; does nothing when already liked',
    example: LIKED,
    handler: ({ db, viewer, params, now }) => likeContent(db, viewer, params.id, 'set', now),
  })
  api.delete('/contents/:id/like', {
    ...like,
    id: 'unlikeContent',
    summary: 'Remove the like of a content item, if any',
    example: NOT_LIKED,
    handler: ({ db, viewer, params, now }) => likeContent(db, viewer, params.id, 'unset', now),
  })

  api.post('/contents/:id/bookmark', {
    ...bookmark,
    id: 'toggleBookmark',
    summary: 'Bookmark a content item, or remove the bookmark',
    example: BOOKMARKED,
    handler: ({ db, viewer, params, now }) => bookmarkContent(db, viewer, params.id, 'toggle', now),
  })
  api.put('/contents/:id/bookmark', {
    ...bookmark,
    id: 'bookmarkContent',
    summary: 'Bookmark a content item; does nothing when already bookmarked',
    example: BOOKMARKED,
    handler: ({ db, viewer, params, now }) => bookmarkContent(db, viewer, params.id, 'set', now),
  })
  api.delete('/contents/:id/bookmark', {
    ...bookmark,
    id: 'unbookmarkContent',
    summary: 'Remove the bookmark of a content item, if any',
    example: NOT_BOOKMARKED,
    handler: ({ db, viewer, params, now }) => bookmarkContent(db, viewer, params.id, 'unset', now),
  })

  api.post('/creators/:handle/follow', {
    ...follow,
    id: 'toggleFollow',
    summary: 'Follow a creator, or stop following',
    example: FOLLOWING,
    handler: ({ db, viewer, params, now }) =>
      followCreator(db, viewer, params.handle, 'toggle', now),
  })
  api.put('/creators/:handle/follow', {
    ...follow,
    id: 'followCreator',
    summary: 'Follow a creator; does nothing when already following',
    example: FOLLOWING,
    handler: ({ db, viewer, params, now }) => followCreator(db, viewer, params.handle, 'set', now),
  })
  api.delete('/creators/:handle/follow', {
    ...follow,
    id: 'unfollowCreator',
    summary: 'Stop following a creator, if following',
    example: NOT_FOLLOWING,
    handler: ({ db, viewer, params, now }) =>
      followCreator(db, viewer, params.handle, 'unset', now),
  })
}
