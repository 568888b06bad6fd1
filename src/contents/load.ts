import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { bare, statement, variants } from '../db/statement.ts'
import {
  type ContentDetailRecord,
  type ContentRecord,
  type ContentRecordRow,
  toContent,
} from './schema.ts'

/** What a record is made of: columns of `contents`, `stats` and `users`. */
export const RECORD = sql<ContentRecordRow>`contents.*, stats.is_public, stats.like_count,
  stats.bookmark_count, stats.comment_count, stats.view_count, stats.play_count,
  users.handle, users.display_name, users.avatar_url`

/** And whether the viewer liked and bookmarked the work. */
export function marksOf(signedIn: boolean, viewerId: string): RawBuilder<unknown> {
  const mine = (table: 'likes' | 'bookmarks') =>
    signedIn
      ? sql`exists (select 1 from ${sql.table(table)} as mine where mine.content_id = contents.id and mine.user_id = ${viewerId})`
      : sql`false`
  return sql`${mine('likes')} as is_liked, ${mine('bookmarks')} as is_bookmarked`
}

const byIds = variants(({ signedIn }: { signedIn: boolean }) =>
  statement((q, p: { ids: readonly string[]; viewerId: string }, on) =>
    bare(
      q,
      sql<ContentRecordRow>`select ${RECORD}, ${marksOf(signedIn, p.viewerId)}
        from contents
        join content_stats as stats on stats.content_id = contents.id
        join users on users.id = contents.creator_id
        where ${on.anyOf('contents.id', p.ids)}`,
    ),
  ),
)

/** The works with these ids, in no order, whoever may see them. */
export async function findContentRecords(
  db: Handle,
  ids: readonly string[],
  viewerId: string | null,
): Promise<ContentRecordRow[]> {
  if (ids.length === 0) return []
  return db.all(byIds({ signedIn: viewerId !== null }), { ids, viewerId: viewerId ?? '' })
}

/**
 * Records in the order of `ids`; ids without a work are left out. Looks at no one's right to see
 * them: the list that gave the ids has done so. The flags are the viewer's.
 */
export async function loadContents(
  db: Handle,
  ids: readonly string[],
  viewerId: string | null,
): Promise<ContentRecord[]> {
  const rows = await findContentRecords(db, ids, viewerId)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [toContent(row)] : []
  })
}

/** A work as anybody sees it: what events tell of it. */
export async function loadForAll(db: Handle, id: string): Promise<ContentRecord> {
  const [content] = await loadContents(db, [id], null)
  if (!content) throw new Error(`there is no work ${id}`)
  return content
}

const textOf = statement((q, p: { id: string }) =>
  q.selectFrom('content_texts').select('body').where('content_id', '=', p.id),
)

/** The record of a work by itself. */
export async function loadDetail(db: Handle, row: ContentRecordRow): Promise<ContentDetailRecord> {
  const text = row.type === 'article' ? await db.first(textOf, { id: row.id }) : undefined
  return { ...toContent(row), body: text?.body ?? null }
}
