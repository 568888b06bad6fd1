import type { Handle, Tx } from '../db/handle.ts'
import { insertRow, deleteRows, listRows } from '../db/rows.ts'
import type { PickRow } from '../db/site-tables.ts'
import { statement, TRUE } from '../db/statement.ts'

const shown = statement((q, p: { now: number }) =>
  q
    .selectFrom('picks')
    // A cross join makes SQLite start with the few picks instead of all public content.
    .crossJoin('content_stats')
    .selectAll('picks')
    .whereRef('content_stats.content_id', '=', 'picks.content_id')
    .where('content_stats.is_public', '=', TRUE)
    .where((e) => e.or([e('until', 'is', null), e('until', '>', p.now)]))
    .orderBy('position')
    .orderBy('picks.content_id'),
)

/** Returns the picks of public content that have not ended, in their order. */
export function listShown(db: Handle, now: number) {
  return db.all(shown, { now })
}

/** Returns all picks in their order, including those of hidden content. */
export function listPickRows(db: Handle) {
  return listRows(db, 'picks', {}, { by: ['position', 'content_id'] })
}

/** Replaces all picks. The position of a pick is its index in `rows`. */
export async function replacePicks(tx: Tx, rows: readonly PickRow[]): Promise<void> {
  await deleteRows(tx, 'picks', {})
  for (const [position, row] of rows.entries()) await insertRow(tx, 'picks', { ...row, position })
}

/** Deletes the pick of a content item. Returns the number of deleted rows. */
export function deletePickOf(tx: Tx, contentId: string): Promise<number> {
  return deleteRows(tx, 'picks', { content_id: contentId })
}
