import { type Act, actOf, writeAuditEntry } from '../audit/rules.ts'
import type { Handle } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { InviteRow } from '../db/registration-tables.ts'
import { inviteHash, newInviteCode } from '../admission/invite-code.ts'
import {
  countLiveInvites,
  insertInvite,
  listInvited,
  listInviteRows,
  lockInvite,
  revokeInviteRow,
} from '../admission/invite-queries.ts'
import { ApiError, invalid } from '../errors.ts'
import { may, type Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { parseTime } from '../http/times.ts'
import { findSite } from '../settings/queries.ts'
import { type Fixed, settingsOf } from '../site-settings.ts'
import { findUserLocked } from '../users/accounts.ts'
import { type InviteInput, toInvite } from './schema.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DEFAULT_DAYS = 7
const DAYS_MAX = 365

export type InviteSettings = Fixed & { encryptionKey: string }

/** Returns the maximum number of live invites of the viewer. It is infinite with the permission `members`. */
export async function inviteAllowance(db: Handle, fixed: Fixed, viewer: Viewer): Promise<number> {
  if (may(viewer, 'members')) return Infinity
  return settingsOf(await findSite(db), fixed).invites_per_user
}

/**
 * Creates an invite. Errors: FORBIDDEN when the allowance is 0; 422 on `expires_at`; LIMIT_REACHED when the viewer
 * has used up the allowance.
 */
export async function createInvite(
  db: Handle,
  config: InviteSettings,
  viewer: Viewer,
  { max_uses = 1, expires_at, note }: InviteInput,
  { now, requestId }: { now: number; requestId: string },
) {
  const expires =
    typeof expires_at === 'string' ? (parseTime(expires_at) ?? 0) : now + DEFAULT_DAYS * DAY_MS
  if (expires <= now) throw invalid('expires_at', 'invalid.past')
  if (expires > now + DAYS_MAX * DAY_MS) {
    throw invalid('expires_at', 'invalid.too_late', { limit: DAYS_MAX })
  }
  const allowance = await inviteAllowance(db, config, viewer)
  if (allowance === 0) throw new ApiError('FORBIDDEN')
  const code = newInviteCode()
  return db.transaction(async (tx) => {
    const user = await findUserLocked(tx, viewer.id)
    if (!user) throw new ApiError('UNAUTHORIZED')
    if ((await countLiveInvites(tx, viewer.id, now)) >= allowance) {
      throw new ApiError('LIMIT_REACHED')
    }
    const row: InviteRow = {
      id: newId('inv', now),
      code_hash: inviteHash(config, code),
      created_by: viewer.id,
      max_uses,
      use_count: 0,
      note: note || null,
      expires_at: expires,
      revoked_at: null,
      created_at: now,
    }
    await insertInvite(tx, row)
    if (may(viewer, 'members')) {
      const change = {
        action: 'invite_created' as const,
        target: { kind: 'invite', id: row.id },
        before: null,
        after: { max_uses, note: row.note },
      }
      await writeAuditEntry(tx, actOf(viewer, requestId), change, now)
    }
    return toInvite({ ...user, ...row }, [], code)
  })
}

/** Returns a page of the invites of a user, or of all users when `userId` is null, newest first. */
export async function listInvites(db: Handle, userId: string | null, page: PageInput) {
  const { rows, total } = await listInviteRows(db, userId, offsetOf(page))
  const invited = await listInvited(
    db,
    rows.map(({ id }) => id),
  )
  return {
    invites: rows.map((row) =>
      toInvite(
        row,
        invited.filter(({ invite_id }) => invite_id === row.id),
        null,
      ),
    ),
    pagination: paginationOf(page, total),
  }
}

/**
 * Ends an invite. Users who registered with it keep their accounts. Errors: INVITE_NOT_FOUND, also for invites
 * of other users unless the viewer has the permission `members`.
 */
export function revokeInvite(
  db: Handle,
  viewer: Viewer,
  act: Act,
  id: string,
  now: number,
): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockInvite(tx, id)
    const isOwn = row?.created_by === viewer.id
    if (!row || !(isOwn || may(viewer, 'members'))) throw new ApiError('INVITE_NOT_FOUND')
    if (row.revoked_at !== null) return
    await revokeInviteRow(tx, id, now)
    if (!may(viewer, 'members')) return
    const change = {
      action: 'invite_revoked' as const,
      target: { kind: 'invite', id },
      before: { use_count: row.use_count },
      after: null,
    }
    await writeAuditEntry(tx, act, change, now)
  })
}
