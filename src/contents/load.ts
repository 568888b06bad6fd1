import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { rawQuery, statement, statementFamily } from '../db/statement.ts'
import { BLOCKED_FILES } from '../db/blocked-files.ts'
import { isLeftOut } from '../db/user-filters.ts'
import type { Language } from '../messages/language.ts'
import { isOpenTo } from '../db/visibility.ts'
import {
  type ContentDetailRecord,
  type ContentRecord,
  type ContentRecordRow,
  toContent,
} from './schema.ts'

export const RECORD = sql<ContentRecordRow>`contents.*, stats.is_public, stats.like_count,
  stats.bookmark_count, stats.comment_count, stats.view_count, stats.play_count, stats.comment_policy,
  case when stats.is_pin_hidden = 0 then stats.pinned_comment_id end as pinned_comment_id,
  users.handle, users.display_name, users.avatar_url, users.avatar_sizes,
  ${BLOCKED_FILES} as blocked_files`

export type Reaction = 'likes' | 'bookmarks'

export function reactionFlags(signedIn: boolean, viewerId: string): RawBuilder<unknown> {
  // A scalar subquery looks up one row per content item. For EXISTS, PostgreSQL could read all
  // reactions of the viewer.
  const mine = (table: Reaction) =>
    signedIn
      ? sql`(select 1 from ${sql.table(table)} as mine where mine.content_id = contents.id and mine.user_id = ${viewerId}) is not null`
      : sql`false`
  return sql`${mine('likes')} as is_liked, ${mine('bookmarks')} as is_bookmarked`
}

interface Choices {
  signedIn: boolean
}

const records = <R = ContentRecordRow>(
  viewerId: string,
  { signedIn }: Choices,
  which: RawBuilder<boolean>,
  more = sql``,
) =>
  sql<R>`select ${RECORD}, ${reactionFlags(signedIn, viewerId)}${more}
    from contents
    join content_stats as stats on stats.content_id = contents.id
    join users on users.id = contents.creator_id
    where ${which}`

const byId = statementFamily((choices: Choices) =>
  statement((q, p: { id: string; viewerId: string }) =>
    rawQuery(
      q,
      records<ContentRecordRow & { is_open: SqlBool }>(
        p.viewerId,
        choices,
        sql`contents.id = ${p.id}`,
        sql`, ${isOpenTo(p.viewerId, 'stats')} as is_open`,
      ),
    ),
  ),
)

/**
 * Returns the row of a content record, or undefined when the content does not exist. Does not check whether the
 * viewer may see the content. `is_open`, `is_liked` and `is_bookmarked` apply to the viewer.
 */
export function findContentRecord(db: Handle, id: string, viewerId: string | null) {
  return db.first(byId({ signedIn: viewerId !== null }), { id, viewerId: viewerId ?? '' })
}

interface ListChoices extends Choices {
  /** True to include content that lists hide from the viewer (`isLeftOut`). */
  showsFiltered: boolean
}

const byIds = statementFamily((choices: ListChoices) =>
  statement((q, p: { ids: readonly string[]; viewerId: string }, dialect) => {
    const left = isLeftOut(choices.signedIn ? p.viewerId : null)
    const which = sql<boolean>`${dialect.anyOf('contents.id', p.ids)}
      ${choices.showsFiltered ? sql`` : sql`and ${left} = 0`}`
    return rawQuery(q, records(p.viewerId, choices, which))
  }),
)

/**
 * Returns content items in the order of `ids`, without unknown ids. Unless `showsFiltered`, skips content that lists
 * hide from the viewer (`isLeftOut`). The caller must pass only ids that the viewer may see.
 */
export async function loadContents(
  db: Handle,
  ids: readonly string[],
  viewerId: string | null,
  showsFiltered = false,
): Promise<ContentRecord[]> {
  if (ids.length === 0) return []
  const signedIn = viewerId !== null
  const rows = await db.all(byIds({ signedIn, showsFiltered }), { ids, viewerId: viewerId ?? '' })
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id)
    return row ? [toContent(row, viewerId)] : []
  })
}

/** Returns a content record as an anonymous viewer sees it, for webhook events. */
export async function loadForAll(db: Handle, id: string): Promise<ContentRecord> {
  const row = await findContentRecord(db, id, null)
  if (!row) throw new Error(`content ${id} does not exist`)
  return toContent(row, null)
}

const textOf = statement((q, p: { id: string }) =>
  q.selectFrom('content_texts').select('body').where('content_id', '=', p.id),
)

export async function loadDetail(
  db: Handle,
  row: ContentRecordRow,
  viewerId: string | null,
  language?: Language,
): Promise<ContentDetailRecord> {
  const text = row.type === 'article' ? await db.first(textOf, { id: row.id }) : undefined
  return { ...toContent(row, viewerId, language), body: text?.body ?? null }
}
