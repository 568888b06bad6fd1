import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import { toUserRef, UserRef, type UserRefRow } from '../users/schema.ts'
import type { AuditAction, AuditEntryRow } from '../db/audit-tables.ts'
import { oneRequired } from '../errors.ts'
import { checked, choice, textOrNull, time, timeOrNull } from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'
import type { MemberRow } from '../users/members.ts'
import { RoleName, StorageInfo } from '../users/schema.ts'

const adminUser = {
  id: Type.String(),
  handle: Type.String(),
  email: Type.String(),
  display_name: Type.String(),
  avatar_url: textOrNull(),
  role: RoleName,
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

const Standing = Type.Object(
  { role: RoleName, is_suspended: Type.Boolean(), suspension_reason: textOrNull() },
  { title: 'Standing' },
)
type StandingRecord = Static<typeof Standing>

const ACTIONS: AuditAction[] = [
  'role_changed',
  'suspended',
  'suspension_reason_changed',
  'suspension_lifted',
  'job_ended',
]

const AuditEntry = Type.Object(
  {
    id: Type.String(),
    actor: Type.Union([UserRef, Type.Null()], {
      description: 'Null when the operator acted on the command line',
    }),
    action: choice(ACTIONS),
    before: Standing,
    after: Standing,
    reason: textOrNull(),
    request_id: textOrNull({
      description: '`meta.request_id` of the change; null when the operator made it',
    }),
    created_at: time(),
  },
  { title: 'AuditEntry' },
)

export const Users = Type.Object({ users: Type.Array(AdminUser), pagination: Pagination })
export const OneUser = Type.Object({ user: AdminUser })
export const OneUserDetail = Type.Object({ user: AdminUserDetail })
export const Audit = Type.Object({ audit: Type.Array(AuditEntry), pagination: Pagination })

export function toAdminUser(row: MemberRow): AdminUserRecord {
  return {
    ...row,
    is_suspended: row.is_suspended === 1,
    suspended_at: isoOrNull(row.suspended_at),
    created_at: iso(row.created_at),
    last_seen_at: isoOrNull(row.last_seen_at),
  }
}

export function toStanding(
  row: Pick<MemberRow, 'role' | 'is_suspended' | 'suspension_reason'>,
): StandingRecord {
  const { role, is_suspended, suspension_reason } = row
  return { role, is_suspended: is_suspended === 1, suspension_reason }
}

/** The actor fields are null when the operator acted. */
export type AuditListRow = Pick<
  AuditEntryRow,
  'id' | 'action' | 'before' | 'after' | 'reason' | 'request_id' | 'created_at'
> & { actor_id: string | null } & { [K in keyof Omit<UserRefRow, 'id'>]: UserRefRow[K] | null }

export function toAuditEntry(row: AuditListRow): Static<typeof AuditEntry> {
  const { id, action, reason, request_id, actor_id, handle, display_name, avatar_url } = row
  const before: StandingRecord = JSON.parse(row.before)
  const after: StandingRecord = JSON.parse(row.after)
  return {
    id,
    actor:
      actor_id !== null && handle !== null && display_name !== null
        ? toUserRef({ id: actor_id, handle, display_name, avatar_url })
        : null,
    action,
    before,
    after,
    reason,
    request_id,
    created_at: iso(row.created_at),
  }
}
