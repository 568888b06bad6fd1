import { actOf } from '../audit/rules.ts'
import { Alternative, type CoreDeps } from '../http/declaration.ts'
import { examplePagination } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { exampleUser } from '../users/example.ts'
import {
  approveApplication,
  type DecisionSettings,
  listApplications,
  rejectApplication,
} from './application-rules.ts'
import { createBan, deleteBan, listBans } from './ban-rules.ts'
import {
  createInvite,
  inviteAllowance,
  type InviteSettings,
  listInvites,
  revokeInvite,
} from './invite-rules.ts'
import {
  Applications,
  ApplicationsQuery,
  BanInput,
  Bans,
  BansQuery,
  DecisionInput,
  InviteInput,
  Invites,
  InvitesQuery,
  OneApplication,
  OneBan,
  OneInvite,
} from './schema.ts'

const tag = 'Registration'
const auth = 'members'
const created_at = '2026-11-21T09:30:00.000Z'
const application = {
  id: 'reg_01kahw2q7nf5x9r3d8y6b4c1zs',
  handle: 'haneul',
  email: 'haneul@example.com',
  display_name: '하늘',
  application: '사진을 찍어요. 여기서 나누고 싶어요.',
  ip: '203.0.113.7',
  status: 'approved',
  reason: null,
  decided_by: exampleUser,
  created_at,
  decided_at: '2026-11-21T10:00:00.000Z',
}
const invite = {
  id: 'inv_01kahw2q7nf5x9r3d8y6b4c1zs',
  code: 'V2K9M-0T7XA',
  max_uses: 5,
  use_count: 0,
  users: [],
  expires_at: '2026-11-28T09:30:00.000Z',
  revoked_at: null,
  note: null,
  created_by: exampleUser,
  created_at,
}
const listed = { ...invite, code: null }
const ban = {
  id: 'ban_01kahw2q7nf5x9r3d8y6b4c1zs',
  kind: 'email_domain',
  value: 'spam.example',
  reason: 'Spam wave',
  until: null,
  created_by: exampleUser,
  created_at,
}
const decision = {
  tag,
  auth,
  params: { id: { id: 'reg', missing: 'APPLICATION_NOT_FOUND' } },
  body: DecisionInput,
  data: OneApplication,
  example: { application },
} as const

export interface RegistrationDeps extends CoreDeps {
  config: InviteSettings & DecisionSettings
}

export function registerRegistration(api: Api<RegistrationDeps>): void {
  api.get('/admin/applications', {
    id: 'listApplications',
    summary: 'List applications for accounts, oldest first',
    tag,
    auth,
    query: ApplicationsQuery,
    indexes: ['applications', 'applications_by_status'],
    data: Applications,
    example: { applications: [application], pagination: examplePagination },
    handler: ({ db, query, now }) => listApplications(db, query, now),
  })

  api.post('/admin/applications/:id/approve', {
    ...decision,
    id: 'approveApplication',
    summary: 'Create the account of an application',
    errors: [
      'APPLICATION_NOT_FOUND',
      'APPLICATION_DECIDED',
      'HANDLE_TAKEN',
      'EMAIL_TAKEN',
      'LEGACY_ACCOUNT_CONFLICT',
    ],
    handler: async ({ deps, db, viewer, params: { id }, body, now, requestId }) => {
      const act = actOf(viewer, requestId, body?.reason || null)
      return { application: await approveApplication(db, deps.config, act, id, now) }
    },
  })

  api.post('/admin/applications/:id/reject', {
    ...decision,
    id: 'rejectApplication',
    summary: 'Reject an application',
    errors: ['APPLICATION_NOT_FOUND', 'APPLICATION_DECIDED'],
    handler: async ({ deps, db, viewer, params: { id }, body, now, requestId }) => {
      const act = actOf(viewer, requestId, body?.reason || null)
      return { application: await rejectApplication(db, deps.config, act, id, now) }
    },
  })

  api.get('/invites', {
    id: 'listInvites',
    summary: 'List your invites, newest first',
    tag,
    auth: 'user',
    query: InvitesQuery,
    indexes: ['invites_by_creator'],
    data: Invites,
    example: { invites: [listed], pagination: examplePagination },
    handler: ({ db, viewer, query }) => listInvites(db, viewer.id, query),
  })

  api.post('/invites', {
    id: 'createInvite',
    summary: 'Create an invite',
    description:
      'The code is only in this response. Users without the permission `members` may have `invites_per_user` live invites.',
    tag,
    auth: {
      mode: 'user',
      refuse: async ({ deps, viewer }) =>
        (await inviteAllowance(deps.db, deps.config, viewer)) === 0 ? 'FORBIDDEN' : undefined,
    },
    body: InviteInput,
    data: OneInvite,
    status: 201,
    errors: ['FORBIDDEN', 'LIMIT_REACHED'],
    example: { invite },
    handler: async ({ deps, db, viewer, body, now, requestId }) => ({
      invite: await createInvite(db, deps.config, viewer, body ?? {}, { now, requestId }),
    }),
  })

  api.get('/admin/invites', {
    id: 'listAllInvites',
    summary: 'List the invites of all users, newest first',
    tag,
    auth,
    query: InvitesQuery,
    indexes: ['invites'],
    data: Invites,
    example: { invites: [listed], pagination: examplePagination },
    handler: ({ db, query }) => listInvites(db, null, query),
  })

  api.delete('/invites/:id', {
    id: 'revokeInvite',
    summary: 'End an invite of yours; with the permission `members`, of any user',
    tag,
    auth: 'user',
    params: { id: { id: 'inv', missing: 'INVITE_NOT_FOUND', only: 'owner-or-staff' } },
    errors: ['INVITE_NOT_FOUND'],
    handler: ({ db, viewer, params: { id }, now, requestId }) =>
      revokeInvite(db, viewer, actOf(viewer, requestId), id, now),
  })

  api.get('/admin/bans', {
    id: 'listBans',
    summary: 'List the bans of mail domains and networks, newest first',
    tag,
    auth,
    query: BansQuery,
    indexes: ['bans'],
    data: Bans,
    example: { bans: [ban], pagination: examplePagination },
    handler: ({ db, query }) => listBans(db, query),
  })

  api.post('/admin/bans', {
    id: 'createBan',
    summary: 'Ban a mail domain or a network from registration',
    description: 'An existing ban of the same value is updated, with status 200.',
    tag,
    auth,
    body: BanInput,
    data: OneBan,
    status: [201, 200],
    example: { ban },
    handler: async (call) => {
      const { db, viewer, body, ip, now, requestId } = call
      const act = { ...actOf(viewer, requestId), actorId: viewer.id }
      const { ban: made, exists } = await createBan(db, act, body, ip, now)
      return exists ? new Alternative({ ban: made }) : { ban: made }
    },
  })

  api.delete('/admin/bans/:id', {
    id: 'deleteBan',
    summary: 'Lift a ban',
    tag,
    auth,
    params: { id: { id: 'ban', missing: 'BAN_NOT_FOUND' } },
    errors: ['BAN_NOT_FOUND'],
    handler: ({ db, viewer, params: { id }, now, requestId }) =>
      deleteBan(db, actOf(viewer, requestId), id, now),
  })
}
