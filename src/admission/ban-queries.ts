import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, findRowLocked, insertRow, updateRows, listPage } from '../db/rows.ts'
import type { BanKind, BanRow } from '../db/registration-tables.ts'
import { type Range, statement } from '../db/statement.ts'

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

export async function isBanned(
  db: Handle,
  kind: BanKind,
  values: readonly string[],
  now: number,
): Promise<boolean> {
  return values.length > 0 && (await db.first(active, { kind, values, now })) !== undefined
}

export function lockBanOf(tx: Tx, kind: BanKind, value: string) {
  return findRowLocked(tx, 'bans', { kind, value })
}

export function lockBan(tx: Tx, id: string) {
  return findRowLocked(tx, 'bans', { id })
}

/** Inserts a ban. Errors: UniqueViolation when the value is already banned. */
export async function insertBan(tx: Tx, row: BanRow): Promise<void> {
  await insertRow(tx, 'bans', row)
}

export async function updateBan(tx: Tx, { id, reason, until }: BanRow): Promise<void> {
  await updateRows(tx, 'bans', { id }, { reason, until })
}

export async function deleteBanRow(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, 'bans', { id })
}

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  q
    .selectFrom('bans')
    .innerJoin('users', 'users.id', 'bans.created_by')
    .selectAll('bans')
    .select(['users.handle', 'users.display_name', 'users.avatar_url', 'users.avatar_sizes'])
    .where(dialect.anyOf('bans.id', p.ids))
    .orderBy('bans.id', 'desc'),
)

/** Returns a page of bans, newest first, with the total. */
export async function listBanRows(db: Handle, range: Range) {
  const { ids, total } = await listPage(db, 'bans', {}, { by: 'id', desc: true, ...range })
  return { rows: await db.all(byIds, { ids }), total }
}
