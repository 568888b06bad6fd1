/**
 * Feed of followed creators, newest first, with their content for followers. With a tag, it contains only
 * public content, because only public content has rows in `content_tags`.
 *
 * A page needs at most the newest `reach` content items. They belong to the `reach` creators with the latest
 * publications. The statement therefore has two steps:
 *
 * 1. For each followed creator, look up the newest publication time in `content_stats_followed`. The `reach`th
 *   latest of these times is the lower bound of the page.
 * 2. For each creator at or above that bound, read content items from the same index, down to the bound or at
 *   most `reach`.
 *
 * The cost does not grow with the number of content items. When the followed creators have few content items in
 * total, the statement sorts them instead.
 *
 * Cross joins fix the order of joins on SQLite. PostgreSQL chooses the order from its statistics.
 */
import { sql } from 'kysely'
import { type PageChoices, type PageOf, pageOf } from '../contents/page.ts'
import { isForFollowers } from '../db/visibility.ts'
import { eitherOf } from '../db/cut.ts'
import { type Dialect, type Query, statement, statementFamily, TRUE } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'
import { hasTag, tagTotal } from './queries.ts'

const ONE = sql.lit(1)
/** The statement sorts all content items of the feed when their number is at most SORT_FACTOR * `reach`. */
const SORT_FACTOR = sql.lit(10)

type Following = PageOf<{
  category: Category
  /**
   * Number of content items on this page and all pages before it. `beforeReach` is one less: the offset of the last
   * of these items.
   */
  reach: number
  beforeReach: number
}>

const contentsOfFollowed = (q: Query, p: Following, dialect: Dialect, category: boolean) => {
  const timesOf = (creator: 'follows.creator_id' | 'newest.creator_id') =>
    q
      .selectFrom('content_stats as content')
      .select('content.published_at')
      .where('content.creator_id', '=', sql.ref<string>(creator))
      .where(isForFollowers('content'))
      .$if(category, (query) => query.where('content.category', '=', p.category))
      .orderBy('content.published_at', 'desc')
      .limit(ONE)
  const reachth = timesOf('newest.creator_id').offset(p.beforeReach)
  const oldest = sql<number>`(select at from oldest)`
  return q
    .with(
      (name) => name('newest').materialized(),
      (c) =>
        c
          .selectFrom('follows')
          .select('follows.creator_id')
          .select(timesOf('follows.creator_id').as('at'))
          .where('follows.follower_id', '=', p.viewerId),
    )
    .with(
      (name) => name('oldest').materialized(),
      (c) =>
        c.selectNoFrom((e) =>
          e.fn
            .coalesce(
              e
                .selectFrom('newest')
                .select('newest.at')
                .where('newest.at', 'is not', null)
                .orderBy('newest.at', 'desc')
                .limit(ONE)
                .offset(p.beforeReach),
              sql.lit(0),
            )
            .as('at'),
        ),
    )
    .selectFrom('newest')
    .crossJoin('content_stats as items')
    .select(['items.content_id', 'items.published_at as place'])
    .where('newest.at', '>=', oldest)
    .whereRef('items.creator_id', '=', 'newest.creator_id')
    .where(isForFollowers('items'))
    .$if(category, (query) => query.where('items.category', '=', p.category))
    .where('items.published_at', '>=', dialect.greatest(sql`coalesce(${reachth}, 0)`, oldest))
    .orderBy('items.published_at', 'desc')
    .orderBy('items.content_id', 'desc')
}

const allOfFollowed = (q: Query, p: Following, category: boolean) =>
  q
    .selectFrom('follows')
    .crossJoin('content_stats as items')
    .select(['items.content_id', 'items.published_at as place'])
    .where('follows.follower_id', '=', p.viewerId)
    .whereRef('items.creator_id', '=', 'follows.creator_id')
    .where(isForFollowers('items'))
    .$if(category, (query) => query.where('items.category', '=', p.category))
    .orderBy('items.published_at', 'desc')
    .orderBy('items.content_id', 'desc')

/**
 * Selects the total of the feed from the counts of the followed creators. With a join instead of subqueries,
 * PostgreSQL would read the counts of all users.
 */
const followedTotal = (p: { viewerId: string }, category: Category | undefined) =>
  sql<number>`(select coalesce(sum((select ${sql.raw(category ? `${category}_count` : 'hype_count + swipe_count + jump_count')}
      from user_counts where user_id = follows.creator_id)), 0)
    from follows where follower_id = ${p.viewerId})`

interface FollowingChoices extends PageChoices {
  category: Category | undefined
}

export const followingPage = statementFamily(({ category, ...choices }: FollowingChoices) =>
  statement((q, p: Following, dialect) => {
    const isIn = category !== undefined
    const areFew = sql<boolean>`(select total from counts) <= cast(${p.reach} as bigint) * ${SORT_FACTOR}`
    return pageOf(q, p, dialect, choices, {
      total: followedTotal(p, category),
      action: (cut) =>
        eitherOf(
          cut(allOfFollowed(q, p, isIn), { when: areFew }),
          cut(contentsOfFollowed(q, p, dialect, isIn), { when: sql`not (${areFew})` }),
        ),
    })
  }),
)

type FollowingTagged = PageOf<{ tag: string; category: Category }>

const withTag = (q: Query, p: FollowingTagged, category: boolean, from: 'tags' | 'follows') =>
  (from === 'tags'
    ? q
        .selectFrom('content_tags as tags')
        .crossJoin('content_stats as items')
        .crossJoin('follows')
        .where('tags.tag', '=', p.tag)
        .whereRef('tags.content_id', '=', 'items.content_id')
    : q.selectFrom('follows').crossJoin('content_stats as items').where(hasTag(p))
  )
    .where('follows.follower_id', '=', p.viewerId)
    .whereRef('follows.creator_id', '=', 'items.creator_id')
    .where('items.is_public', '=', TRUE)
    .$if(category, (query) => query.where('items.category', '=', p.category))

/**
 * Selects a page of followed creators' content with a tag. Starts from the tag's items or from the followed creators'
 * items, whichever are fewer.
 */
export const followingTaggedPage = statementFamily(({ category, ...choices }: FollowingChoices) =>
  statement((q, p: FollowingTagged, dialect) => {
    const isIn = category !== undefined
    const fromTags = sql<boolean>`${tagTotal(p, false)} <= ${followedTotal(p, undefined)}`
    const number = (from: 'tags' | 'follows') =>
      withTag(q, p, isIn, from).select((e) => e.fn.countAll<number>().as('count'))
    const action = (from: 'tags' | 'follows') =>
      withTag(q, p, isIn, from)
        .select(['items.content_id', 'items.published_at as place'])
        .orderBy(sql.ref(from === 'tags' ? 'tags.published_at' : 'items.published_at'), 'desc')
        .orderBy(sql.ref(from === 'tags' ? 'tags.content_id' : 'items.content_id'), 'desc')
    return pageOf(q, p, dialect, choices, {
      total: sql<number>`case when ${fromTags} then ${number('tags')} else ${number('follows')} end`,
      action: (cut) =>
        eitherOf(
          cut(action('tags'), { when: fromTags }),
          cut(action('follows'), { when: sql`not (${fromTags})` }),
        ),
    })
  }),
)
