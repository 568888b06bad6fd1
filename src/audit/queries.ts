import { given } from '../db/conditions.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { insertRow, countRows, listColumn } from '../db/rows.ts'
import { type Range, statement } from '../db/statement.ts'
import type { AuditAction, AuditEntryRow } from '../db/audit-tables.ts'
import type { AuditListRow } from './schema.ts'

export async function insertAuditEntry(tx: Tx, entry: AuditEntryRow): Promise<void> {
  await insertRow(tx, 'audit_entries', entry)
}

export async function findLastAuditId(db: Handle, targetId: string): Promise<string | undefined> {
  const newest = { by: 'id', desc: true, limit: 1 } as const
  return (await listColumn(db, 'audit_entries', 'id', { target_id: targetId }, newest))[0]
}

export interface AuditFilter {
  /** Id of the user who acted. */
  actor?: string | undefined
  target?: string | undefined
  action?: AuditAction | undefined
}
const byIds = statement((q, p: { ids: string[] }, dialect) =>
  q
    .selectFrom('audit_entries')
    .leftJoin('users as actor', 'actor.id', 'audit_entries.actor_id')
    .selectAll('audit_entries')
    .select(['actor.handle', 'actor.display_name', 'actor.avatar_url', 'actor.avatar_sizes'])
    .where(dialect.anyOf('audit_entries.id', p.ids))
    .orderBy('audit_entries.id', 'desc'),
)

/** Returns a page of the audit entries that match every given filter, newest first, with the total. */
export async function listAuditEntries(
  db: Handle,
  { actor, target, action }: AuditFilter,
  range: Range,
): Promise<{ entries: AuditListRow[]; total: number }> {
  const where = given({ actor_id: actor, target_id: target, action })
  const newest = { by: 'id', desc: true, ...range } as const
  const ids = await listColumn(db, 'audit_entries', 'id', where, newest)
  const isCounted = actor === undefined && target === undefined
  const total = isCounted
    ? (await listColumn(db, 'audit_totals', 'total', where)).reduce((sum, n) => sum + n, 0)
    : await countRows(db, 'audit_entries', where)
  return { entries: await db.all(byIds, { ids }), total }
}
