import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { otherUser } from '../users/example.ts'
import {
  blockCreator,
  listBlocks,
  listMutes,
  muteCreator,
  unblockCreator,
  unmuteCreator,
} from './rules.ts'
import { BlockResult, FilteredUsers, FilteredUsersQuery, MuteResult } from './schema.ts'

const ofCreator = {
  tag: 'Creators',
  auth: 'user',
  params: { handle: { text: true } },
  errors: ['CREATOR_NOT_FOUND', 'CANNOT_BLOCK_SELF'],
} as const
const set = {
  ...ofCreator,
  errors: [...ofCreator.errors, 'LIMIT_REACHED'],
} as const
const own = {
  tag: 'Me',
  auth: 'user',
  query: FilteredUsersQuery,
  data: FilteredUsers,
  example: {
    users: [{ ...otherUser, created_at: '2026-11-21T09:31:55.018Z' }],
    pagination: examplePagination,
  },
} as const

export function registerBlocks(api: Api<CoreDeps>): void {
  api.put('/creators/:handle/block', {
    ...set,
    id: 'blockCreator',
    summary: 'Block a user; does nothing when already blocked',
    description:
      'Ends the follows between both. Until the block ends, neither can comment on, reply to, like, follow or message the other. The blocked user is not notified.',
    data: BlockResult,
    example: { is_blocked: true },
    handler: ({ db, viewer, params, now }) => blockCreator(db, viewer, params.handle, now),
  })
  api.delete('/creators/:handle/block', {
    ...ofCreator,
    id: 'unblockCreator',
    summary: 'End the block of a user, if any',
    data: BlockResult,
    example: { is_blocked: false },
    handler: ({ db, viewer, params }) => unblockCreator(db, viewer, params.handle),
  })
  api.put('/creators/:handle/mute', {
    ...set,
    id: 'muteCreator',
    summary: 'Mute a user; does nothing when already muted',
    description:
      'Hides the content, comments, posts and notifications of the user from you. Follows and direct messages stay.',
    data: MuteResult,
    example: { is_muted: true },
    handler: ({ db, viewer, params, now }) => muteCreator(db, viewer, params.handle, now),
  })
  api.delete('/creators/:handle/mute', {
    ...ofCreator,
    id: 'unmuteCreator',
    summary: 'End the mute of a user, if any',
    data: MuteResult,
    example: { is_muted: false },
    handler: ({ db, viewer, params }) => unmuteCreator(db, viewer, params.handle),
  })
  api.get('/blocks', {
    ...own,
    id: 'listBlocks',
    summary: 'List the users you blocked, the newest first',
    indexes: ['user_filters_blocked'],
    handler: ({ db, viewer, query }) => listBlocks(db, viewer, query),
  })
  api.get('/mutes', {
    ...own,
    id: 'listMutes',
    summary: 'List the users you muted, the newest first',
    indexes: ['user_filters_muted'],
    handler: ({ db, viewer, query }) => listMutes(db, viewer, query),
  })
}
