import type { Config } from '../config.ts'
import { removeFactors } from '../factors/rules.ts'
import { type Act, writeAuditEntry } from '../audit/rules.ts'
import { issueResetLink } from '../auth/mail-tokens.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import type { MailSettings } from '../mail/rules.ts'
import { findManagedUserByHandleLocked, type ManagedUserRow } from '../users/managed.ts'
import { keyOf } from '../users/schema.ts'
import { lockAsAdmin } from '../moderation/membership.ts'

/** A link for a password reset. `expiresAt` is Unix time in milliseconds. */
interface ResetLink {
  url: string
  expiresAt: number
}

/**
 * Returns a link that resets the user's password, and invalidates earlier reset links. The link is not mailed, so using
 * it does not verify the user's email.
 *
 * Errors: UNAUTHORIZED or FORBIDDEN when the viewer was suspended or demoted after authentication; USER_NOT_FOUND.
 */
export function createResetLink(
  db: Handle,
  settings: MailSettings,
  viewer: Viewer,
  id: string,
  { now, requestId }: { now: number; requestId: string },
): Promise<ResetLink> {
  return db.transaction(async (tx) => {
    const { user } = await lockAsAdmin(tx, viewer, id)
    return linkFor(tx, settings, user, { actorId: viewer.id, requestId, reason: null }, now)
  })
}

/**
 * For the operator, returns a link that resets the password of the user with this handle. `removesFactors`: also
 * removes TOTP, passkeys and recovery codes. Errors: USER_NOT_FOUND.
 */
export function createResetLinkByHandle(
  db: Handle,
  settings: MailSettings & Pick<Config, 'defaultLanguage'>,
  handle: string,
  { removesFactors }: { removesFactors: boolean },
  now: number,
): Promise<ResetLink> {
  return db.transaction(async (tx) => {
    const user = await findManagedUserByHandleLocked(tx, keyOf(handle))
    if (!user) throw new ApiError('USER_NOT_FOUND')
    const operator = { actorId: null, requestId: null, reason: null }
    if (removesFactors) {
      const alertContext = { settings, language: settings.defaultLanguage, now }
      const everyFactor = { since: 0, change: 'removed_by_operator' } as const
      await removeFactors(tx, user.id, everyFactor, operator, alertContext)
    }
    return linkFor(tx, settings, user, operator, now)
  })
}

async function linkFor(
  tx: Tx,
  settings: MailSettings,
  { id }: ManagedUserRow,
  act: Act,
  now: number,
): Promise<ResetLink> {
  const target = { kind: 'user', id }
  const change = { action: 'reset_link_created', target, before: null, after: null } as const
  await writeAuditEntry(tx, act, change, now)
  return issueResetLink(tx, settings, id, null, now)
}
