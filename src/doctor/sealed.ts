import type { WebhookRow } from '../db/console-tables.ts'
import type { Db } from '../db/handle.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { openSecrets } from '../webhooks/secrets.ts'

const SEALED = `select id, secret, signing_secret, previous_signing_secret, previous_until
  from webhooks where deleted_at is null`

/** Returns one message if `key` does not decrypt stored webhook secrets, else an empty list. */
export async function examineSealed(db: Db, key: string): Promise<string[]> {
  const rows = (await withSnapshot(db, (run) => run(SEALED))) as unknown as WebhookRow[]
  const shut = rows.filter((row) => !opens(key, row))
  if (shut.length === 0) return []
  return [
    `ENCRYPTION_KEY does not decrypt the secrets of ${shut.length} of ${rows.length} webhooks, such as ${shut[0]?.id}`,
  ]
}

function opens(key: string, row: WebhookRow): boolean {
  try {
    openSecrets(key, row.id, row, Infinity)
    return true
  } catch {
    return false
  }
}
