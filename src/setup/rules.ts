import { writeAuditEntry } from '../audit/rules.ts'
import { addUser, newUser, requireFree } from '../auth/rules.ts'
import type { Passwords } from '../factors/passwords.ts'
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { ClientAddress } from '../limits/address.ts'
import { addressLimits, giveBack, spend } from '../limits/rules.ts'
import { type Client, openSession, type SessionSettings } from '../sessions/rules.ts'
import { lockSite, updateSite } from '../settings/queries.ts'
import type { StorageQuota } from '../uploads/quota.ts'
import { hasAdmin } from '../users/managed.ts'
import { keyOf, toAccount } from '../users/schema.ts'
import { isSetupCode } from './code.ts'
import type { SetupInput } from './schema.ts'

const HOUR_MS = 60 * 60 * 1000

export interface SetupTools {
  config: SessionSettings & { tokenSecret: string }
  passwords: Passwords
  quota: StorageQuota
}

/**
 * Creates the first administrator with a session, and names the site. Errors: RATE_LIMITED after many wrong codes;
 * SETUP_CODE_INVALID; HANDLE_TAKEN, EMAIL_TAKEN, LEGACY_ACCOUNT_CONFLICT; ROUTE_NOT_FOUND when an administrator exists;
 * SERVICE_UNAVAILABLE when too many requests hash passwords.
 */
export async function createFirstAdmin(
  db: Handle,
  { config, passwords, quota }: SetupTools,
  { code, handle: name, email, password, site_name }: SetupInput,
  client: Client & ClientAddress,
  { now, requestId }: { now: number; requestId: string },
) {
  await checkCode(db, config, code, client, now)
  const handle = keyOf(name)
  await requireFree(db, config, { handle, emailKey: keyOf(email) }, now)
  const password_hash = await passwords.hash(password)
  const user = newUser({ handle, email, display_name: handle, password_hash, role: 'admin' }, now)
  return db.transaction(async (tx) => {
    const site = await lockSite(tx)
    if (await hasAdmin(tx)) throw new ApiError('ROUTE_NOT_FOUND')
    if (!(await addUser(tx, user))) {
      await requireFree(tx, config, { handle, emailKey: keyOf(email) }, now)
      throw new ApiError('HANDLE_TAKEN')
    }
    const settings = { ...JSON.parse(site.settings), name: site_name }
    await updateSite(tx, {
      ...site,
      revision: site.revision + 1,
      settings: JSON.stringify(settings),
    })
    await writeAuditEntry(
      tx,
      { actorId: user.id, requestId, reason: null },
      {
        action: 'site_set_up',
        target: { kind: 'site', id: 'site' },
        before: null,
        after: { name: site_name, admin: handle },
      },
      now,
    )
    const tokens = await openSession(tx, config, user.id, client, now)
    return { user: toAccount(user, await quota.read(tx, user.id), undefined), tokens }
  })
}

/**
 * Checks the setup code. Only wrong codes count against the limit. Errors: RATE_LIMITED after ten wrong codes in an
 * hour, SETUP_CODE_INVALID.
 */
async function checkCode(
  db: Handle,
  config: { tokenSecret: string },
  code: string,
  client: ClientAddress,
  now: number,
): Promise<void> {
  const limits = addressLimits('setup', client, 10, HOUR_MS)
  // Counts the attempt first, so that parallel guesses cannot exceed the limit.
  await spend(db, limits, now)
  if (!isSetupCode(config, code)) throw new ApiError('SETUP_CODE_INVALID')
  await giveBack(db, limits, now)
}
