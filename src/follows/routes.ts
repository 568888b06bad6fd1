import { FollowQuery, FollowResult } from '../creators/schema.ts'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { followCreator } from './rules.ts'

const follow = {
  tag: 'Creators',
  auth: 'user',
  params: { handle: { text: true } },
  errors: ['CREATOR_NOT_FOUND', 'NOT_ALLOWED_HERE', 'CANNOT_FOLLOW_SELF'],
  data: FollowResult,
} as const

export function registerFollows(api: Api<CoreDeps>): void {
  api.post('/creators/:handle/follow', {
    ...follow,
    id: 'toggleFollow',
    summary: 'Follow a creator, or stop following',
    query: FollowQuery,
    example: { is_following: true, follower_count: 83 },
    handler: ({ db, viewer, params, query, now }) =>
      followCreator(db, viewer, { ...params, contentId: query.content_id }, 'toggle', now),
  })

  api.put('/creators/:handle/follow', {
    ...follow,
    id: 'followCreator',
    summary: 'Follow a creator; does nothing when already following',
    query: FollowQuery,
    example: { is_following: true, follower_count: 83 },
    handler: ({ db, viewer, params, query, now }) =>
      followCreator(db, viewer, { ...params, contentId: query.content_id }, 'set', now),
  })

  api.delete('/creators/:handle/follow', {
    ...follow,
    id: 'unfollowCreator',
    summary: 'Stop following a creator, if following',
    example: { is_following: false, follower_count: 82 },
    handler: ({ db, viewer, params, now }) => followCreator(db, viewer, params, 'unset', now),
  })
}
