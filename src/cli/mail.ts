import { newId } from '../db/ids.ts'
import { composeTest } from '../mail/compose.ts'
import { siteUrl } from '../site-settings.ts'
import { Smtp } from '../mail/transport.ts'
import { findSite } from '../settings/queries.ts'
import { settingsOf } from '../site-settings.ts'
import { readArgs, UsageError } from './args.ts'
import { withDatabase } from './database.ts'

const TIMEOUT_MS = 30_000

/**
 * Sends a test mail directly instead of through the outbox, so that the operator sees the mail server's reply.
 */
export async function testMail(args: string[]): Promise<void> {
  const [address = ''] = readArgs(args, { options: {}, words: ['ADDRESS'] }).words
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new UsageError('ADDRESS must be an email address')
  await withDatabase(async ({ db, config }) => {
    const { smtpUrl, mailFrom } = config
    if (smtpUrl === undefined || mailFrom === undefined) {
      throw new Error('SMTP_URL is not set, so this server sends no mail')
    }
    const { name } = settingsOf(await findSite(db), config)
    const letter = composeTest(config.defaultLanguage, { name, url: siteUrl(config) })
    const now = Date.now()
    const envelope = { id: newId('eml', now), to: address, createdAt: now }
    try {
      await new Smtp(smtpUrl, mailFrom).send(envelope, letter, AbortSignal.timeout(TIMEOUT_MS))
    } catch (error) {
      throw new Error(`the mail server did not accept the mail: ${(error as Error).message}`, {
        cause: error,
      })
    }
  })
  console.log(`the mail server accepted a mail to ${address}`)
}
