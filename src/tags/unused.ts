/**
 * Deletes the rows of tags that no public content has, except hidden tags. Publishing content with such a tag creates
 * its row again.
 */
import { sql } from 'kysely'
import { deleteTagTotals } from '../contents/visibility-queries.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, listRowsLocked } from '../db/rows.ts'
import { FALSE, statement } from '../db/statement.ts'
import { deleteTagDocuments } from '../indexing/documents.ts'

/** Maximum tags of a transaction, which limits how long it blocks other writes. */
const BATCH = 200

const unused = statement((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('tags')
    .select('tag')
    .where('content_count', '=', sql.lit(0))
    .where('is_hidden', '=', FALSE)
    .where('tag', '>', p.after)
    .orderBy('tag')
    .limit(p.limit),
)

/**
 * Deletes the rows, totals and search documents of all unused tags, except tags that moderators hide. Follows of the
 * deleted tags stay.
 */
export async function deleteUnusedTags(db: Handle): Promise<void> {
  let after = ''
  for (;;) {
    const tags = (await db.all(unused, { after, limit: BATCH })).map(({ tag }) => tag)
    if (tags.length > 0) await db.transaction((tx) => deleteSome(tx, tags))
    if (tags.length < BATCH) return
    after = tags.at(-1) as string
  }
}

/** Deletes the given tags that are still unused. */
async function deleteSome(tx: Tx, tags: string[]): Promise<void> {
  // Locks the totals as `updateTagTotals` does, so that content that is being published keeps its tags.
  await listRowsLocked(tx, 'tag_totals', { tag: tags }, ['tag', 'category'])
  const rows = await listRowsLocked(
    tx,
    'tags',
    { tag: tags, content_count: 0, is_hidden: 0 },
    'tag',
  )
  const left = rows.map(({ tag }) => tag)
  if (left.length === 0) return
  await deleteTagTotals(tx, left)
  await deleteRows(tx, 'tags', { tag: left })
  await deleteTagDocuments(tx, left)
}
