import { deleteInBatches } from '../db/batches.ts'
import { above, atMost, below, given } from '../db/conditions.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { floorId } from '../db/ids.ts'
import { findRowLocked, insertNew, updateRows, findRow, hasRow, listPage } from '../db/rows.ts'
import type { ApplicationRow, ApplicationStatus } from '../db/registration-tables.ts'
import { type Range, statement } from '../db/statement.ts'

/** Returns the pending application that reserves a handle, or undefined. `handle` must be in lower case. */
export function findPendingByHandle(db: Handle, handle: string, now: number) {
  return findRow(db, 'applications', { handle, status: 'pending', expires_at: above(now) })
}

/** Returns the pending application that reserves an email, or undefined. `emailKey` is the email in lower case. */
export function findPendingByEmail(db: Handle, emailKey: string, now: number) {
  return findRow(db, 'applications', {
    email_key: emailKey,
    status: 'pending',
    expires_at: above(now),
  })
}

/** Marks overdue pending applications as `expired` and deletes their password hashes. */
export async function expireApplications(db: Handle, now: number): Promise<void> {
  const overdue = { status: 'pending', expires_at: atMost(now) } as const
  if (!(await hasRow(db, 'applications', overdue))) return
  await updateRows(db, 'applications', overdue, { status: 'expired', password_hash: '' })
}

const KEPT_MS = 90 * 86_400_000

/** Marks overdue applications as `expired`, and deletes rejected and expired ones 90 days after their creation. */
export async function deleteOldApplications(db: Handle, now: number): Promise<void> {
  await expireApplications(db, now)
  const old = { status: ['rejected', 'expired'], id: below(floorId('reg', now - KEPT_MS)) } as const
  await deleteInBatches(db, 'applications', ['id'], old)
}

/** Inserts an application. Returns false when another application reserves the handle or the email. */
export async function insertApplication(tx: Tx, row: ApplicationRow): Promise<boolean> {
  await expireApplications(tx, row.created_at)
  return insertNew(tx, 'applications', row)
}

export function lockApplication(tx: Tx, id: string) {
  return findRowLocked(tx, 'applications', { id })
}

type Decided = Pick<ApplicationRow, 'id' | 'status' | 'reason' | 'decided_by' | 'decided_at'>

/** Stores a decision about an application and deletes its password hash. */
export async function decideApplication(tx: Tx, decided: Decided): Promise<void> {
  const { id, ...changes } = decided
  await updateRows(tx, 'applications', { id }, { ...changes, password_hash: '' })
}

export async function setApplicationUser(tx: Tx, id: string, userId: string): Promise<void> {
  await updateRows(tx, 'applications', { id }, { user_id: userId })
}

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  q
    .selectFrom('applications')
    .leftJoin('users', 'users.id', 'applications.decided_by')
    .selectAll('applications')
    .select([
      'users.handle as decider_handle',
      'users.display_name as decider_name',
      'users.avatar_url as decider_avatar',
      'users.avatar_sizes as decider_avatar_sizes',
    ])
    .where(dialect.anyOf('applications.id', p.ids))
    .orderBy('applications.id'),
)

/** Returns a page of applications, oldest first, with the total. */
export async function listApplicationRows(
  db: Handle,
  status: ApplicationStatus | undefined,
  range: Range,
) {
  const { ids, total } = await listPage(db, 'applications', given({ status }), {
    by: 'id',
    ...range,
  })
  return { rows: await db.all(byIds, { ids }), total }
}
