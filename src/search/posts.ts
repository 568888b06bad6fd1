import { sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { rawQuery, statement, statementFamily } from '../db/statement.ts'
import { KINDS } from '../indexing/documents.ts'
import { Field, type Query, scoreOf } from '../indexing/tokens.ts'
import { listPostsIn } from '../posts/queries.ts'
import { toPost } from '../posts/schema.ts'
import { ALL_CANDIDATES_MAX, type Candidate, CHUNK, type Source } from './collect.ts'
import { matchAll } from './expressions.ts'
import { type Amount, candidatesStatement, listNewest, listUpTo } from './found.ts'

const CANDIDATE = sql`posts.id, posts.created_at as date,
  posts.like_count + posts.reply_count as popularity`

const candidates = statementFamily((amount: Amount) =>
  candidatesStatement<Record<never, never>>(
    amount,
    () => sql<Candidate>`select ${CANDIDATE} from found cross join posts
      where posts.id = found.id and posts.is_deleted = 0`,
  ),
)

type TextsRow = { id: string; body: string }

const postFields = ({ body }: TextsRow) => [{ field: new Field(body), weight: 1 }]

const texts = statement((q, p: { ids: string[] }, dialect) =>
  rawQuery<TextsRow>(
    q,
    sql`select posts.id, posts.body from posts where ${dialect.anyOf('posts.id', p.ids)}`,
  ),
)

/** Selects the next posts, newest first. Orders them by id, because an id contains the time of creation. */
const walk = statementFamily(({ isFirst }: { isFirst: boolean }) =>
  statement((q, p: { id: string }) =>
    rawQuery<TextsRow & Candidate & { is_included: number }>(
      q,
      sql`select ${CANDIDATE}, posts.body,
          case when posts.is_deleted = 0 then 1 else 0 end as is_included
        from posts ${isFirst ? sql`` : sql`where posts.id < ${p.id}`}
        order by posts.id desc limit ${sql.lit(CHUNK)}`,
    ),
  ),
)

/** Returns a `Source` of the posts and replies that are neither deleted nor hidden, the same for every viewer. */
export function postSource(db: Handle, query: Query): Source {
  const paramsOf = (terms: Query) => ({
    bound: {},
    lookup: matchAll(db.engine, KINDS.posts, terms),
  })
  return {
    listCandidates: (terms, most) => listUpTo(db, candidates, paramsOf(terms), most),
    listAllCandidates: () => listNewest(db, candidates, paramsOf(query), ALL_CANDIDATES_MAX),
    async walk(after) {
      const isFirst = after === undefined
      const rows = await db.all(walk({ isFirst }), { id: after?.id ?? '' })
      return rows.map((row) => ({
        ...row,
        isIncluded: row.is_included === 1,
        fields: postFields(row),
      }))
    },
    async listTexts(ids) {
      const rows = await db.all(texts, { ids })
      return rows.map((row) => ({ id: row.id, fields: postFields(row) }))
    },
  }
}

/**
 * Returns the posts with these ids, in the order of the ids. Omits posts that no longer match or are deleted. Also
 * omits posts of users that the viewer blocked or muted.
 */
export async function loadFoundPosts(
  db: Handle,
  query: Query,
  ids: string[],
  viewerId: string | null,
) {
  if (ids.length === 0) return []
  const rows = await listPostsIn(db, viewerId !== null, ids, viewerId ?? '')
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    const isFound = row && row.is_filtered !== 1 && scoreOf(query, postFields(row)) !== undefined
    return isFound ? [toPost(row)] : []
  })
}
