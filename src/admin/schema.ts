import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import { oneRequired } from '../errors.ts'
import { checked, secret, textOrNull, time, timeOrNull } from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'
import { sizesOf } from '../pictures/schema.ts'
import type { ManagedUserRow } from '../users/managed.ts'
import {
  AvatarSizes,
  listedPermissionsOf,
  PermissionName,
  RoleName,
  StorageInfo,
} from '../users/schema.ts'

const adminUser = {
  id: Type.String(),
  handle: Type.String(),
  email: Type.String(),
  display_name: Type.String(),
  avatar_url: textOrNull(),
  avatar_sizes: AvatarSizes,
  role: RoleName,
  permissions: Type.Array(PermissionName),
  is_suspended: Type.Boolean(),
  suspended_at: timeOrNull(),
  suspension_reason: textOrNull(),
  created_at: time(),
  last_seen_at: timeOrNull(),
}

const AdminUser = Type.Object(adminUser, { title: 'AdminUser' })
type AdminUserRecord = Static<typeof AdminUser>

const Activity = Type.Object(
  {
    content_count: Type.Integer({ description: 'Contents that are not archived' }),
    comment_count: Type.Integer({ description: 'Comments that are not deleted' }),
    post_count: Type.Integer({ description: 'Posts and replies that are not deleted' }),
    like_count: Type.Integer({ description: 'Likes given to contents and posts' }),
    follower_count: Type.Integer(),
    following_count: Type.Integer(),
    session_count: Type.Integer({ description: 'Open sessions' }),
  },
  { title: 'Activity' },
)
export type ActivityRecord = Static<typeof Activity>

const AdminUserDetail = Type.Object(
  { ...adminUser, activity: Activity, storage: StorageInfo },
  { title: 'AdminUserDetail' },
)

export const ResetLink = Type.Object({
  url: secret(textOrNull({ description: '`null` in a replayed response' })),
  expires_at: time(),
})

export const UsersQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      description: 'Text to find in handle, display name, email or id; case is ignored',
    }),
  ),
  ...PageQuery,
})
export const AuditQuery = Type.Object(PageQuery)

export const MembershipInput = checked(
  Type.Object(
    {
      role: Type.Optional(RoleName),
      is_suspended: Type.Optional(Type.Boolean()),
      reason: Type.Optional(
        textOrNull({
          maxLength: 1000,
          description: 'Reason, stored with the suspension and in the audit log',
        }),
      ),
    },
    { examples: [{ is_suspended: true, reason: 'Repeated advertising in comments' }] },
  ),
  ({ role, is_suspended }, problems) => {
    if (role !== undefined || is_suspended !== undefined) return
    problems.push(...oneRequired('role', 'is_suspended'))
  },
)
export type MembershipInput = Static<typeof MembershipInput>

export const PermissionsInput = Type.Object(
  { permissions: Type.Array(PermissionName, { maxItems: 3 }) },
  { examples: [{ permissions: ['moderate'] }] },
)

export const Users = Type.Object({ users: Type.Array(AdminUser), pagination: Pagination })
export const OneUser = Type.Object({ user: AdminUser })
export const OneUserDetail = Type.Object({ user: AdminUserDetail })

export function toAdminUser(row: ManagedUserRow): AdminUserRecord {
  return {
    ...row,
    avatar_sizes: sizesOf(row.avatar_url, row.avatar_sizes),
    permissions: listedPermissionsOf(row),
    is_suspended: row.is_suspended === 1,
    suspended_at: isoOrNull(row.suspended_at),
    created_at: iso(row.created_at),
    last_seen_at: isoOrNull(row.last_seen_at),
  }
}
