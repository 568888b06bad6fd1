import type { Handle, Tx } from '../db/handle.ts'
import type { BanKind, BanRow } from '../db/registration-tables.ts'
import { type AsParams, pickParams, type Range, statement } from '../db/statement.ts'

const active = statement(
  (q, p: { kind: BanKind; values: readonly string[]; now: number }, dialect) =>
    q
      .selectFrom('bans')
      .select('id')
      .where('kind', '=', p.kind)
      .where(dialect.anyOf('value', p.values))
      .where((e) => e.or([e('until', 'is', null), e('until', '>', p.now)]))
      .limit(1),
)

/** True when a ban of one of these values is in effect. */
export async function isBanned(
  db: Handle,
  kind: BanKind,
  values: readonly string[],
  now: number,
): Promise<boolean> {
  return values.length > 0 && (await db.first(active, { kind, values, now })) !== undefined
}

const byValue = statement((q, p: { kind: BanKind; value: string }, dialect) =>
  dialect.locked(
    q.selectFrom('bans').selectAll().where('kind', '=', p.kind).where('value', '=', p.value),
  ),
)

export function lockBanOf(tx: Tx, kind: BanKind, value: string) {
  return tx.first(byValue, { kind, value })
}

const byId = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('bans').selectAll().where('id', '=', p.id)),
)

export function lockBan(tx: Tx, id: string) {
  return tx.first(byId, { id })
}

const insert = statement((q, p: AsParams<BanRow>) =>
  q
    .insertInto('bans')
    .values(pickParams(p, ['id', 'kind', 'value', 'reason', 'until', 'created_by', 'created_at'])),
)

/** Throws UniqueViolation when the value is already banned. */
export async function insertBan(tx: Tx, row: BanRow): Promise<void> {
  await tx.run(insert, { ...row })
}

const update = statement((q, p: Pick<BanRow, 'id' | 'reason' | 'until'>) =>
  q
    .updateTable('bans')
    .set(pickParams(p, ['reason', 'until']))
    .where('id', '=', p.id),
)

export async function updateBan(tx: Tx, { id, reason, until }: BanRow): Promise<void> {
  await tx.run(update, { id, reason, until })
}

const remove = statement((q, p: { id: string }) => q.deleteFrom('bans').where('id', '=', p.id))

export async function deleteBanRow(tx: Tx, id: string): Promise<void> {
  await tx.run(remove, { id })
}

const page = statement((q, p: Range) =>
  q
    .selectFrom('bans')
    .innerJoin('users', 'users.id', 'bans.created_by')
    .selectAll('bans')
    .select(['users.handle', 'users.display_name', 'users.avatar_url'])
    .orderBy('bans.id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)
const total = statement((q) =>
  q.selectFrom('bans').select((e) => e.fn.countAll<number>().as('total')),
)

/** Returns a page of bans, newest first, with the total. */
export async function listBanRows(db: Handle, range: Range) {
  const [rows, count] = await Promise.all([db.all(page, range), db.first(total, {})])
  return { rows, total: count?.total ?? 0 }
}
