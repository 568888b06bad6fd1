/**
 * The feed of followed creators, newest first. A person may follow thousands, of whom each has any
 * number of works, so neither a walk through all works (endless when the followed ones are quiet)
 * nor a sort of all their works will do. A page needs the newest `reach` works at most, and those
 * are by the `reach` creators whose newest work is latest, or as late; so:
 *
 * 1. one step into `content_stats_by_creator` for each followed creator tells when the newest work was
 *    published; the `reach`th latest of these times is the oldest a page may need;
 * 2. of each creator with a work as late, the works are read from the same index down to the
 *    `reach`th, or to that time.
 *
 * The cost grows with the number of followed creators and with the page, not with that of works.
 * Where the followed have few works in all, a sort of these is cheaper.
 */
import { sql } from 'kysely'
import { type PageChoices, type PageOf, pageOf } from '../contents/page.ts'
import { eitherOf } from '../db/cut.ts'
import { type Dialect, type Query, statement, variants, YES } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'
import { hasTag, tagTotal } from './queries.ts'

const ONE = sql.lit(1)
/** As many times the works a page needs are sorted in less time than the steps above take. */
const FEW = sql.lit(10)

type Following = PageOf<{
  category: Category
  /** How many works the page and those before it hold, and that less one. */
  reach: number
  beforeReach: number
}>

const worksOfFollowed = (q: Query, p: Following, on: Dialect, category: boolean) => {
  const timesOf = (creator: 'follows.creator_id' | 'newest.creator_id') =>
    q
      .selectFrom('content_stats as work')
      .select('work.published_at')
      .where('work.creator_id', '=', sql.ref<string>(creator))
      .where('work.is_public', '=', YES)
      .$if(category, (all) => all.where('work.category', '=', p.category))
      .orderBy('work.published_at', 'desc')
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
    .crossJoin('content_stats as works')
    .select(['works.content_id', 'works.published_at as place'])
    .where('newest.at', '>=', oldest)
    .whereRef('works.creator_id', '=', 'newest.creator_id')
    .where('works.is_public', '=', YES)
    .$if(category, (all) => all.where('works.category', '=', p.category))
    .where('works.published_at', '>=', on.greatest(sql`coalesce(${reachth}, 0)`, oldest))
    .orderBy('works.published_at', 'desc')
    .orderBy('works.content_id', 'desc')
}

const allOfFollowed = (q: Query, p: Following, category: boolean) =>
  q
    .selectFrom('follows')
    .crossJoin('content_stats as works')
    .select(['works.content_id', 'works.published_at as place'])
    .where('follows.follower_id', '=', p.viewerId)
    .whereRef('works.creator_id', '=', 'follows.creator_id')
    .where('works.is_public', '=', YES)
    .$if(category, (all) => all.where('works.category', '=', p.category))
    .orderBy('works.published_at', 'desc')
    .orderBy('works.content_id', 'desc')

/**
 * How many public works those whom a person follows have, of each category or in all. One step for each
 * of them: a join PostgreSQL would start, for thousands, at the counts of everybody.
 */
const followedTotal = (p: { viewerId: string }, category: Category | undefined) =>
  sql<number>`(select coalesce(sum((select ${sql.ref(category ? `${category}_count` : 'content_count')}
      from user_counts where user_id = follows.creator_id)), 0)
    from follows where follower_id = ${p.viewerId})`

interface FollowingChoices extends PageChoices {
  category: Category | undefined
}

/** Public works of the creators this person follows. */
export const followingPage = variants(({ category, ...choices }: FollowingChoices) =>
  statement((q, p: Following, on) => {
    const isIn = category !== undefined
    const areFew = sql<boolean>`(select total from counts) <= cast(${p.reach} as bigint) * ${FEW}`
    return pageOf(q, p, on, choices, {
      total: followedTotal(p, category),
      works: (cut) =>
        eitherOf(
          cut(allOfFollowed(q, p, isIn), { when: areFew }),
          cut(worksOfFollowed(q, p, on, isIn), { when: sql`not (${areFew})` }),
        ),
    })
  }),
)

type FollowingTagged = PageOf<{ tag: string; category: Category }>

/** From the tag's works, or from those of the followed creators. */
const withTag = (q: Query, p: FollowingTagged, category: boolean, from: 'tags' | 'follows') =>
  (from === 'tags'
    ? q
        .selectFrom('content_tags as tags')
        .crossJoin('content_stats as works')
        .crossJoin('follows')
        .where('tags.tag', '=', p.tag)
        .whereRef('tags.content_id', '=', 'works.content_id')
    : q.selectFrom('follows').crossJoin('content_stats as works').where(hasTag(p))
  )
    .where('follows.follower_id', '=', p.viewerId)
    .whereRef('follows.creator_id', '=', 'works.creator_id')
    .where('works.is_public', '=', YES)
    .$if(category, (all) => all.where('works.category', '=', p.category))

/** Those of the works that have a tag; the join starts at the side with fewer works. */
export const followingTaggedPage = variants(({ category, ...choices }: FollowingChoices) =>
  statement((q, p: FollowingTagged, on) => {
    const isIn = category !== undefined
    const fromTags = sql<boolean>`${tagTotal(p, false)} <= ${followedTotal(p, undefined)}`
    const number = (from: 'tags' | 'follows') =>
      withTag(q, p, isIn, from).select((e) => e.fn.countAll<number>().as('count'))
    const works = (from: 'tags' | 'follows') =>
      withTag(q, p, isIn, from)
        .select(['works.content_id', 'works.published_at as place'])
        .orderBy(sql.ref(from === 'tags' ? 'tags.published_at' : 'works.published_at'), 'desc')
        .orderBy(sql.ref(from === 'tags' ? 'tags.content_id' : 'works.content_id'), 'desc')
    return pageOf(q, p, on, choices, {
      total: sql<number>`case when ${fromTags} then ${number('tags')} else ${number('follows')} end`,
      works: (cut) =>
        eitherOf(
          cut(works('tags'), { when: fromTags }),
          cut(works('follows'), { when: sql`not (${fromTags})` }),
        ),
    })
  }),
)
