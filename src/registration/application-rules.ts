import { type Act, writeAuditEntry } from '../audit/rules.ts'
import { addUser, newUser, requireFree } from '../auth/rules.ts'
import { queueVerification } from '../auth/mail-tokens.ts'
import type { Handle, Tx } from '../db/handle.ts'
import type { ApplicationRow, ApplicationStatus } from '../db/registration-tables.ts'
import {
  decideApplication,
  expireApplications,
  listApplicationRows,
  lockApplication,
  setApplicationUser,
} from '../admission/application-queries.ts'
import { ApiError } from '../errors.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { type MailSettings, queueMail } from '../mail/rules.ts'
import { findUser } from '../users/accounts.ts'
import { toApplication } from './schema.ts'

export type DecisionSettings = MailSettings & { tokenSecret: string }

/** Marks overdue applications as expired, and returns a page of applications, oldest first. */
export async function listApplications(
  db: Handle,
  { status, ...page }: PageInput & { status?: ApplicationStatus },
  now: number,
) {
  await expireApplications(db, now)
  const { rows, total } = await listApplicationRows(db, status, offsetOf(page))
  return { applications: rows.map(toApplication), pagination: paginationOf(page, total) }
}

/**
 * Creates the account of a pending application, and mails the applicant. Errors: APPLICATION_NOT_FOUND,
 * APPLICATION_DECIDED; HANDLE_TAKEN, EMAIL_TAKEN or LEGACY_ACCOUNT_CONFLICT when another account now has the handle or
 * the email.
 */
export function approveApplication(
  db: Handle,
  config: DecisionSettings,
  act: Act,
  id: string,
  now: number,
) {
  return decide(db, config, act, { id, status: 'approved' }, now, async (tx, row) => {
    const { handle, email, email_key, display_name, password_hash } = row
    const user = newUser({ handle, email, display_name, password_hash, role: 'user' }, now)
    if (!(await addUser(tx, user))) {
      await requireFree(tx, config, { handle, emailKey: email_key }, now)
      throw new ApiError('HANDLE_TAKEN')
    }
    await setApplicationUser(tx, id, user.id)
    await queueVerification(tx, config, user, { email, language: row.language }, now)
  })
}

/** Rejects a pending application, and mails the applicant. Errors: APPLICATION_NOT_FOUND, APPLICATION_DECIDED. */
export function rejectApplication(
  db: Handle,
  config: DecisionSettings,
  act: Act,
  id: string,
  now: number,
) {
  return decide(db, config, act, { id, status: 'rejected' }, now, async () => {})
}

function decide(
  db: Handle,
  config: DecisionSettings,
  act: Act,
  { id, status }: { id: string; status: 'approved' | 'rejected' },
  now: number,
  apply: (tx: Tx, row: ApplicationRow) => Promise<void>,
) {
  return db.transaction(async (tx) => {
    const row = await lockApplication(tx, id)
    if (!row) throw new ApiError('APPLICATION_NOT_FOUND')
    if (row.status !== 'pending' || row.expires_at <= now) {
      throw new ApiError('APPLICATION_DECIDED')
    }
    const { actorId, reason } = act
    const decided = { status, reason, decided_by: actorId, decided_at: now }
    await decideApplication(tx, { id, ...decided })
    await apply(tx, row)
    const change = {
      action: `application_${status}` as const,
      target: { kind: 'application', id },
      before: { status: 'pending' },
      after: { status, handle: row.handle },
    }
    await writeAuditEntry(tx, act, change, now)
    await queueMail(
      tx,
      config,
      {
        userId: null,
        to: row.email,
        language: row.language,
        kind: 'application_decided',
        params: { handle: row.handle, outcome: status, reason: reason ?? '' },
      },
      now,
    )
    const decider = actorId === null ? undefined : await findUser(tx, actorId)
    return toApplication({
      ...row,
      ...decided,
      decider_handle: decider?.handle ?? null,
      decider_name: decider?.display_name ?? null,
      decider_avatar: decider?.avatar_url ?? null,
      decider_avatar_sizes: decider?.avatar_sizes ?? null,
    })
  })
}
