import { sql } from 'kysely'
import { deleteSome } from '../db/batches.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { type Range, rawQuery, statement, statementFamily } from '../db/statement.ts'
import { shownTags, type TagRow } from '../search/tags.ts'

type ListParams = Range & { viewerId: string; from: string; to: string }

const ORDERS = {
  popular: sql`page.content_count desc, page.tag`,
  name: sql`page.tag`,
}

type FollowableRow = TagRow & { followed: string | null }
type ListRow = { total: number } & (FollowableRow | { tag: null })

const withFollows = (viewerId: string) => sql`
  left join tag_follows as own on own.user_id = ${viewerId} and own.tag = page.tag`

const tags = statementFamily(
  ({ sort, byPrefix }: { sort: keyof typeof ORDERS; byPrefix: boolean }) =>
    statement((q, p: ListParams) => {
      const rows = shownTags(byPrefix ? sql`tag >= ${p.from} and tag < ${p.to}` : sql`true`)
      const total = byPrefix
        ? sql`select count(*) as total from (${rows}) as each`
        : sql`select total from shown_tags`
      return rawQuery(
        q,
        sql<ListRow>`select counts.total, page.tag, page.content_count, own.tag as followed
          from (${total}) as counts
          left join (select * from (${rows}) as page order by ${ORDERS[sort]} limit ${p.limit} offset ${p.offset}) as page on true
          ${withFollows(p.viewerId)} order by ${ORDERS[sort]}`,
      )
    }),
)

/**
 * Returns a page of the tags that lists may show, and the total. With `byPrefix`, both include only tags from `from`
 * (inclusive) to `to` (exclusive).
 */
export async function listShownTags(
  db: Handle,
  choices: { sort: keyof typeof ORDERS; byPrefix: boolean },
  params: ListParams,
) {
  const rows = await db.all(tags(choices), params)
  return {
    tags: rows.flatMap((row) => (row.tag === null ? [] : [row])),
    total: rows[0]?.total ?? 0,
  }
}

const named = statement((q, p: { names: string[]; viewerId: string }, dialect) =>
  rawQuery<FollowableRow>(
    q,
    sql`select page.tag, page.content_count, own.tag as followed
      from (${shownTags(dialect.anyOf('tag', p.names))}) as page ${withFollows(p.viewerId)}`,
  ),
)

/** Returns the tags among `names` that lists may show, in the order of `names`. */
export async function listNamedTags(db: Handle, names: string[], viewerId: string) {
  if (names.length === 0) return []
  const rows = await db.all(named, { names, viewerId })
  return names.flatMap((name) => rows.find(({ tag }) => tag === name) ?? [])
}

/** Deletes up to `limit` of a user's follows of tags. Returns the number of deleted follows. */
export function deleteTagFollows(tx: Tx, user_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'tag_follows', ['user_id', 'tag'], { user_id }, limit)
}
