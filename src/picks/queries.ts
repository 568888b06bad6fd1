import type { Handle, Tx } from '../db/handle.ts'
import type { PickRow } from '../db/site-tables.ts'
import { type AsParams, pickParams, statement, TRUE } from '../db/statement.ts'

const shown = statement((q, p: { now: number }) =>
  q
    .selectFrom('picks')
    .innerJoin('content_stats', 'content_stats.content_id', 'picks.content_id')
    .selectAll('picks')
    .where('content_stats.is_public', '=', TRUE)
    .where((e) => e.or([e('until', 'is', null), e('until', '>', p.now)]))
    .orderBy('position')
    .orderBy('picks.content_id'),
)

/** Returns the picks of public content that have not ended, in their order. */
export function listShown(db: Handle, now: number) {
  return db.all(shown, { now })
}

const all = statement((q) =>
  q.selectFrom('picks').selectAll().orderBy('position').orderBy('content_id'),
)

/** Returns all picks in their order, including those of hidden content. */
export function listPickRows(db: Handle) {
  return db.all(all, {})
}

const insert = statement((q, p: AsParams<PickRow>) =>
  q
    .insertInto('picks')
    .values(pickParams(p, ['content_id', 'position', 'note', 'until', 'created_at'])),
)
const clear = statement((q) => q.deleteFrom('picks'))

/** Replaces all picks. Their order becomes their position. */
export async function replacePicks(tx: Tx, rows: readonly PickRow[]): Promise<void> {
  await tx.run(clear, {})
  for (const [position, row] of rows.entries()) await tx.run(insert, { ...row, position })
}
