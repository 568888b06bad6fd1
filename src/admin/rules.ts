import { setAllPublic } from '../contents/visibility.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { type Permission, PERMISSIONS } from '../db/tables.ts'
import { type Act, writeAuditEntry } from '../audit/rules.ts'
import type { AuditAction } from '../db/audit-tables.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import type { NotificationKind } from '../notifications/schema.ts'
import { type NewNotification, notify } from '../notifications/notify.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import type { StorageQuota } from '../uploads/quota.ts'
import {
  findMember,
  findMemberByHandleLocked,
  listMemberAndAdminsLocked,
  type MemberRow,
  updateMembership,
} from '../users/members.ts'
import { keyOf, permissionsOf } from '../users/schema.ts'
import { findActivity } from './queries.ts'
import { type MembershipInput, toAdminUser, toStanding } from './schema.ts'

/** Errors: 404 USER_NOT_FOUND. */
export async function requireUser(db: Handle, id: string): Promise<MemberRow> {
  const user = await findMember(db, id)
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
 * Changes role and suspension in one transaction. Locks the active administrators, so that of two
 * administrators who demote each other at the same time only the first succeeds.
 * Errors: 401 UNAUTHORIZED or 403 FORBIDDEN when the viewer has since been suspended or demoted; 404
 * USER_NOT_FOUND; 409 SELF_ACTION_FORBIDDEN when the viewer would stop being an active administrator; 409
 * LAST_ADMIN.
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
    if (isActiveAdmin(user) && !isActiveAdmin(changed)) {
      if (id === viewer.id) throw new ApiError('SELF_ACTION_FORBIDDEN')
      if (!admins.some((admin) => admin !== id)) throw new ApiError('LAST_ADMIN')
    }
    const act = { actorId: viewer.id, requestId, reason: input.reason || null }
    await applyMembership(tx, user, changed, act, now)
    return toAdminUser(changed)
  })
}

/**
 * Replaces the permissions of a user, who is notified. Errors: 401 UNAUTHORIZED or 403 FORBIDDEN when the
 * viewer has since been suspended or demoted; 404 USER_NOT_FOUND.
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
 * Locks the user, the viewer and all active administrators, and returns the user with the ids of the active
 * administrators. Errors: 401 UNAUTHORIZED or 403 FORBIDDEN when the viewer is not an active administrator;
 * 404 USER_NOT_FOUND.
 */
export async function lockAsAdmin(tx: Tx, viewer: Viewer, id: string) {
  const locked = await listMemberAndAdminsLocked(tx, { id, viewerId: viewer.id })
  const self = locked.find((row) => row.id === viewer.id)
  if (!self || self.is_suspended) throw new ApiError('UNAUTHORIZED')
  if (self.role !== 'admin') throw new ApiError('FORBIDDEN')
  const user = locked.find((row) => row.id === id)
  if (!user) throw new ApiError('USER_NOT_FOUND')
  return { user, admins: locked.filter(isActiveAdmin).map((admin) => admin.id) }
}

/**
 * Makes a user an administrator on behalf of the operator. Returns false when the user already is one.
 * Errors: 404 USER_NOT_FOUND.
 */
export function promote(db: Handle, handle: string, now: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const user = await findMemberByHandleLocked(tx, keyOf(handle))
    if (!user) throw new ApiError('USER_NOT_FOUND')
    const operator = { actorId: null, requestId: null, reason: null }
    await applyMembership(tx, user, { ...user, role: 'admin' }, operator, now)
    return user.role !== 'admin'
  })
}

function isActiveAdmin({ role, is_suspended }: MemberRow): boolean {
  return role === 'admin' && is_suspended === 0
}

function withChanges(user: MemberRow, input: MembershipInput, now: number): MemberRow {
  const role = input.role ?? user.role
  const isSuspended = input.is_suspended ?? user.is_suspended === 1
  if (!isSuspended) {
    return { ...user, role, is_suspended: 0, suspended_at: null, suspension_reason: null }
  }
  const tellsWhy = input.is_suspended === true && input.reason !== undefined
  return {
    ...user,
    role,
    is_suspended: 1,
    suspended_at: user.suspended_at ?? now,
    suspension_reason: tellsWhy ? input.reason || null : user.suspension_reason,
  }
}

/** When the suspension changes, also deletes the user's sessions and hides or shows the user's contents. */
async function applyMembership(
  tx: Tx,
  before: MemberRow,
  after: MemberRow,
  act: Act,
  now: number,
): Promise<void> {
  const steps = stepsBetween(before, after)
  if (steps.length === 0) return
  await updateMembership(tx, after)
  if (after.is_suspended !== before.is_suspended) {
    // Lifting a suspension deletes sessions too: a login that raced with the suspension may have left one.
    await deleteSessionsOf(tx, after.id)
    await setAllPublic(tx, after.id, after.is_suspended === 0)
  }
  const notices: NewNotification[] = []
  for (const step of steps) {
    const fields = step.action === 'permissions_changed' ? toPermissions : toStanding
    const target = { kind: 'user', id: after.id }
    const change = {
      action: step.action,
      target,
      before: fields(step.before),
      after: fields(step.after),
    }
    const entryId = await writeAuditEntry(tx, act, change, now)
    const kind = kindOf(step)
    if (kind) {
      const subject = { actorId: null, subjectId: entryId, link: null }
      notices.push({ to: after.id, type: 'system', kind, ...subject })
    }
  }
  await notify(tx, notices, now)
}

const toPermissions = (row: MemberRow) => ({ permissions: permissionsOf(row) })

interface Step {
  action: AuditAction
  before: MemberRow
  after: MemberRow
}

function stepsBetween(before: MemberRow, after: MemberRow): Step[] {
  const steps: Step[] = []
  const promoted = { ...before, role: after.role, permissions: after.permissions }
  if (after.role !== before.role) {
    steps.push({ action: 'role_changed', before, after: promoted })
  }
  if (after.permissions !== before.permissions) {
    steps.push({ action: 'permissions_changed', before, after: promoted })
  }
  if (after.is_suspended !== before.is_suspended) {
    const action = after.is_suspended ? 'suspended' : 'suspension_lifted'
    steps.push({ action, before: promoted, after })
  } else if (after.suspension_reason !== before.suspension_reason) {
    steps.push({ action: 'suspension_reason_changed', before: promoted, after })
  }
  return steps
}

function kindOf({ action, after }: Step): NotificationKind | undefined {
  if (action === 'role_changed') return `system.role_${after.role}`
  if (action === 'permissions_changed') {
    return after.permissions === '[]' ? 'system.permissions_removed' : 'system.permissions_changed'
  }
  if (action === 'suspension_lifted') return 'system.suspension_lifted'
  return undefined
}
