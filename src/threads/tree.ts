/**
 * Comments and posts form trees by `parent_id`, under one rule: a row that is deleted loses its
 * text, keeps its place while replies below it are listed, and leaves with the last of them.
 * Callers hold the lock of the whole tree (the work's counts, the thread's first post).
 */
import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { statement, NO } from '../db/statement.ts'
import type { Flag } from '../db/flag.ts'

interface Removal {
  /** How many rows are no longer listed: the deleted one, and deleted ones above that kept a place for it. */
  unlisted: number
  /** True when the top of the tree is one of them. */
  topUnlisted: boolean
}

interface Tree {
  /** Counts a new reply with its parent. */
  addReply(tx: Tx, parentId: string): Promise<void>
  /** Deletes an author's own row. Undefined when there is none, or it is deleted already. */
  remove(tx: Tx, id: string, authorId: string): Promise<Removal | undefined>
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
      .where('is_deleted', '=', NO)
      .returning(['parent_id', 'is_listed']),
  )

  const detach = statement((q, p: { id: string; deleted: number; unlisted: number }) =>
    q
      .updateTable(table)
      .set((e) => ({
        reply_count: e('reply_count', '-', p.deleted),
        listed_reply_count: e('listed_reply_count', '-', p.unlisted),
        is_listed: sql<Flag>`case when is_deleted = 1 and listed_reply_count = ${p.unlisted} then 0 else is_listed end`,
      }))
      .where('id', '=', p.id)
      .returning(['parent_id', 'is_listed']),
  )

  return {
    async addReply(tx, parentId) {
      await tx.run(attach, { id: parentId })
    },

    async remove(tx, id, authorId) {
      let row = await tx.first(wipe, { id, authorId })
      if (!row) return undefined
      let unlisted = 0
      for (let deleted = 1; row && (deleted || !row.is_listed); deleted = 0) {
        const parentId: string | null = row.parent_id
        if (!row.is_listed) unlisted++
        if (parentId === null) return { unlisted, topUnlisted: !row.is_listed }
        row = await tx.first(detach, { id: parentId, deleted, unlisted: row.is_listed ? 0 : 1 })
      }
      return { unlisted, topUnlisted: false }
    },
  }
}
