/**
 * Changes of a user's role, permissions and suspension, with their audit entries, notifications and decisions.
 */
import { type Act, writeAuditEntry } from '../audit/rules.ts'
import { announce } from '../contents/publish.ts'
import { setAllShown } from '../contents/visibility.ts'
import type { AuditAction } from '../db/audit-tables.ts'
import type { Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { DecisionRow } from '../db/moderation-tables.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { type NewNotification, notify } from '../notifications/notify.ts'
import type { NotificationKind } from '../notifications/schema.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import {
  listUserAndAdminsLocked,
  type ManagedUserRow,
  toAuditFields,
  updateMembership,
} from '../users/managed.ts'
import { permissionsOf } from '../users/schema.ts'
import { grantAppeals, moveAppeals } from './appeal-queries.ts'
import { insertDecision, lockInEffect, updateAsUndone } from './decision-queries.ts'
import { excerptOf } from './subjects.ts'

/**
 * Locks the user, the viewer and all active administrators. Returns the user and the ids of the active
 * administrators. Errors: 401 UNAUTHORIZED or 403 FORBIDDEN when the viewer is not an active administrator; 404
 * USER_NOT_FOUND.
 */
export async function lockAsAdmin(tx: Tx, viewer: Viewer, id: string) {
  const locked = await listUserAndAdminsLocked(tx, { id, viewerId: viewer.id })
  const self = locked.find((row) => row.id === viewer.id)
  if (!self || self.is_suspended) throw new ApiError('UNAUTHORIZED')
  if (self.role !== 'admin') throw new ApiError('FORBIDDEN')
  const user = locked.find((row) => row.id === id)
  if (!user) throw new ApiError('USER_NOT_FOUND')
  return { user, admins: locked.filter(isActiveAdmin).map((admin) => admin.id) }
}

function isActiveAdmin({ role, is_suspended }: ManagedUserRow): boolean {
  return role === 'admin' && is_suspended === 0
}

/**
 * Rejects a change that ends the active admin role of the viewer (409 SELF_ACTION_FORBIDDEN) or of the last active
 * admin (409 LAST_ADMIN).
 */
export function requireAdminLeft(
  before: ManagedUserRow,
  after: ManagedUserRow,
  { viewer, admins }: { viewer: Viewer; admins: readonly string[] },
): void {
  if (!isActiveAdmin(before) || isActiveAdmin(after)) return
  if (before.id === viewer.id) throw new ApiError('SELF_ACTION_FORBIDDEN')
  if (!admins.some((admin) => admin !== before.id)) throw new ApiError('LAST_ADMIN')
}

export function asSuspended(
  user: ManagedUserRow,
  reason: string | null,
  now: number,
): ManagedUserRow {
  return {
    ...user,
    is_suspended: 1,
    suspended_at: user.suspended_at ?? now,
    suspension_reason: reason,
  }
}

export function asUnsuspended(user: ManagedUserRow): ManagedUserRow {
  return { ...user, is_suspended: 0, suspended_at: null, suspension_reason: null }
}

type Rule = Pick<DecisionRow, 'rule_id' | 'rule_text'>

/**
 * Stores a change of a user's role, permissions or suspension, with audit entries and notifications. Does nothing when
 * `before` and `after` are equal. The caller holds the lock of the user.
 *
 * When the suspension changes, also deletes the user's sessions, hides or shows the user's contents, and makes or
 * undoes the decision. When only the reason of the suspension changes, makes a new decision and moves the open appeals
 * to the new decision. Returns the id of the new decision, or undefined.
 */
export async function applyMembership(
  tx: Tx,
  before: ManagedUserRow,
  after: ManagedUserRow,
  act: Act,
  now: number,
  rule: Rule = { rule_id: null, rule_text: null },
): Promise<string | undefined> {
  const steps = stepsBetween(before, after)
  if (steps.length === 0) return undefined
  await updateMembership(tx, after)
  const undone = await undoSuspensions(tx, before, after, act, now)
  const notifications: NewNotification[] = []
  if (after.is_suspended !== before.is_suspended) {
    // Lifting a suspension deletes sessions too: a login that raced with the suspension may have left a
    // session.
    await deleteSessionsOf(tx, after.id)
    const changes = await setAllShown(tx, after.id, after.is_suspended === 0, now)
    const firsts = changes.filter(({ isFirst }) => isFirst)
    notifications.push(...(await announce(tx, firsts, now)))
  }
  const decisionId = await insertSuspension(tx, before, after, act, now, rule)
  for (const id of undone) {
    if (decisionId === undefined) await grantAppeals(tx, id, act.actorId, now)
    else await moveAppeals(tx, id, decisionId)
  }
  for (const step of steps) {
    const entryId = await writeAuditEntry(tx, act, changeOf(step), now)
    const kind = kindOf(step)
    if (!kind) continue
    const link = linkOf(step, { decisionId, undoneId: undone.at(-1) })
    notifications.push({
      to: after.id,
      type: 'system',
      kind,
      actorId: null,
      subjectId: entryId,
      link,
    })
  }
  await notify(tx, notifications, now)
  return decisionId
}

const suspensionChanges = (before: ManagedUserRow, after: ManagedUserRow) =>
  after.is_suspended !== before.is_suspended || after.suspension_reason !== before.suspension_reason

/**
 * Marks the decisions to suspend as undone when the suspension ends or its reason changes. Returns their ids,
 * oldest first.
 */
async function undoSuspensions(
  tx: Tx,
  before: ManagedUserRow,
  after: ManagedUserRow,
  { actorId }: Act,
  now: number,
): Promise<string[]> {
  if (!before.is_suspended || !suspensionChanges(before, after)) return []
  const decisions = await lockInEffect(tx, after.id, 'suspend')
  for (const { id } of decisions) {
    await updateAsUndone(tx, { id, status: 'undone', undoneBy: actorId, now })
  }
  return decisions.map(({ id }) => id)
}

async function insertSuspension(
  tx: Tx,
  before: ManagedUserRow,
  after: ManagedUserRow,
  { actorId }: Act,
  now: number,
  rule: Rule,
): Promise<string | undefined> {
  if (!after.is_suspended || !suspensionChanges(before, after)) return undefined
  const id = newId('dec', now)
  const decision: DecisionRow = {
    ...rule,
    id,
    subject_kind: 'user',
    subject_id: after.id,
    subject_user_id: after.id,
    action: 'suspend',
    reason: after.suspension_reason ?? '',
    rating: null,
    since: null,
    excerpt: excerptOf(after.display_name),
    affected_count: 1,
    status: 'in_effect',
    decided_by: actorId,
    undone_by: null,
    undone_at: null,
    created_at: now,
  }
  await insertDecision(tx, decision, [after.id])
  return id
}

interface Step {
  action: AuditAction
  before: ManagedUserRow
  after: ManagedUserRow
}

const toPermissions = (row: ManagedUserRow) => ({ permissions: permissionsOf(row) })

function changeOf({ action, before, after }: Step) {
  const fields = action === 'permissions_changed' ? toPermissions : toAuditFields
  const target = { kind: 'user', id: after.id }
  return { action, target, before: fields(before), after: fields(after) }
}

function stepsBetween(before: ManagedUserRow, after: ManagedUserRow): Step[] {
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

interface Decided {
  decisionId: string | undefined
  undoneId: string | undefined
}

function linkOf({ action }: Step, { decisionId, undoneId }: Decided): string | null {
  if (action === 'permissions_changed') return '/account'
  const id = action === 'suspension_lifted' ? undoneId : decisionId
  return action === 'role_changed' || id === undefined ? null : `/decisions/${id}`
}

function kindOf({ action, after }: Step): NotificationKind | undefined {
  if (action === 'role_changed') return `system.role_${after.role}`
  if (action === 'permissions_changed') {
    return after.permissions === '[]' ? 'system.permissions_removed' : 'system.permissions_changed'
  }
  if (action === 'suspension_lifted') return 'system.suspension_lifted'
  return 'system.decision_suspend'
}
