import type { Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { UserRow } from '../db/tables.ts'
import type { FactorChange } from '../mail/kinds.ts'
import { type MailSettings, mailUser } from '../mail/rules.ts'
import type { Language } from '../messages/language.ts'
import { notify } from '../notifications/notify.ts'
import { replaceCodes } from './queries.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'

/**
 * Context for the notification and the mail about a change. Both are stored in the transaction of the change.
 */
export interface AlertContext {
  settings: MailSettings
  language: Language
  now: number
}

/** Notifies and mails the user about a change of the second factors. Requires the user's lock. */
export async function announce(
  tx: Tx,
  { id, handle }: Pick<UserRow, 'id' | 'handle'>,
  change: FactorChange,
  { settings, language, now }: AlertContext,
): Promise<void> {
  const mail = { kind: 'second_factor_changed', params: { handle, change } } as const
  await mailUser(tx, settings, { ...mail, userId: id, language }, now)
  const notification = {
    to: id,
    type: 'system',
    kind: `system.${change}`,
    actorId: null,
    // A new id for each change, so that each change creates a separate notification.
    subjectId: newId('ntf', now),
    link: '/account',
  } as const
  await notify(tx, [notification], now)
}

/** Replaces all recovery codes and returns the new ones. Requires the user's lock. */
export async function issueCodes(tx: Tx, userId: string, now: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceCodes(
    tx,
    userId,
    codes.map((code) => recoveryHash(userId, code)),
    now,
  )
  return codes
}

/**
 * Issues and returns recovery codes for a user who has none. Returns null when the user has some left. Requires
 * the lock of the user.
 */
export async function issueFirstCodes(
  tx: Tx,
  user: UserRow,
  now: number,
): Promise<string[] | null> {
  return user.recovery_code_count > 0 ? null : issueCodes(tx, user.id, now)
}
