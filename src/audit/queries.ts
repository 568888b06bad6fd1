import type { Handle, Tx } from '../db/handle.ts'
import {
  type AsParams,
  pickParams,
  type Query,
  type Range,
  statement,
  statementFamily,
} from '../db/statement.ts'
import type { AuditAction, AuditEntryRow } from '../db/audit-tables.ts'
import type { AuditListRow } from './schema.ts'

const insert = statement((q, p: AsParams<AuditEntryRow>) =>
  q
    .insertInto('audit_entries')
    .values(
      pickParams(p, [
        'id',
        'actor_id',
        'target_kind',
        'target_id',
        'action',
        'before',
        'after',
        'reason',
        'request_id',
        'created_at',
      ]),
    ),
)

export async function insertAuditEntry(tx: Tx, entry: AuditEntryRow): Promise<void> {
  await tx.run(insert, { ...entry })
}

const last = statement((q, p: { targetId: string }) =>
  q
    .selectFrom('audit_entries')
    .select('id')
    .where('target_id', '=', p.targetId)
    .orderBy('id', 'desc')
    .limit(1),
)

export async function findLastAuditId(db: Handle, targetId: string): Promise<string | undefined> {
  return (await db.first(last, { targetId }))?.id
}

export interface AuditFilter {
  /** User id. */
  actor?: string | undefined
  /** Id of the target. */
  target?: string | undefined
  action?: AuditAction | undefined
}
type Filters = { [K in keyof AuditFilter]-?: boolean }

type Given = { actor: string; target: string; action: string }

function matching(q: Query, filters: Filters, p: Given) {
  return q
    .selectFrom('audit_entries')
    .$if(filters.actor, (rows) => rows.where('audit_entries.actor_id', '=', p.actor))
    .$if(filters.target, (rows) => rows.where('audit_entries.target_id', '=', p.target))
    .$if(filters.action, (rows) => rows.where('audit_entries.action', '=', p.action as AuditAction))
}

const newest = statementFamily((filters: Filters) =>
  statement((q, p: Range & Given) =>
    matching(q, filters, p)
      .leftJoin('users as actor', 'actor.id', 'audit_entries.actor_id')
      .select([
        'audit_entries.id',
        'audit_entries.target_kind',
        'audit_entries.target_id',
        'audit_entries.action',
        'audit_entries.before',
        'audit_entries.after',
        'audit_entries.reason',
        'audit_entries.request_id',
        'audit_entries.created_at',
        'audit_entries.actor_id',
        'actor.handle',
        'actor.display_name',
        'actor.avatar_url',
      ])
      .orderBy('audit_entries.id', 'desc')
      .limit(p.limit)
      .offset(p.offset),
  ),
)

const total = statementFamily((filters: Filters) =>
  statement((q, p: Given) =>
    filters.actor || filters.target
      ? matching(q, filters, p).select((e) => e.fn.countAll<number>().as('total'))
      : q
          .selectFrom('audit_totals')
          .$if(filters.action, (rows) => rows.where('action', '=', p.action as AuditAction))
          .select((e) => e.fn.coalesce(e.fn.sum<number>('total'), e.lit(0)).as('total')),
  ),
)

/** Returns a page of the audit entries that match every given filter, newest first, with the total. */
export async function listAuditEntries(
  db: Handle,
  { actor, target, action }: AuditFilter,
  range: Range,
): Promise<{ entries: AuditListRow[]; total: number }> {
  const filters = {
    actor: actor !== undefined,
    target: target !== undefined,
    action: action !== undefined,
  }
  const given = { actor: actor ?? '', target: target ?? '', action: action ?? '' }
  const [entries, count] = await Promise.all([
    db.all(newest(filters), { ...given, ...range }),
    db.first(total(filters), given),
  ])
  return { entries, total: count?.total ?? 0 }
}
