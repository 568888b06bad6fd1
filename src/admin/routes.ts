import { iso } from '../clock.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination, offsetOf, paginationOf } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import type { MailSettings } from '../mail/rules.ts'
import type { StorageQuota } from '../uploads/quota.ts'
import { otherUser } from '../users/example.ts'
import { searchManagedUsers, listManagedUsers } from '../users/managed.ts'
import { foldCase } from '../users/schema.ts'
import { exampleAuditEntry } from '../audit/example.ts'
import { listAuditEntries } from '../audit/queries.ts'
import { Audit, toAuditEntry } from '../audit/schema.ts'
import { createResetLink } from './reset-link.ts'
import { getUser, requireUser, updatePermissions, updateUser } from './rules.ts'
import {
  AuditQuery,
  MembershipInput,
  OneUser,
  OneUserDetail,
  PermissionsInput,
  ResetLink,
  toAdminUser,
  Users,
  UsersQuery,
} from './schema.ts'

const tag = 'Users'
const auth = 'admin'
const ofUser = { id: { id: 'usr', missing: 'USER_NOT_FOUND' } } as const

const user = {
  id: otherUser.id,
  handle: otherUser.handle,
  email: 'haneul@example.com',
  display_name: otherUser.display_name,
  avatar_url: otherUser.avatar_url,
  avatar_sizes: otherUser.avatar_sizes,
  role: 'user',
  permissions: [],
  is_suspended: true,
  suspended_at: '2026-11-21T09:30:00.000Z',
  suspension_reason: 'Repeated advertising in comments',
  created_at: '2026-10-02T03:12:45.000Z',
  last_seen_at: '2026-11-21T09:29:12.000Z',
}
const activity = {
  content_count: 4,
  comment_count: 31,
  post_count: 12,
  like_count: 87,
  follower_count: 9,
  following_count: 14,
  session_count: 0,
}
const storage = { used_bytes: 18_734_112, quota_bytes: 10_737_418_240 }
export interface AdminDeps extends CoreDeps {
  config: MailSettings
  quota: StorageQuota
}

export function registerAdmin(api: Api<AdminDeps>): void {
  api.get('/admin/users', {
    id: 'listUsers',
    summary: 'Search users, newest first',
    tag,
    auth,
    query: UsersQuery,
    indexes: ['users', 'users_search'],
    data: Users,
    example: { users: [user], pagination: examplePagination },
    handler: async ({ db, query }) => {
      const range = offsetOf(query)
      const { users, total } = query.q
        ? await searchManagedUsers(db, foldCase(query.q), range)
        : await listManagedUsers(db, range)
      return { users: users.map(toAdminUser), pagination: paginationOf(query, total) }
    },
  })

  api.get('/admin/users/:id', {
    id: 'getUser',
    summary: 'Read a user with activity counts and storage use',
    tag,
    auth,
    params: ofUser,
    data: OneUserDetail,
    errors: ['USER_NOT_FOUND'],
    example: { user: { ...user, activity, storage } },
    handler: async ({ deps, db, params, now }) => ({
      user: await getUser(db, deps.quota, params.id, now),
    }),
  })

  api.patch('/admin/users/:id', {
    id: 'updateUser',
    summary: "Change a user's role or suspension",
    description:
      'A suspension ends all sessions at once and hides the profile and the contents. Lifting it restores everything except the sessions.',
    tag,
    auth,
    params: ofUser,
    body: MembershipInput,
    data: OneUser,
    errors: ['USER_NOT_FOUND', 'SELF_ACTION_FORBIDDEN', 'LAST_ADMIN'],
    example: { user },
    handler: async ({ db, viewer, params, body, now, requestId }) => ({
      user: await updateUser(db, viewer, params.id, body, {
        now,
        requestId: `req_${requestId}`,
      }),
    }),
  })

  api.put('/admin/users/:id/permissions', {
    id: 'updatePermissions',
    summary: 'Replace the permissions of a user',
    description:
      '`moderate` allows handling reports, `members` accounts and invitations, `site` the settings of the site. An admin has all of them without the list.',
    tag,
    auth,
    params: ofUser,
    body: PermissionsInput,
    data: OneUser,
    example: { user: { ...user, permissions: ['moderate'] } },
    handler: async ({ db, viewer, params, body, now, requestId }) => ({
      user: await updatePermissions(db, viewer, params.id, body.permissions, {
        now,
        requestId: `req_${requestId}`,
      }),
    }),
  })

  api.post('/admin/users/:id/reset-link', {
    id: 'createResetLink',
    summary: "Create a link that resets a user's password",
    description:
      'Give the link to the user yourself. It works once, replaces earlier links, and does not verify the address.',
    tag,
    auth,
    params: ofUser,
    data: ResetLink,
    status: 201,
    errors: ['USER_NOT_FOUND'],
    example: {
      url: 'https://plaza.example/reset-password#token=dJ3vXz0m5sQ1nU8hYt2kWc7bRf4gLp9aEi6oZx1vTqM',
      expires_at: '2026-11-21T09:12:45.120Z',
    },
    handler: async ({ deps, db, viewer, params, now, requestId }) => {
      const origin = { now, requestId: `req_${requestId}` }
      const { url, expiresAt } = await createResetLink(db, deps.config, viewer, params.id, origin)
      return { url, expires_at: iso(expiresAt) }
    },
  })

  api.get('/admin/users/:id/audit', {
    id: 'listAuditEntries',
    summary: 'List the audit entries about a user, newest first',
    tag,
    auth,
    params: ofUser,
    query: AuditQuery,
    indexes: ['audit_entries_by_target'],
    data: Audit,
    errors: ['USER_NOT_FOUND'],
    example: { audit: [exampleAuditEntry], pagination: examplePagination },
    handler: async ({ db, params, query }) => {
      const [, { entries, total }] = await Promise.all([
        requireUser(db, params.id),
        listAuditEntries(db, { target: params.id }, offsetOf(query)),
      ])
      return { audit: entries.map(toAuditEntry), pagination: paginationOf(query, total) }
    },
  })
}
