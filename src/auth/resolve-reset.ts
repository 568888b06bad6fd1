import type { Handle, Tx } from '../db/handle.ts'
import { mayMail } from '../mail/limit.ts'
import { deleteMail, updateRecipient } from '../mail/queries.ts'
import { type MailSettings, sealFor, unsealOf } from '../mail/rules.ts'
import type { Resolve } from '../mail/sender.ts'
import { findUserByEmail, findUserByHandle, findUserLocked } from '../users/accounts.ts'
import { keyOf } from '../users/schema.ts'
import { issueResetLink } from './mail-tokens.ts'

/** Returns the user with this handle or email, or undefined. `identifier` must be in lower case. */
export function findByIdentifier(db: Handle, identifier: string) {
  return identifier.includes('@')
    ? findUserByEmail(db, identifier)
    : findUserByHandle(db, identifier)
}

/**
 * Returns the function that adds the recipient and the link to a queued password reset. The function deletes the mail
 * when the account does not exist, is suspended or has reached its mail limit.
 */
export function resolveResets(settings: MailSettings): Resolve {
  return async (tx: Tx, mail, now) => {
    const found = await findByIdentifier(tx, keyOf(unsealOf(settings, mail) ?? ''))
    const user = found && (await findUserLocked(tx, found.id))
    if (!user || user.is_suspended || !(await mayMail(tx, user.id, 'password_reset', now))) {
      await deleteMail(tx, mail)
      return undefined
    }
    const { url } = await issueResetLink(tx, settings, user.id, user.email, now)
    return updateRecipient(tx, mail, {
      user_id: user.id,
      to_address: user.email,
      params: JSON.stringify({ handle: user.handle, ttl: settings.mailTokenTtl }),
      sealed: sealFor(settings, mail.id, url),
    })
  }
}
