import { exampleFeed } from '../contents/example.ts'
import { Feed } from '../contents/schema.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { exampleUser, otherUser } from '../users/example.ts'
import { listCreatorContents, listCreatorUsers, requireCreator } from './rules.ts'
import {
  CreatorContentsQuery,
  CreatorListQuery,
  CreatorResult,
  Users,
  toCreator,
} from './schema.ts'

const ofCreator = {
  tag: 'Creators',
  params: { handle: { text: true } },
  errors: ['CREATOR_NOT_FOUND'],
} as const

const list = { ...ofCreator, query: CreatorListQuery }
const users = {
  ...list,
  auth: 'optional',
  data: Users,
  example: { users: [{ ...otherUser, is_following: true }], pagination: examplePagination },
} as const

export function registerCreators(api: Api<CoreDeps>): void {
  api.get('/creators/:handle', {
    ...ofCreator,
    id: 'getCreator',
    summary: 'Read the public profile of a creator',
    auth: 'optional',
    data: CreatorResult,
    example: {
      creator: {
        ...exampleUser,
        bio: 'Films of cities at night.',
        is_following: true,
        is_blocked: false,
        is_muted: false,
        follower_count: 83,
        following_count: 21,
        content_count: 14,
        created_at: '2026-11-21T08:12:45.120Z',
      },
    },
    handler: async ({ db, viewer, params }) => ({
      creator: toCreator(await requireCreator(db, params.handle, viewer)),
    }),
  })
  api.get('/creators/:handle/contents', {
    ...ofCreator,
    id: 'listCreatorContents',
    summary: 'List the public content of a creator',
    auth: 'optional',
    query: CreatorContentsQuery,
    data: Feed,
    example: exampleFeed,
    indexes: ['content_stats_by_creator', 'content_stats_by_creator_hot'],
    handler: ({ db, viewer, params, query }) =>
      listCreatorContents(db, params.handle, viewer, query),
  })
  api.get('/creators/:handle/followers', {
    ...users,
    id: 'listFollowers',
    summary: 'List the followers of a creator, the newest first',
    indexes: ['follows_by_creator'],
    handler: ({ db, viewer, params, query }) =>
      listCreatorUsers(db, { ...params, side: 'followers' }, viewer, query),
  })
  api.get('/creators/:handle/following', {
    ...users,
    id: 'listFollowing',
    summary: 'List the creators that a creator follows, the newest first',
    indexes: ['follows_by_follower'],
    handler: ({ db, viewer, params, query }) =>
      listCreatorUsers(db, { ...params, side: 'following' }, viewer, query),
  })
}
