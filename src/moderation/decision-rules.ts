/**
 * Decisions of moderators. Locks, except those of files, are taken in this order: cases, administrators and the user
 * (for suspensions), decisions, the subject, notification counts.
 */
import { type Act, writeAuditEntry } from '../audit/rules.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { CaseRow, DecisionRow } from '../db/moderation-tables.ts'
import { parseTime } from '../http/times.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { type NewNotification, notify } from '../notifications/notify.ts'
import type { NotificationKind } from '../notifications/schema.ts'
import { grantAppeals } from './appeal-queries.ts'
import {
  findDecisionRecord,
  findRuleText,
  insertDecision,
  listAffected,
  lockDecision,
  lockInEffect,
  updateAsUndone,
} from './decision-queries.ts'
import type { DecisionInput } from './decision-schema.ts'
import { applyEffect, lockSubject, undoEffect } from './effects.ts'
import { lockFilesOf } from './file-queries.ts'
import {
  applyMembership,
  asSuspended,
  asUnsuspended,
  lockAsAdmin,
  requireAdminLeft,
} from './membership.ts'
import { lockCase, lockOpenCase } from './report-queries.ts'
import { closeCase } from './reporters.ts'
import { isAnyAdmin } from './subject-queries.ts'
import { excerptOf, requireModeratable, requireOwner, type SubjectKey } from './subjects.ts'

export interface Moment {
  now: number
  /** `meta.request_id` of the response. */
  requestId: string
}

/** Returns a decision. Errors: 404 DECISION_NOT_FOUND. */
export async function requireDecision(db: Handle, id: string) {
  const decision = await findDecisionRecord(db, id)
  if (!decision) throw new ApiError('DECISION_NOT_FOUND')
  return decision
}

export function isAdminOnly(action: DecisionRow['action']): boolean {
  return action === 'suspend' || action === 'sweep'
}

/**
 * Makes a decision, applies it, and closes the named case or the open case of the subject. Returns the id of
 * the decision. Returns the id of an equal decision in effect, if any, with `isRepeat` true. Errors:
 * - 403 FORBIDDEN for moderators, when the action is only for admins or affects an admin;
 * - 404 CASE_NOT_FOUND, and the 404 of the subject's kind;
 * - 409 CASE_DECIDED, LAST_ADMIN;
 * - 409 SELF_ACTION_FORBIDDEN when the subject or the case is about the viewer;
 * - 422 for an unknown rule and for `since` in the future.
 */
export async function createDecision(
  db: Handle,
  viewer: Viewer,
  input: DecisionInput,
  moment: Moment,
): Promise<{ id: string; isRepeat: boolean }> {
  const { action } = input
  const decision = await toRow(db, viewer, input, moment.now)
  if (isAdminOnly(action) && viewer.role !== 'admin') throw new ApiError('FORBIDDEN')
  return db.transaction(async (tx) => {
    const open = await lockCases(tx, input)
    const owners = await findSubjectOwners(tx, input, decision)
    const users = [...owners, ...open.map(({ subject_user_id }) => subject_user_id)]
    await requireOthers(tx, viewer, users)
    if (action === 'suspend') return suspend(tx, viewer, decision, open, moment)
    const existing = isRepeatable(action) ? await lockInEffect(tx, decision.subject_id, action) : []
    await lockSubject(tx, decision.subject_id)
    const same = existing.find((row) => isSame(row, decision))
    if (same) {
      await notify(tx, await closeCases(tx, open, same, moment.now), moment.now)
      return { id: same.id, isRepeat: true }
    }
    if (action === 'rate') await replace(tx, existing, viewer, moment.now)
    await insertDecision(tx, decision, action === 'none' ? [] : owners)
    if (!(await applyEffect(tx, decision, moment.now))) {
      // The author may have deleted the subject since it was read. Then this check throws the 404 of the
      // subject's kind.
      await requireModeratable(tx, input.subject as SubjectKey)
    }
    const notifications = await closeCases(tx, open, decision, moment.now)
    const act: Act = { actorId: viewer.id, requestId: moment.requestId, reason: input.reason }
    await writeAuditEntry(tx, act, toChange('decision_made', decision), moment.now)
    const kind = notificationKindOf(decision)
    if (kind)
      notifications.push(...owners.map((to) => notificationAbout(decision, to, kind, decision.id)))
    await notify(tx, notifications, moment.now)
    return { id: decision.id, isRepeat: false }
  })
}

/**
 * Returns the row of a new decision, without the fields that `findSubjectOwners` sets. Errors: 422 for an unknown rule
 * and for `since` in the future.
 */
async function toRow(
  db: Handle,
  viewer: Viewer,
  { subject, action, reason, rule_id, rating, since }: DecisionInput,
  now: number,
): Promise<DecisionRow> {
  const sinceTime = action === 'sweep' && since ? (parseTime(since) ?? now) : null
  if (sinceTime !== null && sinceTime > now) throw invalid('since', 'invalid.future')
  const ruleText = rule_id ? await findRuleText(db, rule_id) : undefined
  if (rule_id && ruleText === undefined) throw invalid('rule_id', 'invalid.unknown_rule')
  return {
    id: newId('dec', now),
    subject_kind: subject.kind,
    subject_id: subject.kind === 'file' ? subject.id.toLowerCase() : subject.id,
    subject_user_id: null,
    action,
    reason,
    rule_id: rule_id || null,
    rule_text: ruleText ?? null,
    rating: action === 'rate' ? (rating ?? null) : null,
    since: sinceTime,
    excerpt: '',
    affected_count: action === 'none' || action === 'sweep' ? 0 : 1,
    status: action === 'sweep' ? 'applying' : 'in_effect',
    decided_by: viewer.id,
    undone_by: null,
    undone_at: null,
    created_at: now,
  }
}

/**
 * Locks and returns the cases that the decision closes: the named case, or the open case of the subject, if
 * any. Errors: 404 CASE_NOT_FOUND, 409 CASE_DECIDED.
 */
async function lockCases(tx: Tx, { case_id, subject }: DecisionInput): Promise<CaseRow[]> {
  if (!case_id) {
    const open = await lockOpenCase(tx, subject.id)
    return open ? [open] : []
  }
  const named = await lockCase(tx, case_id)
  if (!named) throw new ApiError('CASE_NOT_FOUND')
  if (named.status === 'decided') throw new ApiError('CASE_DECIDED')
  return [named]
}

/**
 * Sets the fields of `decision` that describe its subject. Returns the ids of the users affected: the subject's
 * user, or all users who uploaded the file. Errors: the 404 of the subject's kind.
 */
async function findSubjectOwners(
  tx: Tx,
  { subject, action }: DecisionInput,
  decision: DecisionRow,
): Promise<string[]> {
  if (subject.kind === 'file') {
    const { fileCount, owners } = await lockFilesOf(tx, decision.subject_id)
    if (action !== 'none') decision.affected_count = fileCount
    return owners
  }
  const key = subject as SubjectKey
  // A decision with the action `none` can close the case of a deleted subject, so the subject need not exist.
  const found =
    action === 'none'
      ? { text: '', user_id: await requireOwner(tx, key) }
      : await requireModeratable(tx, key)
  decision.excerpt = excerptOf(found.text)
  decision.subject_user_id = found.user_id
  return [found.user_id]
}

/**
 * Rejects decisions about the viewer, and decisions about admins unless the viewer is an admin. Errors: 409
 * SELF_ACTION_FORBIDDEN, 403 FORBIDDEN.
 */
export async function requireOthers(db: Handle, viewer: Viewer, owners: string[]): Promise<void> {
  if (owners.includes(viewer.id)) throw new ApiError('SELF_ACTION_FORBIDDEN')
  if (viewer.role === 'admin' || owners.length === 0) return
  if (await isAnyAdmin(db, owners)) throw new ApiError('FORBIDDEN')
}

const isRepeatable = (action: DecisionRow['action']) => action !== 'warn' && action !== 'sweep'

function isSame(left: DecisionRow, right: DecisionRow): boolean {
  return (
    left.action !== 'none' &&
    left.reason === right.reason &&
    left.rule_id === right.rule_id &&
    left.rating === right.rating
  )
}

async function closeCases(
  tx: Tx,
  open: readonly CaseRow[],
  decision: DecisionRow,
  now: number,
): Promise<NewNotification[]> {
  const outcome = decision.action === 'none' ? 'dismissed' : 'actioned'
  const notifications: NewNotification[] = []
  for (const row of open)
    notifications.push(...(await closeCase(tx, row, decision.id, outcome, now)))
  return notifications
}

/** Marks decisions as undone because a new decision replaces them, and grants the open appeals against them. */
async function replace(tx: Tx, decisions: readonly DecisionRow[], viewer: Viewer, now: number) {
  for (const { id } of decisions) {
    await updateAsUndone(tx, { id, status: 'undone', undoneBy: viewer.id, now })
    await grantAppeals(tx, id, viewer.id, now)
  }
}

async function suspend(
  tx: Tx,
  viewer: Viewer,
  decision: DecisionRow,
  open: readonly CaseRow[],
  { now, requestId }: Moment,
): Promise<{ id: string; isRepeat: boolean }> {
  const { user, admins } = await lockAsAdmin(tx, viewer, decision.subject_id)
  const after = asSuspended(user, decision.reason, now)
  requireAdminLeft(user, after, { viewer, admins })
  const act = { actorId: viewer.id, requestId, reason: decision.reason }
  const made = await applyMembership(tx, user, after, act, now, decision)
  const [existing] = made ? [] : await lockInEffect(tx, user.id, 'suspend')
  const id = made ?? existing?.id
  if (id === undefined) throw new Error(`user ${user.id} is suspended without a decision`)
  await notify(tx, await closeCases(tx, open, { ...decision, id }, now), now)
  return { id, isRepeat: made === undefined }
}

/**
 * Takes back a decision in a separate transaction. Errors: those of `takeBack`;
 * - 403 FORBIDDEN for moderators, when the action is only for admins or affects an admin;
 * - 409 SELF_ACTION_FORBIDDEN for decisions about the viewer.
 */
export async function undoDecision(
  db: Handle,
  viewer: Viewer,
  id: string,
  reason: string | null,
  moment: Moment,
): Promise<void> {
  const { action } = await requireDecision(db, id)
  if (isAdminOnly(action) && viewer.role !== 'admin') throw new ApiError('FORBIDDEN')
  await requireOthers(db, viewer, await listAffected(db, id))
  const act = { actorId: viewer.id, requestId: moment.requestId, reason }
  await db.transaction((tx) => takeBack(tx, viewer, id, act, moment.now))
}

/**
 * Undoes the effect of a decision, grants the open appeals against it, and notifies the affected users. Errors:
 * 404 DECISION_NOT_FOUND; 409 DECISION_NOT_IN_EFFECT; for a suspension, 401 UNAUTHORIZED or 403 FORBIDDEN when
 * the viewer is not an active admin.
 */
export async function takeBack(
  tx: Tx,
  viewer: Viewer,
  id: string,
  act: Act,
  now: number,
): Promise<void> {
  const found = await requireDecision(tx, id)
  const locked =
    found.action === 'suspend' ? await lockAsAdmin(tx, viewer, found.subject_id) : undefined
  const decision = await lockDecision(tx, id)
  const isInEffect = decision?.status === 'in_effect' || decision?.status === 'applying'
  if (!decision || !isInEffect || decision.action === 'none') {
    throw new ApiError('DECISION_NOT_IN_EFFECT')
  }
  if (locked) {
    await applyMembership(tx, locked.user, asUnsuspended(locked.user), act, now)
    return
  }
  await lockSubject(tx, decision.subject_id)
  await undoEffect(tx, decision, now)
  const status = decision.action === 'sweep' ? 'undoing' : 'undone'
  await updateAsUndone(tx, { id, status, undoneBy: act.actorId, now })
  await grantAppeals(tx, id, act.actorId, now)
  const entryId = await writeAuditEntry(tx, act, toChange('decision_undone', decision), now)
  const users = await listAffected(tx, id)
  const notifications = users.map((to) =>
    notificationAbout(decision, to, 'system.decision_undone', entryId),
  )
  await notify(tx, notifications, now)
}

function toChange(action: 'decision_made' | 'decision_undone', decision: DecisionRow) {
  const { id, subject_kind, subject_id, reason, rule_id, rating } = decision
  const state = { decision_id: id, action: decision.action, reason, rule_id, rating }
  return {
    action,
    target: { kind: subject_kind, id: subject_id },
    before: action === 'decision_made' ? null : state,
    after: action === 'decision_made' ? state : null,
  }
}

function notificationKindOf({ action, subject_kind }: DecisionRow): NotificationKind | undefined {
  if (action === 'none') return undefined
  if (action !== 'hide') return `system.decision_${action}`
  return `system.decision_hide_${subject_kind as 'content' | 'comment' | 'post' | 'message'}`
}

function notificationAbout(
  { id }: DecisionRow,
  to: string,
  kind: NotificationKind,
  subjectId: string,
): NewNotification {
  return { to, type: 'system', kind, actorId: null, subjectId, link: `/decisions/${id}` }
}
