import { type Expression, sql } from 'kysely'
import { isMarked, type Mark, type MarkOf, publicWork } from '../contents/mark-queries.ts'
import type { Tx } from '../db/handle.ts'
import { bare, type Params, type Query, statement, variants } from '../db/statement.ts'
import type { Wish } from '../db/wish.ts'
import { type Act, tellingOf } from '../notifications/telling.ts'
import { type FollowOf, followable, isFollowed } from '../users/follow-queries.ts'
import { isListening } from '../webhooks/listening.ts'

type RelationTable = Mark | 'follows'

/** A table whose rows say that a person stands in a relation to something. */
interface Relation<P> {
  table: RelationTable
  /** The columns of what it is to, and of the person. */
  columns: readonly [string, string]
  /** Selects the id of what it is to, if the person may. */
  to: (q: Query, p: P) => Expression<unknown>
}

/** Changes the row as a wish says, where there is what it is to. */
function flipOf<P extends Params & { user_id: string }>(relation: Relation<P>) {
  const { columns, to } = relation
  const table = sql.table(relation.table)
  const [object, person] = columns.map((name) => sql.ref(name))
  const one = (q: Query, p: P) => sql`${object} = ${to(q, p)} and ${person} = ${p.user_id}`
  const row = (
    q: Query,
    p: P & { now: number },
  ) => sql`insert into ${table} (${object}, ${person}, created_at)
    select found.id, cast(${p.user_id} as text), cast(${p.now} as bigint)
    from (select ${to(q, p)} as id) as found where found.id is not null`

  const set = statement((q, p: P & { now: number }) =>
    bare(q, sql`${row(q, p)} on conflict do nothing`),
  )
  const unset = statement((q, p: P) => bare(q, sql`delete from ${table} where ${one(q, p)}`))
  // One statement, for the second of two would see what the first has done.
  const toggle = statement((q, p: P & { now: number }) =>
    bare(
      q,
      sql`with gone as (delete from ${table} where ${one(q, p)} returning 1)
        ${row(q, p)} and not exists (select 1 from gone)`,
    ),
  )
  return (tx: Tx, wish: Wish, of: P, now: number): Promise<number> => {
    if (wish === 'unset') return tx.run(unset, of)
    return tx.run(wish === 'set' ? set : toggle, { ...of, now })
  }
}

const MARK = { columns: ['content_id', 'user_id'], to: publicWork } as const

/** The row itself is changed last: what comes before looks at what was. */
export const flip = {
  likes: flipOf<MarkOf>({ ...MARK, table: 'likes' }),
  bookmarks: flipOf<MarkOf>({ ...MARK, table: 'bookmarks' }),
  follows: flipOf<FollowOf>({
    table: 'follows',
    columns: ['creator_id', 'follower_id'],
    to: followable,
  }),
}

const set = variants(({ of }: { of: RelationTable }) =>
  statement((q, p: MarkOf & FollowOf) =>
    bare<{ is_set: number }>(
      q,
      sql`select ${of === 'follows' ? isFollowed(q, p) : isMarked(of, p)} as is_set`,
    ),
  ),
)

/** A toggle of what is known is no toggle: on SQLite, where looking is cheap and nobody else writes. */
export async function settle(
  tx: Tx,
  of: RelationTable,
  wish: Wish,
  p: Partial<MarkOf & FollowOf>,
): Promise<Wish> {
  if (wish !== 'toggle' || tx.engine === 'postgres') return wish
  const found = await tx.first(set({ of }), { content_id: '', handle: '', user_id: '', ...p })
  return found?.is_set ? 'unset' : 'set'
}

const workOfAnother = (q: Query, p: MarkOf) =>
  publicWork(q, p).clearSelect().select('creator_id').where('creator_id', '<>', p.user_id)

/** How an author is told of a like, with the title of the work. */
export const likeTelling = tellingOf<Act & MarkOf>({
  to: (q, p) => sql`${workOfAnother(q, p)}`,
  isDone: (_q, p) => isMarked('likes', p),
  params: (q, p, { engine }) => {
    const title = q.selectFrom('contents').select('title').where('id', '=', p.content_id)
    return engine === 'postgres'
      ? sql`jsonb_build_object('title', ${title})::text`
      : sql`json_object('title', ${title})`
  },
})

/** How a person is told of a follower. */
export const followTelling = tellingOf<Act & FollowOf>({
  to: (q, p) => sql`${followable(q, p)}`,
  isDone: isFollowed,
  isSelf: true,
})

const creator = statement((q, p: { handle: string }, { engine }) => {
  const query = q.selectFrom('users').select(['id', 'is_suspended']).where('handle', '=', p.handle)
  return engine === 'postgres' ? query.forShare() : query
})

/** The person with this handle, whose suspension waits until the transaction ends. */
export function findCreatorShared(tx: Tx, handle: string) {
  return tx.first(creator, { handle })
}

/** Finds a row where the author of the work has webhooks. */
export const authorListens = statement((q, p: MarkOf) =>
  q
    .selectFrom('content_stats')
    .select('content_id')
    .where('content_id', '=', p.content_id)
    .where(sql<boolean>`${isListening('content_stats.creator_id')}`),
)

/** Finds a row where the person has webhooks. */
export const creatorListens = statement((q, p: FollowOf) =>
  q
    .selectFrom('users')
    .select('id')
    .where('handle', '=', p.handle)
    .where(sql<boolean>`${isListening('users.id')}`),
)
