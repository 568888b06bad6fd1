import { deleteInBatches, deleteSome } from '../db/batches.ts'
import { outside, atMost } from '../db/conditions.ts'
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, updateRows, listColumn, changeRow } from '../db/rows.ts'
import type { MailRow } from '../db/mail-tables.ts'
import { type AsParams, pickParams, statement, TRUE } from '../db/statement.ts'

/** Milliseconds for which sent and failed mails are kept, for the operator. */
const ENDED_RETENTION_MS = 7 * 24 * 60 * 60 * 1000
/**
 * Maximum milliseconds between now and a mail's `due_at`: the longest pause plus the tolerance for different
 * clocks. A mail with a later `due_at` counts as due, because a wrong clock wrote it.
 */
const DUE_MAX_MS = 3_600_000 + 90_000

const COLUMNS = [
  'id',
  'user_id',
  'kind',
  'to_address',
  'language',
  'params',
  'sealed',
  'status',
  'attempts',
  'due_at',
  'lease',
  'created_at',
  'ended_at',
] as const

const insert = statement((q, p: AsParams<MailRow>) =>
  q.insertInto('mails').values(pickParams(p, COLUMNS)),
)

export async function insertMail(tx: Tx, row: MailRow): Promise<void> {
  await tx.send(insert, { ...row })
}

type ToUser = AsParams<Pick<MailRow, 'id' | 'kind' | 'language' | 'params' | 'created_at'>> & {
  userId: string
}

const TO_USER = [
  'user_id',
  'to_address',
  'id',
  'kind',
  'language',
  'params',
  'status',
  'attempts',
  'due_at',
  'created_at',
] as const

const insertTo = statement((q, p: ToUser) => {
  const text = (name: 'id' | 'kind' | 'language' | 'params') =>
    sql<never>`cast(${p[name]} as text)`.as(name)
  return q
    .insertInto('mails')
    .columns(TO_USER)
    .expression(
      q
        .selectFrom('users')
        .select(['id as user_id', 'email as to_address'])
        .select([text('id'), text('kind'), text('language'), text('params')])
        .select([
          sql<never>`'pending'`.as('status'),
          sql<never>`0`.as('attempts'),
          sql<never>`cast(${p.created_at} as bigint)`.as('due_at'),
          sql<never>`cast(${p.created_at} as bigint)`.as('created_at'),
        ])
        .where('users.id', '=', p.userId)
        .where('users.email_verified', '=', TRUE),
    )
})

/** Inserts a mail to the user's address, if the address is verified. */
export async function insertMailTo(
  tx: Tx,
  mail: Pick<MailRow, 'id' | 'kind' | 'language' | 'params' | 'created_at'> & { userId: string },
): Promise<void> {
  await tx.send(insertTo, mail)
}

/** Returns the ids of mails whose next attempt is due, the most overdue first. */
export async function listDueMails(db: Handle, now: number, limit: number): Promise<string[]> {
  const due = { due_at: outside(now, now + DUE_MAX_MS) }
  return listColumn(db, 'mails', 'id', due, { by: 'due_at', limit })
}

type Claim = { id: string; now: number; lease: string; until: number }

const claim = statement((q, p: Claim & { latest: number }) =>
  q
    .updateTable('mails')
    .set((e) => ({ lease: p.lease, due_at: p.until, attempts: e('attempts', '+', 1) }))
    .where('id', '=', p.id)
    .where('due_at', 'is not', null)
    .where((e) => e.or([e('due_at', '<=', p.now), e('due_at', '>', p.latest)]))
    .returningAll(),
)

/** Claims a due mail or one whose lease has expired. Returns undefined when another process was faster. */
export function claimMail(tx: Tx, request: Claim): Promise<MailRow | undefined> {
  return tx.first(claim, { ...request, latest: request.now + DUE_MAX_MS })
}

/**
 * A mail and the lease of the process that sends it. Once the lease is lost, statements with this lease change nothing.
 */
export type HeldMail = { id: string; lease: string }

const heldBy = ({ id, lease }: HeldMail) => ({ id, lease })

/** Marks a mail as sent or failed, and deletes its encrypted link. Does nothing when the lease is lost. */
export async function endMail(
  db: Handle,
  held: HeldMail,
  status: 'sent' | 'failed',
  now: number,
): Promise<void> {
  const ended = { due_at: null, lease: null, sealed: null, ended_at: now }
  await updateRows(db, 'mails', heldBy(held), { status, ...ended })
}

export async function postponeMail(
  db: Handle,
  held: HeldMail,
  next: { dueAt: number; attempts: number },
): Promise<void> {
  const { dueAt: due_at, attempts } = next
  await updateRows(db, 'mails', heldBy(held), { due_at, lease: null, attempts })
}

type Addressed = AsParams<Pick<MailRow, 'user_id' | 'to_address' | 'params' | 'sealed'>>

/** Stores the recipient of a mail and returns the mail, or undefined when the lease is lost. */
export function updateRecipient(tx: Tx, held: HeldMail, addressed: Addressed) {
  return changeRow(tx, 'mails', heldBy(held), addressed)
}

export async function deleteMail(tx: Tx, held: HeldMail): Promise<void> {
  await deleteRows(tx, 'mails', heldBy(held))
}

/** Deletes mails that were sent or failed more than seven days ago. */
export async function deleteEndedMails(db: Handle, now: number): Promise<void> {
  const ended_at = atMost(now - ENDED_RETENTION_MS)
  await deleteInBatches(db, 'mails', ['id'], { status: 'sent', ended_at })
  await deleteInBatches(db, 'mails', ['id'], { status: 'failed', ended_at })
}

/** Deletes up to `limit` mails to a user, sent or not. Returns their number. */
export function deleteMails(tx: Tx, user_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'mails', ['id'], { user_id }, limit)
}
