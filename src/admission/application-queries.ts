import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import type { ApplicationRow, ApplicationStatus } from '../db/registration-tables.ts'
import {
  type AsParams,
  pickParams,
  type Range,
  statement,
  statementFamily,
} from '../db/statement.ts'

const PENDING = sql.lit('pending' as const)

const byHandle = statement((q, p: { handle: string; now: number }) =>
  q
    .selectFrom('applications')
    .selectAll()
    .where('handle', '=', p.handle)
    .where('status', '=', PENDING)
    .where('expires_at', '>', p.now),
)
const byEmail = statement((q, p: { emailKey: string; now: number }) =>
  q
    .selectFrom('applications')
    .selectAll()
    .where('email_key', '=', p.emailKey)
    .where('status', '=', PENDING)
    .where('expires_at', '>', p.now),
)

/** Returns the pending application that reserves a handle in lower case. */
export function findPendingByHandle(db: Handle, handle: string, now: number) {
  return db.first(byHandle, { handle, now })
}

/** Returns the pending application that reserves an email in lower case. */
export function findPendingByEmail(db: Handle, emailKey: string, now: number) {
  return db.first(byEmail, { emailKey, now })
}

const overdue = statement((q, p: { now: number }) =>
  q
    .selectFrom('applications')
    .select('id')
    .where('status', '=', PENDING)
    .where('expires_at', '<=', p.now)
    .limit(1),
)
const expire = statement((q, p: { now: number }) =>
  q
    .updateTable('applications')
    .set({ status: 'expired', password_hash: '' })
    .where('status', '=', PENDING)
    .where('expires_at', '<=', p.now),
)

/** Marks pending applications past their time limit as expired. Writes only if there are any. */
export async function expireApplications(db: Handle, now: number): Promise<void> {
  if (await db.first(overdue, { now })) await db.run(expire, { now })
}

const insert = statement((q, p: AsParams<ApplicationRow>) =>
  q
    .insertInto('applications')
    .values(
      pickParams(p, [
        'id',
        'handle',
        'email',
        'email_key',
        'password_hash',
        'display_name',
        'application',
        'ip',
        'language',
        'status',
        'reason',
        'decided_by',
        'user_id',
        'created_at',
        'expires_at',
        'decided_at',
      ]),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Returns false when another application reserves the handle or the email. */
export async function insertApplication(tx: Tx, row: ApplicationRow): Promise<boolean> {
  await expireApplications(tx, row.created_at)
  return (await tx.run(insert, { ...row })) > 0
}

const locked = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('applications').selectAll().where('id', '=', p.id)),
)

export function lockApplication(tx: Tx, id: string) {
  return tx.first(locked, { id })
}

type Decided = Pick<ApplicationRow, 'id' | 'status' | 'reason' | 'decided_by' | 'decided_at'>

const decide = statement((q, p: Decided) =>
  q
    .updateTable('applications')
    .set({ ...pickParams(p, ['status', 'reason', 'decided_by', 'decided_at']), password_hash: '' })
    .where('id', '=', p.id),
)

/** Stores the decision and deletes the password hash. */
export async function decideApplication(tx: Tx, decided: Decided): Promise<void> {
  const { id, status, reason, decided_by, decided_at } = decided
  await tx.run(decide, { id, status, reason, decided_by, decided_at })
}

const setUser = statement((q, p: { id: string; userId: string }) =>
  q.updateTable('applications').set({ user_id: p.userId }).where('id', '=', p.id),
)

export async function setApplicationUser(tx: Tx, id: string, userId: string): Promise<void> {
  await tx.run(setUser, { id, userId })
}

const page = statementFamily(({ filtered }: { filtered: boolean }) =>
  statement((q, p: Range & { status: ApplicationStatus }) =>
    q
      .selectFrom('applications')
      .leftJoin('users', 'users.id', 'applications.decided_by')
      .selectAll('applications')
      .select([
        'users.handle as decider_handle',
        'users.display_name as decider_name',
        'users.avatar_url as decider_avatar',
      ])
      .$if(filtered, (rows) => rows.where('status', '=', p.status))
      .orderBy('applications.id')
      .limit(p.limit)
      .offset(p.offset),
  ),
)
const total = statementFamily(({ filtered }: { filtered: boolean }) =>
  statement((q, p: { status: ApplicationStatus }) =>
    q
      .selectFrom('applications')
      .select((e) => e.fn.countAll<number>().as('total'))
      .$if(filtered, (rows) => rows.where('status', '=', p.status)),
  ),
)

/** Returns a page of applications, oldest first, with the total. */
export async function listApplicationRows(
  db: Handle,
  status: ApplicationStatus | undefined,
  range: Range,
) {
  const choices = { filtered: status !== undefined }
  const given = { status: status ?? 'pending' }
  const [rows, count] = await Promise.all([
    db.all(page(choices), { ...given, ...range }),
    db.first(total(choices), given),
  ])
  return { rows, total: count?.total ?? 0 }
}
