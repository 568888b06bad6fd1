/**
 * Deleting a row removes its text. The row stays listed while it has listed replies, and is unlisted
 * together with the last of them. Callers must hold the lock of the whole tree: the counts of the content,
 * or the first post of the thread.
 */
import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { rawQuery, FALSE, statement } from '../db/statement.ts'
import type { Flag } from '../db/flag.ts'

interface Tree {
  addReply(tx: Tx, parentId: string): Promise<void>
  /** Returns false when the author has no such row or it is already deleted. */
  remove(tx: Tx, id: string, authorId: string): Promise<boolean>
}

export function treeOf(table: 'comments' | 'posts'): Tree {
  const attach = statement((q, p: { id: string }) =>
    q
      .updateTable(table)
      .set((e) => ({
        reply_count: e('reply_count', '+', 1),
        listed_reply_count: e('listed_reply_count', '+', 1),
      }))
      .where('id', '=', p.id),
  )

  const wipe = statement((q, p: { id: string; authorId: string }) =>
    q
      .updateTable(table)
      .set({
        body: '',
        is_deleted: 1,
        is_listed: sql<Flag>`case when listed_reply_count > 0 then 1 else 0 end`,
      })
      .where('id', '=', p.id)
      .where('author_id', '=', p.authorId)
      .where('is_deleted', '=', FALSE)
      .returning(['parent_id', 'is_listed']),
  )

  const rows = sql.table(table)

  /**
   * Also unlists deleted ancestors without other listed replies, up to the first one that stays listed,
   * which loses a listed reply.
   */
  const detach = statement((q, p: { id: string; unlisted: number }) =>
    rawQuery(
      q,
      sql`
        with recursive line (row_id, above_id, deleted, unlisted, leaves) as (
          select id, parent_id, 1, cast(${p.unlisted} as bigint),
            is_deleted = 1 and listed_reply_count = ${p.unlisted}
          from ${rows} where id = ${p.id}
          union all
          select above.id, above.parent_id, 0, cast(1 as bigint),
            above.is_deleted = 1 and above.listed_reply_count = 1
          from line cross join ${rows} as above
          where line.leaves and above.id = line.above_id
        )
        update ${rows} set
          reply_count = reply_count - line.deleted,
          listed_reply_count = listed_reply_count - line.unlisted,
          is_listed = case when line.leaves then 0 else is_listed end
        from line where id = line.row_id`,
    ),
  )

  return {
    async addReply(tx, parentId) {
      await tx.send(attach, { id: parentId })
    },

    async remove(tx, id, authorId) {
      const deleted = await tx.first(wipe, { id, authorId })
      if (!deleted) return false
      if (deleted.parent_id === null) return true
      await tx.send(detach, { id: deleted.parent_id, unlisted: deleted.is_listed ? 0 : 1 })
      return true
    },
  }
}
