import type { Tx } from '../db/handle.ts'
import type { UserRow } from '../db/tables.ts'
import { type MailSettings, mailUser } from '../mail/rules.ts'
import type { Language } from '../messages/language.ts'
import { hasUsedAgent, storedAgent } from '../sessions/known.ts'
import type { Client, SessionSettings } from '../sessions/rules.ts'

/**
 * Mails the user about a sign-in with a `User-Agent` that the account has not used for 90 days. Does nothing at the
 * first sign-in, with alerts turned off, or without a mail server. Call it before `openSession`, which marks the
 * device as known, in the same transaction. Requires the lock of the user.
 */
export async function alertSignIn(
  tx: Tx,
  settings: MailSettings & SessionSettings,
  user: UserRow,
  client: Client & { language: Language },
  now: number,
): Promise<void> {
  const { id: userId, handle, last_seen_at, sign_in_alerts } = user
  if (!settings.smtpUrl || !sign_in_alerts || last_seen_at === null) return
  if (await hasUsedAgent(tx, settings, userId, client.userAgent, now)) return
  const agent = storedAgent(client.userAgent)?.slice(0, 200) ?? '-'
  const params = { handle, at: now, agent, ip: client.ip ?? '-' }
  const { language } = client
  await mailUser(tx, settings, { userId, kind: 'new_sign_in', language, params }, now)
}
