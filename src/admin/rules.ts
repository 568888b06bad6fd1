import type { Handle } from '../db/handle.ts'
import { type Permission, PERMISSIONS } from '../db/tables.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import {
  applyMembership,
  asSuspended,
  asUnsuspended,
  lockAsAdmin,
  requireAdminLeft,
} from '../moderation/membership.ts'
import type { StorageQuota } from '../uploads/quota.ts'
import {
  findManagedUser,
  findManagedUserByHandleLocked,
  type ManagedUserRow,
} from '../users/managed.ts'
import { keyOf } from '../users/schema.ts'
import { findActivity } from './queries.ts'
import { type MembershipInput, toAdminUser } from './schema.ts'

/** Returns a user. Errors: 404 USER_NOT_FOUND. */
export async function requireUser(db: Handle, id: string): Promise<ManagedUserRow> {
  const user = await findManagedUser(db, id)
  if (!user) throw new ApiError('USER_NOT_FOUND')
  return user
}

/** Returns a user with activity counts and storage use. Errors: 404 USER_NOT_FOUND. */
export async function getUser(db: Handle, quota: StorageQuota, id: string, now: number) {
  const [user, activity, storage] = await Promise.all([
    requireUser(db, id),
    findActivity(db, id, now),
    quota.read(db, id),
  ])
  if (!activity) throw new ApiError('USER_NOT_FOUND')
  return { ...toAdminUser(user), activity, storage }
}

/**
 * Changes a user's role and suspension in one transaction. Locks the active administrators, so that two of them cannot
 * demote each other.
 *
 * Errors:
 * - UNAUTHORIZED, FORBIDDEN: the viewer was suspended or demoted after authentication.
 * - USER_NOT_FOUND.
 * - SELF_ACTION_FORBIDDEN: the viewer would stop being an active administrator.
 * - LAST_ADMIN.
 */
export function updateUser(
  db: Handle,
  viewer: Viewer,
  id: string,
  input: MembershipInput,
  { now, requestId }: { now: number; requestId: string },
) {
  return db.transaction(async (tx) => {
    const { user, admins } = await lockAsAdmin(tx, viewer, id)
    const changed = withChanges(user, input, now)
    requireAdminLeft(user, changed, { viewer, admins })
    const act = { actorId: viewer.id, requestId, reason: input.reason || null }
    await applyMembership(tx, user, changed, act, now)
    return toAdminUser(changed)
  })
}

/**
 * Replaces the permissions of a user, who is notified. Errors: 401 UNAUTHORIZED or 403 FORBIDDEN when the viewer was
 * suspended or demoted after authentication; 404 USER_NOT_FOUND.
 */
export function updatePermissions(
  db: Handle,
  viewer: Viewer,
  id: string,
  permissions: readonly Permission[],
  { now, requestId }: { now: number; requestId: string },
) {
  return db.transaction(async (tx) => {
    const { user } = await lockAsAdmin(tx, viewer, id)
    const chosen = PERMISSIONS.filter((permission) => permissions.includes(permission))
    const changed = { ...user, permissions: JSON.stringify(chosen) }
    const act = { actorId: viewer.id, requestId, reason: null }
    await applyMembership(tx, user, changed, act, now)
    return toAdminUser(changed)
  })
}

/**
 * Makes a user an administrator on behalf of the operator. Returns false when the user already is one.
 * Errors: 404 USER_NOT_FOUND.
 */
export function promote(db: Handle, handle: string, now: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const user = await findManagedUserByHandleLocked(tx, keyOf(handle))
    if (!user) throw new ApiError('USER_NOT_FOUND')
    const operator = { actorId: null, requestId: null, reason: null }
    await applyMembership(tx, user, { ...user, role: 'admin' }, operator, now)
    return user.role !== 'admin'
  })
}

function withChanges(user: ManagedUserRow, input: MembershipInput, now: number): ManagedUserRow {
  const role = input.role ?? user.role
  const isSuspended = input.is_suspended ?? user.is_suspended === 1
  if (!isSuspended) return asUnsuspended({ ...user, role })
  const hasNewReason = input.is_suspended === true && input.reason !== undefined
  const reason = hasNewReason ? input.reason || null : user.suspension_reason
  return asSuspended({ ...user, role }, reason, now)
}
