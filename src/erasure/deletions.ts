/**
 * Deletes accounts: after a grace period when the user requests it, or at once when an administrator or the
 * operator does.
 */
import { lockAsAdmin } from '../moderation/membership.ts'
import { type Act, actOf, writeAuditEntry } from '../audit/rules.ts'
import { deleteTokensOf } from '../auth/mail-token-queries.ts'
import type { Config } from '../config.ts'
import type { DeletionRow, ErasureChoice } from '../db/erasure-tables.ts'
import type { Db, Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import { endAppsOf } from '../devconsole/erase.ts'
import { ApiError } from '../errors.ts'
import { lockProven, type Proof } from '../factors/confirm.ts'
import { deleteFactors } from '../factors/rules.ts'
import { deleteJobOf } from '../jobs/rules.ts'
import type { Viewer } from '../http/auth.ts'
import { mailUser, type MailSettings } from '../mail/rules.ts'
import { type Language, message } from '../messages/language.ts'
import { notify } from '../notifications/notify.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { findUserLocked, updateUserTotal } from '../users/accounts.ts'
import {
  deleteDeletion,
  findDeletion,
  listDueDeletions,
  putDeletion,
  toDeletion,
} from '../users/deletions.ts'
import {
  findManagedUserByHandleLocked,
  listUserAndAdminsLocked,
  type ManagedUserRow,
} from '../users/managed.ts'
import { reserveHandle } from '../users/reserved-handles.ts'
import { keyOf } from '../users/schema.ts'
import { updateToTombstone } from '../users/tombstones.ts'
import { queueErasure } from './begin-content.ts'
import { insertErasure } from './queries.ts'

const DUE_MAX = 100

export interface Choices {
  contents: ErasureChoice
  texts: ErasureChoice
}

export type DeletionSettings = MailSettings &
  Pick<Config, 'erasureGrace' | 'tokenSecret' | 'defaultLanguage'>

/**
 * Schedules the deletion of the viewer's account. A repeated call replaces the choices and keeps the scheduled
 * time. Errors: those of `lockProven`; 409 LAST_ADMIN.
 */
export async function scheduleDeletion(
  db: Handle,
  config: DeletionSettings,
  viewer: Viewer,
  { contents, texts }: Choices,
  proof: Proof,
  { now, language }: { now: number; language: Language },
) {
  return db.transaction(async (tx) => {
    const users = await listUserAndAdminsLocked(tx, { id: viewer.id, viewerId: viewer.id })
    const user = await lockProven(tx, viewer, proof)
    if (user.erased_at !== null) throw new ApiError('UNAUTHORIZED')
    if (isLastAdmin(viewer.id, users)) throw new ApiError('LAST_ADMIN')
    const earlier = await findDeletion(tx, viewer.id)
    const due_at = earlier?.due_at ?? now + config.erasureGrace * 1000
    const requested_at = earlier?.requested_at ?? now
    const row = { user_id: viewer.id, contents, texts, requested_at, due_at, language }
    await putDeletion(tx, row)
    if (!earlier) {
      const params = { handle: user.handle, due: due_at }
      const mail = { kind: 'deletion_scheduled', userId: viewer.id, language, params } as const
      await mailUser(tx, config, mail, now)
    }
    return { deletion: toDeletion(row) }
  })
}

/** Cancels the viewer's scheduled deletion. Errors: 404 DELETION_NOT_FOUND. */
export async function cancelDeletion(db: Handle, viewer: Viewer): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await findUserLocked(tx, viewer.id)
    // The deletion may have begun while this request waited for the lock.
    if (user?.erased_at != null || !(await deleteDeletion(tx, viewer.id))) {
      throw new ApiError('DELETION_NOT_FOUND')
    }
  })
}

/**
 * Erases another user at once. Errors: 401 UNAUTHORIZED or 403 FORBIDDEN when the viewer is no longer an
 * administrator; 404 USER_NOT_FOUND; 409 SELF_ACTION_FORBIDDEN; 409 LAST_ADMIN.
 */
export function eraseUser(
  db: Handle,
  config: DeletionSettings,
  viewer: Viewer,
  id: string,
  { reason, ...choices }: Choices & { reason: string },
  { now, requestId }: { now: number; requestId: string },
) {
  return db.transaction(async (tx) => {
    await queueErasure(tx, id, now)
    const { user, admins } = await lockAsAdmin(tx, viewer, id)
    if (id === viewer.id) throw new ApiError('SELF_ACTION_FORBIDDEN')
    if (user.role === 'admin' && admins.every((admin) => admin === id)) {
      throw new ApiError('LAST_ADMIN')
    }
    const act = actOf(viewer, requestId, reason)
    return { deletion: toDeletion(await beginUserErasure(tx, config, user, choices, { act, now })) }
  })
}

/**
 * Erases a user on behalf of the operator, and returns the user's id. Errors: 404 USER_NOT_FOUND; 409
 * LAST_ADMIN.
 */
export function eraseUserByOperator(
  db: Handle,
  config: DeletionSettings,
  handle: string,
  choices: Choices,
  now: number,
): Promise<string> {
  return db.transaction(async (tx) => {
    const found = await findManagedUserByHandleLocked(tx, keyOf(handle))
    if (!found) throw new ApiError('USER_NOT_FOUND')
    const users = await listUserAndAdminsLocked(tx, { id: found.id, viewerId: found.id })
    if (isLastAdmin(found.id, users)) throw new ApiError('LAST_ADMIN')
    await queueErasure(tx, found.id, now)
    const act = { actorId: null, requestId: null, reason: null }
    await beginUserErasure(tx, config, found, choices, { act, now })
    return found.id
  })
}

/** Begins up to DUE_MAX due deletions. Cancels the deletion of the last administrator and notifies that user. */
export async function startDueDeletions(
  db: Db,
  config: DeletionSettings,
  now: number,
): Promise<void> {
  for (const id of await listDueDeletions(db, now, DUE_MAX)) {
    await db.transaction(async (tx) => {
      await queueErasure(tx, id, now)
      const users = await listUserAndAdminsLocked(tx, { id, viewerId: id })
      const deletion = await findDeletion(tx, id)
      const user = users.find((row) => row.id === id)
      // Another process has cancelled or begun the deletion in the meantime.
      if (!user || !deletion || deletion.due_at === null || deletion.due_at > now) {
        return deleteJobOf(tx, 'erasure', id)
      }
      if (isLastAdmin(id, users)) return cancelForLastAdmin(tx, id, now)
      const act = { actorId: id, requestId: null, reason: null }
      await beginUserErasure(tx, config, user, deletion, { act, now })
    })
  }
}

async function cancelForLastAdmin(tx: Tx, userId: string, now: number): Promise<void> {
  await deleteJobOf(tx, 'erasure', userId)
  await deleteDeletion(tx, userId)
  const subject = { actorId: null, subjectId: newId('ntf', now), link: '/account' }
  await notify(
    tx,
    [{ to: userId, type: 'system', kind: 'system.deletion_cancelled', ...subject }],
    now,
  )
}

function isLastAdmin(id: string, users: readonly ManagedUserRow[]): boolean {
  const admins = users.filter(({ role, is_suspended }) => role === 'admin' && !is_suspended)
  return admins.length === 1 && admins[0]?.id === id
}

/**
 * Begins the erasure of a user: ends sessions, factors, keys, apps and webhooks, frees the email address and reserves
 * the handle. The caller queues the job that erases the rest, and holds the user's lock.
 */
export async function beginUserErasure(
  tx: Tx,
  config: DeletionSettings,
  user: ManagedUserRow,
  { contents, texts }: Choices,
  { act, now }: { act: Act; now: number },
): Promise<DeletionRow> {
  const { id } = user
  await deleteSessionsOf(tx, id)
  await deleteTokensOf(tx, id)
  await deleteFactors(tx, id)
  await endAppsOf(tx, id, now)
  await reserveHandle(tx, config, user.handle)
  const name = message(config.defaultLanguage, 'user.erased')
  await updateToTombstone(tx, { id, name }, now)
  const row: DeletionRow = {
    user_id: id,
    contents,
    texts,
    requested_at: now,
    due_at: null,
    language: config.defaultLanguage,
  }
  await putDeletion(tx, row)
  await insertErasure(tx, id, now)
  const change = {
    action: 'erased',
    target: { kind: 'user', id },
    before: null,
    after: { contents, texts },
  } as const
  await writeAuditEntry(tx, act, change, now)
  await updateUserTotal(tx, -1)
  return row
}
