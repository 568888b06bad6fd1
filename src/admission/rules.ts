/** Admission checks, which features run before they create or change an account. */
import type { Handle } from '../db/handle.ts'
import { ApiError, invalid } from '../errors.ts'
import { findPendingByEmail, findPendingByHandle } from './application-queries.ts'
import { isBanned } from './ban-queries.ts'
import { networksOf } from './networks.ts'

export function isNetworkBanned(db: Handle, ip: string, now: number): Promise<boolean> {
  return isBanned(db, 'network', networksOf(ip), now)
}

/** Returns the domain of an email and its parent domains, in lower case. */
function domainsOf(email: string): string[] {
  const labels = (email.split('@').at(-1) ?? '').toLowerCase().split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}

/** Checks that the domain of an email is not banned. Errors: 422 on `email`. */
export async function requireAllowedEmail(db: Handle, email: string, now: number): Promise<void> {
  if (await isBanned(db, 'email_domain', domainsOf(email), now)) {
    throw invalid('email', 'invalid.banned_domain')
  }
}

/**
 * Checks that no pending application reserves a handle or an email, both in lower case. Errors: HANDLE_TAKEN,
 * EMAIL_TAKEN.
 */
export async function requireNoApplication(
  db: Handle,
  handle: string,
  emailKey: string,
  now: number,
): Promise<void> {
  if (await findPendingByHandle(db, handle, now)) throw new ApiError('HANDLE_TAKEN')
  if (await findPendingByEmail(db, emailKey, now)) throw new ApiError('EMAIL_TAKEN')
}
