import type { WebhookRow } from '../db/console-tables.ts'
import type { Db } from '../db/handle.ts'
import type { MailRow } from '../db/mail-tables.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { unsealTotp } from '../factors/totp.ts'
import { unsealOf } from '../mail/rules.ts'
import { openSecrets } from '../webhooks/secrets.ts'

const WEBHOOKS = `select id, secret, signing_secret, previous_signing_secret, previous_until
  from webhooks where deleted_at is null`
const MAILS = 'select id, sealed from mails where sealed is not null'
const TOTP = 'select user_id as id, secret from totp_secrets'

/**
 * Checks that `key` decrypts webhook secrets, TOTP secrets and the links of waiting mails. Returns a message
 * with the number of failures for each kind that has failures.
 */
export async function examineSealed(db: Db, key: string): Promise<string[]> {
  const { webhooks, mails, totp } = await withSnapshot(db, async (run) => ({
    webhooks: (await run(WEBHOOKS)) as unknown as WebhookRow[],
    totp: (await run(TOTP)) as unknown as { id: string; secret: string }[],
    mails: (await run(MAILS)) as unknown as Pick<MailRow, 'id' | 'sealed'>[],
  }))
  return [
    ...describe('secrets', 'webhooks', webhooks, (row) => openSecrets(key, row.id, row, Infinity)),
    ...describe('links', 'mails', mails, (row) => unsealOf({ encryptionKey: key }, row)),
    ...describe('TOTP secrets', 'users', totp, (row) => unsealTotp(key, row.id, row.secret)),
  ]
}

function describe<Row extends { id: string }>(
  what: string,
  owners: string,
  rows: Row[],
  open: (row: Row) => unknown,
): string[] {
  const shut = rows.filter((row) => !opens(() => open(row)))
  if (shut.length === 0) return []
  return [
    `ENCRYPTION_KEY does not decrypt the ${what} of ${shut.length} of ${rows.length} ${owners}, such as ${shut[0]?.id}`,
  ]
}

function opens(open: () => unknown): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}
