import { sql } from 'kysely'
import { type PageChoices, type PageOf, pageOf } from '../contents/page.ts'
import { type Order, ranked } from '../contents/rank.ts'
import { cutFromNearerEnd } from '../db/cut.ts'
import type { Handle } from '../db/handle.ts'
import {
  rawQuery,
  type Dialect,
  type Query,
  type Range,
  statement,
  statementFamily,
  FALSE,
} from '../db/statement.ts'
import type { Category, ContentType, UserRow } from '../db/tables.ts'

type UserRefRow = Pick<UserRow, 'id' | 'handle' | 'display_name' | 'avatar_url' | 'avatar_sizes'>

const profile = statement((q, p: { handle: string; viewerId: string }) =>
  q
    .selectFrom('users')
    .innerJoin('user_counts as counts', 'counts.user_id', 'users.id')
    .leftJoin('follows', (join) =>
      join.onRef('follows.creator_id', '=', 'users.id').on('follows.follower_id', '=', p.viewerId),
    )
    .leftJoin('user_filters as filters', (join) =>
      join.onRef('filters.filtered_id', '=', 'users.id').on('filters.user_id', '=', p.viewerId),
    )
    .select([
      'users.id',
      'users.handle',
      'users.display_name',
      'users.avatar_url',
      'users.avatar_sizes',
      'users.bio',
      'users.created_at',
      'counts.follower_count',
      'counts.following_count',
      'counts.content_count',
      'follows.created_at as followed_at',
      'filters.blocked_at',
      'filters.muted_at',
    ])
    .where('users.handle', '=', p.handle)
    .where('users.is_suspended', '=', FALSE)
    .where('users.erased_at', 'is', null),
)

/**
 * Returns a user's public profile, or undefined for an unknown, suspended or erased user. `handle` must be in
 * lower case.
 */
export function findCreator(db: Handle, handle: string, viewerId: string | null) {
  return db.first(profile, { handle, viewerId: viewerId ?? '' })
}

const named = (q: Query, p: { handle: string }) =>
  q
    .selectFrom('users')
    .where('users.handle', '=', p.handle)
    .where('users.is_suspended', '=', FALSE)
    .where('users.erased_at', 'is', null)

interface ContentsChoices {
  order: Order
  /** `category` and `type`: true to filter by the statement's parameter of the same name. */
  category: boolean
  type: boolean
}

/**
 * Selects a page of a creator's public content. With a category or type, counts the content items in an index, so a
 * larger total takes longer.
 */
export const creatorPage = statementFamily(
  ({ order, category, type, ...choices }: PageChoices & ContentsChoices) =>
    statement(
      (q, p: PageOf<{ handle: string; category: Category; type: ContentType }>, dialect) => {
        const rows = (way: 'asc' | 'desc') =>
          ranked(q, order, way)
            .where('creator_id', '=', named(q, p).select('users.id'))
            .$if(category, (query) => query.where('category', '=', p.category))
            .$if(type, (query) => query.where('type', '=', p.type))
        const stored = named(q, p)
          .innerJoin('user_counts as counts', 'counts.user_id', 'users.id')
          .select('counts.content_count')
        const counted = named(q, p).select(() =>
          rows('desc')
            .clearSelect()
            .clearOrderBy()
            .select((e) => e.fn.countAll<number>().as('count'))
            .$asScalar()
            .as('total'),
        )
        return pageOf(q, p, dialect, choices, {
          showsFiltered: true,
          total: category || type ? counted.$asScalar() : stored.$asScalar(),
          action: (_, cutNear) => cutNear(rows),
        })
      },
    ),
)

export type Side = 'followers' | 'following'

const SIDES = {
  followers: { owner: 'creator_id', shown: 'follower_id' },
  following: { owner: 'follower_id', shown: 'creator_id' },
} as const

/**
 * SQL that is true when the user whose id is in the column `shown` is not suspended. `limit 1 offset 0` keeps
 * PostgreSQL from a join, which would read all followed users.
 */
const isShown = (shown: string, dialect: Dialect) =>
  sql<boolean>`not exists (select 1 from users as gone ${dialect.indexedBy('users_suspended')}
    where gone.id = ${sql.ref(shown)} and gone.is_suspended = 1 limit 1 offset 0)`

const IS_FOLLOWER_SHOWN = sql<boolean>`follows.is_follower_suspended = 0`

/**
 * SQL for the number of suspended users that a user follows. Follows of creators in `suspended_stars` are not flagged
 * as suspended, so these creators are counted separately.
 */
const SUSPENDED_FOLLOWED = sql<number>`(
    (select count(*) from follows as hidden
      where hidden.follower_id = users.id and hidden.is_creator_suspended = 1)
    + (select count(*) from suspended_stars as stars
      where exists (select 1 from follows as starred where starred.creator_id = stars.creator_id
        and starred.follower_id = users.id limit 1 offset 0)))`

type ListedUserRow = UserRefRow & { followed_at: number | null }
type UsersRow = { total: number } & (ListedUserRow | { id: null })

const users = statementFamily((side: Side) =>
  statement((q, p: Range & { handle: string; viewerId: string }, dialect) => {
    const owner = sql.ref(`follows.${SIDES[side].owner}`)
    const shown = `follows.${SIDES[side].shown}`
    const total =
      side === 'followers'
        ? sql`counts.follower_count - counts.suspended_follower_count`
        : sql`counts.following_count - ${SUSPENDED_FOLLOWED}`
    const rows = (isReversed: boolean) => {
      const way = isReversed ? 'asc' : 'desc'
      return q
        .selectFrom('follows')
        .select([sql.ref(shown).as('user_id'), 'follows.created_at as place'])
        .where(sql<boolean>`${owner} = (select id from counts)`)
        .where(side === 'followers' ? IS_FOLLOWER_SHOWN : isShown(shown, dialect))
        .orderBy('follows.created_at', way)
        .orderBy(sql.ref(shown), way)
    }
    return rawQuery(
      q,
      sql<UsersRow>`with counts as materialized (
          select users.id, ${total} as total from users
          join user_counts as counts on counts.user_id = users.id
          where users.handle = ${p.handle} and users.is_suspended = 0 and users.erased_at is null
        ), page as ${cutFromNearerEnd(dialect.engine, rows, p)}
        select counts.total, users.id, users.handle, users.display_name, users.avatar_url, users.avatar_sizes,
          own.created_at as followed_at
        from counts left join page on true left join users on users.id = page.user_id
        left join follows as own on own.follower_id = ${p.viewerId} and own.creator_id = users.id
        order by page.place desc, page.user_id desc`,
    )
  }),
)

/**
 * Returns a page of a user's followers or followed users, the newest follow first, and the total. Both exclude
 * suspended users. Returns undefined when the user is unknown or suspended.
 */
export async function listUsers(
  db: Handle,
  side: Side,
  { handle, viewerId }: { handle: string; viewerId: string | null },
  range: Range,
) {
  // An empty id matches no user.
  const rows = await db.all(users(side), { handle, viewerId: viewerId ?? '', ...range })
  const [first] = rows
  if (!first) return undefined
  return { total: first.total, users: rows.filter((row) => row.id !== null) }
}
