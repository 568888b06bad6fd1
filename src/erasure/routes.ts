import { type PasswordTools, provePassword } from '../factors/confirm.ts'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { cancelDeletion, type DeletionSettings, eraseUser, scheduleDeletion } from './deletions.ts'
import { eraseContent } from './rules.ts'
import { DeletionInput, DeletionResult, ErasureResult, UserErasureInput } from './schema.ts'

const id = { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } as const

const deletion = {
  status: 'scheduled',
  contents: 'erase',
  texts: 'keep',
  requested_at: '2026-11-21T09:30:00.000Z',
  due_at: '2026-12-05T09:30:00.000Z',
} as const

export interface ErasureDeps extends CoreDeps, PasswordTools {
  config: DeletionSettings
}

export function registerErasure(api: Api<ErasureDeps>): void {
  api.post('/contents/:id/erasure', {
    id: 'eraseContent',
    summary: 'Erase your archived content for good',
    description:
      'From then on the content is 404 for everyone. A job deletes its comments, likes, bookmarks, plays and other rows, and the uploads that nothing else uses.',
    tag: 'Contents',
    auth: 'user',
    params: { id },
    data: ErasureResult,
    status: 202,
    errors: ['CONTENT_NOT_FOUND', 'NOT_CONTENT_AUTHOR', 'CONTENT_NOT_ARCHIVED'],
    example: { erasure: { content_id: 'cnt_01kazr0fsdf8fsmrxm42z2kb6p', status: 'queued' } },
    handler: ({ db, viewer, params, now }) => eraseContent(db, viewer, params.id, now),
  })

  api.post('/auth/me/deletion', {
    id: 'scheduleDeletion',
    summary: 'Schedule the deletion of your account',
    description:
      'Until `due_at` the account works as usual, and signing in cancels nothing. A repeat changes `contents` and `texts` and keeps `due_at`.',
    tag: 'Me',
    auth: 'user',
    body: DeletionInput,
    data: DeletionResult,
    status: 202,
    errors: ['LAST_ADMIN', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    example: { deletion },
    handler: {
      before: ({ deps, viewer, body, now }) =>
        provePassword(deps.db, deps, viewer, body.current_password, now),
      first: ({ deps, db, viewer, body, now, language }, proof) =>
        scheduleDeletion(db, deps.config, viewer, body, proof, { now, language }),
    },
  })

  api.delete('/auth/me/deletion', {
    id: 'cancelDeletion',
    summary: 'Cancel the deletion of your account',
    tag: 'Me',
    auth: 'user',
    errors: ['DELETION_NOT_FOUND'],
    handler: ({ db, viewer }) => cancelDeletion(db, viewer),
  })

  api.post('/admin/users/:id/erasure', {
    id: 'eraseUser',
    summary: 'Erase a user at once',
    description: 'A tombstone remains, without the grace period of `POST /auth/me/deletion`.',
    tag: 'Users',
    auth: 'admin',
    params: { id: { id: 'usr', missing: 'USER_NOT_FOUND' } },
    body: UserErasureInput,
    data: DeletionResult,
    status: 202,
    errors: ['USER_NOT_FOUND', 'LAST_ADMIN', 'SELF_ACTION_FORBIDDEN'],
    example: { deletion: { ...deletion, status: 'running' } },
    handler: ({ deps, db, viewer, params, body, now, requestId }) =>
      eraseUser(db, deps.config, viewer, params.id, body, { now, requestId }),
  })
}
