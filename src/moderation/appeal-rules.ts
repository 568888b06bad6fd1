import { writeAuditEntry } from '../audit/rules.ts'
import { type AuthTools, withPassword } from '../auth/rules.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { AppealRow, AppealStatus } from '../db/moderation-tables.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import type { ClientAddress } from '../limits/address.ts'
import type { Language } from '../messages/language.ts'
import { notify } from '../notifications/notify.ts'
import { findUserLocked } from '../users/accounts.ts'
import { toUserRef } from '../users/schema.ts'
import {
  type AppealListRow,
  findAppeal,
  findAppealAgainst,
  insertAppeal,
  listAppealRows,
  lockAppeal,
  updateAnswer,
} from './appeal-queries.ts'
import {
  findDecisionRecord,
  isAffectedBy,
  listAffected,
  listDecisionsById,
  lockDecision,
  lockInEffect,
} from './decision-queries.ts'
import { isAdminOnly, type Moment, requireOthers, takeBack } from './decision-rules.ts'
import { toAppeal, toDecision } from './decision-schema.ts'
import { lockAsAdmin } from './membership.ts'
import { spendGuard } from './report-rules.ts'

/**
 * Creates the viewer's appeal against a decision that affects the viewer. Errors: 404 DECISION_NOT_FOUND; 409
 * DECISION_NOT_IN_EFFECT; 409 LIMIT_REACHED for a second appeal; 429 RATE_LIMITED.
 */
export function createAppeal(
  db: Handle,
  viewer: Viewer,
  decisionId: string,
  body: string,
  now: number,
): Promise<AppealRow> {
  return db.transaction(async (tx) => {
    await spendGuard(tx, 'appeal', viewer.id, now)
    if (!(await isAffectedBy(tx, viewer.id, decisionId))) throw new ApiError('DECISION_NOT_FOUND')
    // Without this lock, a simultaneous undo of the decision could miss the new appeal. The undo also locks the
    // decision before it grants the appeals.
    const decision = await lockDecision(tx, decisionId)
    if (decision?.status !== 'in_effect' && decision?.status !== 'applying') {
      throw new ApiError('DECISION_NOT_IN_EFFECT')
    }
    return insert(tx, decisionId, viewer.id, body, now)
  })
}

/**
 * Creates an appeal against the suspension of an account. Checks the password, because a suspended account
 * cannot sign in. Returns an earlier appeal with `isRepeat` true. Errors:
 * - 401 INVALID_CREDENTIALS;
 * - 409 DECISION_NOT_IN_EFFECT when the account is not suspended;
 * - 429 RATE_LIMITED;
 * - 503 SERVICE_UNAVAILABLE when too many requests hash passwords.
 */
export async function appealSuspension(
  db: Handle,
  tools: AuthTools,
  { identifier, password, body }: { identifier: string; password: string; body: string },
  client: ClientAddress,
  now: number,
): Promise<{ appeal: AppealRow; isRepeat: boolean }> {
  const sent = { identifier, password }
  const user = await withPassword(db, tools, sent, client, now, async (found, wasGood) => {
    await wasGood()
    return found
  })
  return db.transaction(async (tx) => {
    const locked = await findUserLocked(tx, user.id)
    if (locked?.password_hash !== user.password_hash) throw new ApiError('INVALID_CREDENTIALS')
    const decision = locked.is_suspended
      ? (await lockInEffect(tx, user.id, 'suspend')).at(-1)
      : undefined
    if (!decision) throw new ApiError('DECISION_NOT_IN_EFFECT')
    const first = await findAppealAgainst(tx, decision.id, user.id)
    if (first) return { appeal: first, isRepeat: true }
    await spendGuard(tx, 'appeal', user.id, now)
    return { appeal: await insert(tx, decision.id, user.id, body, now), isRepeat: false }
  })
}

async function insert(tx: Tx, decisionId: string, userId: string, body: string, now: number) {
  const appeal: AppealRow = {
    id: newId('apl', now),
    decision_id: decisionId,
    user_id: userId,
    body,
    status: 'open',
    answer: null,
    answered_by: null,
    created_at: now,
    answered_at: null,
  }
  if (!(await insertAppeal(tx, appeal))) throw new ApiError('LIMIT_REACHED')
  return appeal
}

/** Returns a page of appeals with their users and decisions, oldest first. */
export async function listAppeals(
  db: Handle,
  query: PageInput & { status?: AppealStatus | undefined },
  language: Language,
) {
  const { appeals, total } = await listAppealRows(db, query.status, offsetOf(query))
  return {
    appeals: await toRecords(db, appeals, language),
    pagination: paginationOf(query, total),
  }
}

async function toRecords(db: Handle, rows: readonly AppealListRow[], language: Language) {
  const ids = [...new Set(rows.map(({ decision_id }) => decision_id))]
  const decisions = new Map((await listDecisionsById(db, ids)).map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const decision = decisions.get(row.decision_id)
    if (!decision) return []
    const user = toUserRef({ ...row, id: row.user_id })
    return [{ ...toAppeal(row), user, decision: toDecision(decision, language) }]
  })
}

/**
 * Answers an appeal and notifies its user. `granted` undoes the decision in the same transaction. Errors: with
 * `granted`, those of `takeBack`;
 * - 403 FORBIDDEN for moderators, when the action is only for admins or the decision affects an admin;
 * - 404 APPEAL_NOT_FOUND;
 * - 409 APPEAL_ANSWERED;
 * - 409 SELF_ACTION_FORBIDDEN for a decision about the viewer.
 */
export async function answerAppeal(
  db: Handle,
  viewer: Viewer,
  id: string,
  { outcome, answer }: { outcome: 'granted' | 'upheld' | 'closed'; answer: string },
  { now, requestId }: Moment,
): Promise<AppealRow> {
  const found = await findAppeal(db, id)
  const about = found && (await findDecisionRecord(db, found.decision_id))
  if (!found || !about) throw new ApiError('APPEAL_NOT_FOUND')
  if (isAdminOnly(about.action) && viewer.role !== 'admin') throw new ApiError('FORBIDDEN')
  await requireOthers(db, viewer, await listAffected(db, about.id))
  return db.transaction(async (tx) => {
    if (about.action === 'suspend') await lockAsAdmin(tx, viewer, about.subject_id)
    await lockDecision(tx, about.id)
    const appeal = await lockAppeal(tx, id)
    if (appeal?.status !== 'open') throw new ApiError('APPEAL_ANSWERED')
    const act = { actorId: viewer.id, requestId, reason: answer }
    if (outcome === 'granted') await takeBack(tx, viewer, appeal.decision_id, act, now)
    await updateAnswer(tx, { id, status: outcome, answer, answeredBy: viewer.id, now })
    const change = {
      action: 'appeal_answered' as const,
      target: { kind: 'appeal', id },
      before: { status: 'open' },
      after: { status: outcome },
    }
    await writeAuditEntry(tx, act, change, now)
    const notification = {
      to: appeal.user_id,
      type: 'system' as const,
      kind: 'system.appeal_answered' as const,
      actorId: null,
      subjectId: id,
      link: `/decisions/${appeal.decision_id}`,
    }
    await notify(tx, [notification], now)
    return { ...appeal, status: outcome, answer, answered_at: now }
  })
}
