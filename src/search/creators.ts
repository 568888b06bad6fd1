import { sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { rawQuery, statement, statementFamily } from '../db/statement.ts'
import type { UserRow } from '../db/tables.ts'
import { isFiltered } from '../db/user-filters.ts'
import { KINDS } from '../indexing/documents.ts'
import { Field, fold, type Query, scoreOf, type WeightedField } from '../indexing/tokens.ts'
import { toUserRef, type UserRefRow } from '../users/schema.ts'
import { ALL_CANDIDATES_MAX, type Candidate, CHUNK, type Source } from './collect.ts'
import { matchAll, matchPrefix } from './expressions.ts'
import {
  type Amount,
  candidatesStatement,
  documents,
  type LimitedLookup,
  listNewest,
  listUpTo,
} from './found.ts'

const CANDIDATE = sql`users.id, users.created_at as date, counts.follower_count as popularity`
const TEXTS = sql`users.handle, users.display_name, users.bio`

const IS_PUBLIC = sql`users.is_suspended = 0 and users.erased_at is null`

const candidates = statementFamily((amount: Amount) =>
  candidatesStatement<Record<never, never>>(
    amount,
    () => sql<Candidate>`select ${CANDIDATE}
      from found cross join users cross join user_counts as counts
      where users.id = found.id and counts.user_id = found.id and ${IS_PUBLIC}`,
  ),
)

type TextsRow = Pick<UserRow, 'id' | 'handle' | 'display_name' | 'bio'>

function userFields({ handle, display_name, bio }: TextsRow): WeightedField[] {
  return [
    { field: new Field(handle), weight: 4 },
    { field: new Field(display_name), weight: 3 },
    { field: new Field(bio), weight: 1 },
  ]
}

const texts = statement((q, p: { ids: string[] }, dialect) =>
  rawQuery<TextsRow>(
    q,
    sql`select users.id, ${TEXTS} from users where ${dialect.anyOf('users.id', p.ids)}`,
  ),
)

const walk = statementFamily(({ isFirst }: { isFirst: boolean }) =>
  statement((q, p: { date: number; id: string }) => {
    const after = isFirst ? sql`` : sql`where (created_at, id) < (${p.date}, ${p.id})`
    return rawQuery<TextsRow & Candidate & { is_included: number }>(
      q,
      sql`select ${CANDIDATE}, ${TEXTS},
          case when ${IS_PUBLIC} then 1 else 0 end as is_included
        from (select id from users ${after}
          order by created_at desc, id desc limit ${sql.lit(CHUNK)}) as newest
        join users on users.id = newest.id join user_counts as counts on counts.user_id = users.id
        order by users.created_at desc, users.id desc`,
    )
  }),
)

/** Returns a `Source` of the users who are neither suspended nor erased, the same for every viewer. */
export function creatorSource(db: Handle, query: Query): Source {
  const paramsOf = (terms: Query) => ({
    bound: {},
    lookup: matchAll(db.engine, KINDS.users, terms),
  })
  return {
    listCandidates: (terms, most) => listUpTo(db, candidates, paramsOf(terms), most),
    listAllCandidates: () => listNewest(db, candidates, paramsOf(query), ALL_CANDIDATES_MAX),
    async walk(after) {
      const { date = 0, id = '' } = after ?? {}
      const isFirst = after === undefined
      const rows = await db.all(walk({ isFirst }), { date, id })
      return rows.map((row) => ({
        ...row,
        isIncluded: row.is_included === 1,
        fields: userFields(row),
      }))
    },
    async listTexts(ids) {
      const rows = await db.all(texts, { ids })
      return rows.map((row) => ({ id: row.id, fields: userFields(row) }))
    },
  }
}

type RecordRow = TextsRow &
  Pick<UserRow, 'avatar_url' | 'avatar_sizes'> & {
    follower_count: number
    followed_at: number | null
  }

const records = statementFamily(({ signedIn }: { signedIn: boolean }) =>
  statement((q, p: { ids: string[]; viewerId: string }, dialect) =>
    rawQuery<RecordRow>(
      q,
      sql`select users.id, users.avatar_url, users.avatar_sizes, counts.follower_count, ${TEXTS},
          follows.created_at as followed_at
        from users join user_counts as counts on counts.user_id = users.id
        left join follows on follows.creator_id = users.id and follows.follower_id = ${p.viewerId}
        where ${dialect.anyOf('users.id', p.ids)} and ${IS_PUBLIC}
          ${signedIn ? sql`and ${isFiltered(p.viewerId, sql.ref('users.id'))} = 0` : sql``}`,
    ),
  ),
)

/**
 * Returns the users with these ids, in the order of the ids. Omits users who no longer match, or are suspended or
 * erased. Also omits users that the viewer blocked or muted.
 */
export async function loadFoundCreators(
  db: Handle,
  query: Query,
  ids: string[],
  viewerId: string | null,
) {
  if (ids.length === 0) return []
  const params = { ids, viewerId: viewerId ?? '' }
  const rows = await db.all(records({ signedIn: viewerId !== null }), params)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row || scoreOf(query, userFields(row)) === undefined) return []
    const { follower_count, followed_at } = row
    return [{ ...toUserRef(row), follower_count, is_following: followed_at !== null }]
  })
}

/** Maximum number of matching users from which suggestions are chosen. */
const SUGGESTED_MAX = 2000

const suggested = statement((q, p: LimitedLookup, dialect) =>
  rawQuery<UserRefRow & { follower_count: number }>(
    q,
    sql`with found as materialized ${documents(p, dialect, true)}
      select users.id, users.handle, users.display_name, users.avatar_url, users.avatar_sizes,
        counts.follower_count
      from found cross join users cross join user_counts as counts
      where users.id = found.id and counts.user_id = found.id
        and ${IS_PUBLIC}`,
  ),
)

/**
 * Returns the most followed users whose handle, or a word of whose display name, begins with this text. Considers only
 * the newest SUGGESTED_MAX matches.
 */
export async function listCreatorsByPrefix(db: Handle, text: string, limit: number) {
  const lookup = matchPrefix(db.engine, KINDS.names, text)
  if (!lookup) return []
  const rows = await db.all(suggested, { ...lookup, limit: SUGGESTED_MAX })
  const start = fold(text)
  const beginsWith = ({ handle, display_name }: UserRefRow) =>
    handle.startsWith(start) || ` ${fold(display_name)}`.includes(` ${start}`)
  return rows
    .filter(beginsWith)
    .toSorted(
      (left, right) => right.follower_count - left.follower_count || (left.id < right.id ? 1 : -1),
    )
    .slice(0, limit)
    .map(toUserRef)
}
