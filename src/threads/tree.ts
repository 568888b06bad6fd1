/**
 * Counts and deletion of comments and posts, which form trees. Deleting a row removes its text. A deleted row stays
 * listed until its last listed reply is unlisted. Callers must hold the lock of the tree: the counts of the content, or
 * the first post of the thread.
 *
 * A hidden row has the form of a deleted row, and its text is in `hidden_body`. `hidden_by` is the id of a moderator's
 * decision, or BY_CREATOR.
 */
import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { rawQuery, FALSE, statement } from '../db/statement.ts'
import type { Flag } from '../db/flag.ts'

interface Tree {
  /**
   * Deletes a row, even a hidden one, which then cannot be shown again. Returns false when the author has no such
   * row or has already deleted it.
   */
  remove(tx: Tx, id: string, authorId: string): Promise<boolean>
  /** Hides a row. `hider` is the id of a decision, or `creator`. Returns false for missing or deleted rows. */
  hide(tx: Tx, id: string, hider: string): Promise<boolean>
  /** Shows a hidden row again if `next` is null. Otherwise the row stays hidden, and `next` becomes its hider. */
  unhide(tx: Tx, id: string, next: string | null): Promise<void>
}

export function treeOf(table: 'comments' | 'posts'): Tree {
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

  const dropHidden = statement((q, p: { id: string; authorId: string }) =>
    q
      .updateTable(table)
      .set({
        hidden_by: null,
        hidden_body: null,
        ...(table === 'comments' && { is_hidden_by_creator: 0 }),
      })
      .where('id', '=', p.id)
      .where('author_id', '=', p.authorId)
      .where('hidden_by', 'is not', null),
  )

  const hide = statement((q, p: { id: string; hider: string }) =>
    q
      .updateTable(table)
      .set({
        body: '',
        hidden_body: sql<string>`body`,
        hidden_by: p.hider,
        is_deleted: 1,
        is_listed: sql<Flag>`case when listed_reply_count > 0 then 1 else 0 end`,
      })
      .where('id', '=', p.id)
      .where('is_deleted', '=', FALSE)
      .returning(['parent_id', 'is_listed']),
  )

  const setHiddenBy = statement((q, p: { id: string; hider: string }) =>
    q
      .updateTable(table)
      .set({ hidden_by: p.hider })
      .where('id', '=', p.id)
      .where('hidden_by', 'is not', null),
  )

  const hidden = statement((q, p: { id: string }) =>
    q
      .selectFrom(table)
      .select(['parent_id', 'is_listed'])
      .where('id', '=', p.id)
      .where('hidden_by', 'is not', null),
  )

  const show = statement((q, p: { id: string }) =>
    q
      .updateTable(table)
      .set({
        body: sql<string>`hidden_body`,
        hidden_body: null,
        hidden_by: null,
        is_deleted: 0,
        is_listed: 1,
      })
      .where('id', '=', p.id),
  )

  const rows = sql.table(table)

  /**
   * Subtracts a reply from the counts of its parent `id`. `unlisted` is 1 when the reply is no longer listed, else 0. A
   * deleted ancestor without listed replies is unlisted too, and its own parent loses a listed reply.
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

  /**
   * Adds a reply to the counts of its parent `id`. Lists contain rows with `is_listed` 1. `relisted` is 1 if the reply
   * enters the lists with this call, else 0. If the parent was not listed, it enters the lists too and counts in its
   * own parent, and so on.
   */
  const reattach = statement((q, p: { id: string; relisted: number }) =>
    rawQuery(
      q,
      sql`
        with recursive line (row_id, above_id, shown, relisted, joins) as (
          select id, parent_id, 1, cast(${p.relisted} as bigint), is_listed = 0
          from ${rows} where id = ${p.id}
          union all
          select above.id, above.parent_id, 0, cast(1 as bigint), above.is_listed = 0
          from line cross join ${rows} as above
          where line.joins and above.id = line.above_id
        )
        update ${rows} set
          reply_count = reply_count + line.shown,
          listed_reply_count = listed_reply_count + line.relisted,
          is_listed = case when line.joins then 1 else is_listed end
        from line where id = line.row_id`,
    ),
  )

  type Place = { parent_id: string | null; is_listed: Flag }

  async function leave(tx: Tx, { parent_id, is_listed }: Place): Promise<void> {
    if (parent_id !== null) await tx.send(detach, { id: parent_id, unlisted: is_listed ? 0 : 1 })
  }

  return {
    async remove(tx, id, authorId) {
      const deleted = await tx.first(wipe, { id, authorId })
      if (!deleted) return (await tx.run(dropHidden, { id, authorId })) > 0
      await leave(tx, deleted)
      return true
    },

    async hide(tx, id, hider) {
      const place = await tx.first(hide, { id, hider })
      if (!place) return (await tx.run(setHiddenBy, { id, hider })) > 0
      await leave(tx, place)
      return true
    },

    async unhide(tx, id, next) {
      if (next !== null) {
        await tx.run(setHiddenBy, { id, hider: next })
        return
      }
      const place = await tx.first(hidden, { id })
      if (!place) return
      await tx.send(show, { id })
      if (place.parent_id === null) return
      await tx.send(reattach, { id: place.parent_id, relisted: place.is_listed ? 0 : 1 })
    },
  }
}
