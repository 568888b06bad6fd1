import { type Expression, sql } from 'kysely'
import {
  hasReacted,
  type Reaction,
  type ReactionParams,
  publicContent,
} from '../contents/reaction-queries.ts'
import type { Tx } from '../db/handle.ts'
import { rawQuery, type Params, type Query, statement, statementFamily } from '../db/statement.ts'
import type { ToggleMode } from '../db/toggle.ts'
import { type Act, notificationTemplate } from '../notifications/template.ts'
import { type FollowOf, followable, isFollowed } from '../users/follow-queries.ts'
import { hasSubscribers } from '../webhooks/listening.ts'

type RelationTable = Reaction | 'follows'

/** A table whose rows connect a user with a content item or a creator. */
interface Relation<P> {
  table: RelationTable
  /** Columns with the id of the target and of the user. */
  columns: readonly [string, string]
  /** Selects the target's id, or no row when the user may not act on it. */
  to: (q: Query, p: P) => Expression<unknown>
}

/**
 * Returns a function that sets, unsets or toggles a row and returns the number of changed rows. Changes
 * nothing when the target does not exist.
 */
function toggleStatements<P extends Params & { user_id: string }>(relation: Relation<P>) {
  const { columns, to } = relation
  const table = sql.table(relation.table)
  const [object, user] = columns.map((name) => sql.ref(name))
  const match = (q: Query, p: P) => sql`${object} = ${to(q, p)} and ${user} = ${p.user_id}`
  const row = (
    q: Query,
    p: P & { now: number },
  ) => sql`insert into ${table} (${object}, ${user}, created_at)
    select found.id, cast(${p.user_id} as text), cast(${p.now} as bigint)
    from (select ${to(q, p)} as id) as found where found.id is not null`

  const set = statement((q, p: P & { now: number }) =>
    rawQuery(q, sql`${row(q, p)} on conflict do nothing`),
  )
  const unset = statement((q, p: P) => rawQuery(q, sql`delete from ${table} where ${match(q, p)}`))
  // Uses a single statement: with two, the insert would see the result of the delete.
  const toggle = statement((q, p: P & { now: number }) =>
    rawQuery(
      q,
      sql`with gone as (delete from ${table} where ${match(q, p)} returning 1)
        ${row(q, p)} and not exists (select 1 from gone)`,
    ),
  )
  return (tx: Tx, mode: ToggleMode, target: P, now: number): Promise<number> => {
    if (mode === 'unset') return tx.run(unset, target)
    return tx.run(mode === 'set' ? set : toggle, { ...target, now })
  }
}

const REACTION = { columns: ['content_id', 'user_id'], to: publicContent } as const

/** Inserts or deletes the row. Must run last, because the other statements read the previous state. */
export const applyToggle = {
  likes: toggleStatements<ReactionParams>({ ...REACTION, table: 'likes' }),
  bookmarks: toggleStatements<ReactionParams>({ ...REACTION, table: 'bookmarks' }),
  follows: toggleStatements<FollowOf>({
    table: 'follows',
    columns: ['creator_id', 'follower_id'],
    to: followable,
  }),
}

const set = statementFamily(({ target }: { target: RelationTable }) =>
  statement((q, p: ReactionParams & FollowOf) =>
    rawQuery<{ is_set: number }>(
      q,
      sql`select ${target === 'follows' ? isFollowed(q, p) : hasReacted(target, p)} as is_set`,
    ),
  ),
)

/**
 * On SQLite, converts a toggle to an explicit set or unset: reads are cheap, and no other transaction can
 * write. On PostgreSQL, returns the mode unchanged.
 */
export async function resolveToggle(
  tx: Tx,
  target: RelationTable,
  mode: ToggleMode,
  p: Partial<ReactionParams & FollowOf>,
): Promise<ToggleMode> {
  if (mode !== 'toggle' || tx.engine === 'postgres') return mode
  const found = await tx.first(set({ target }), { content_id: '', handle: '', user_id: '', ...p })
  return found?.is_set ? 'unset' : 'set'
}

const contentOfAnother = (q: Query, p: ReactionParams) =>
  publicContent(q, p).clearSelect().select('creator_id').where('creator_id', '<>', p.user_id)

/** Notifies the author of a like, with the title of the content. */
export const likeNotification = notificationTemplate<Act & ReactionParams>({
  to: (q, p) => sql`${contentOfAnother(q, p)}`,
  isDone: (_q, p) => hasReacted('likes', p),
  params: (q, p, { engine }) => {
    const title = q.selectFrom('contents').select('title').where('id', '=', p.content_id)
    return engine === 'postgres'
      ? sql`jsonb_build_object('title', ${title})::text`
      : sql`json_object('title', ${title})`
  },
})

export const followNotification = notificationTemplate<Act & FollowOf>({
  to: (q, p) => sql`${followable(q, p)}`,
  isDone: isFollowed,
  isSelf: true,
})

const creator = statement((q, p: { handle: string }, { engine }) => {
  const query = q.selectFrom('users').select(['id', 'is_suspended']).where('handle', '=', p.handle)
  return engine === 'postgres' ? query.forShare() : query
})

/** Returns the user with this handle. Delays a suspension of this user until the transaction ends. */
export function findCreatorShared(tx: Tx, handle: string) {
  return tx.first(creator, { handle })
}

/** Returns a row when the author of the content has webhooks. */
export const authorHasSubscribers = statement((q, p: ReactionParams) =>
  q
    .selectFrom('content_stats')
    .select('content_id')
    .where('content_id', '=', p.content_id)
    .where(sql<boolean>`${hasSubscribers('content_stats.creator_id')}`),
)

/** Returns a row when the creator has webhooks. */
export const creatorHasSubscribers = statement((q, p: FollowOf) =>
  q
    .selectFrom('users')
    .select('id')
    .where('handle', '=', p.handle)
    .where(sql<boolean>`${hasSubscribers('users.id')}`),
)
