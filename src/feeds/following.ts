/**
 * The feed of followed creators, newest first. A person may follow thousands, of whom each has any
 * number of works, so neither a walk through all works (endless when the followed ones are quiet)
 * nor a sort of all their works will do. A page needs the newest `reach` works at most, and those
 * are by the `reach` creators whose newest work is latest; so:
 *
 * 1. one step into `content_stats_by_creator` for each followed creator finds the newest work, and
 *    the `reach` latest of these are kept;
 * 2. of each creator kept, the works are read from the same index down to the `reach`th, or to the
 *    oldest of the works kept in step 1 where there are `reach` of them.
 *
 * The cost grows with the number of followed creators and with the page, not with that of works.
 */
import { sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { type Query, type Range, statement, variants, YES } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'
import { bound, countOf, idsOf } from './queries.ts'

const ONE = sql.lit(1)

const following = variants(({ category }: { category: boolean }) =>
  statement(
    (
      q,
      p: Range & { viewerId: string; category: Category; reach: number; beforeReach: number },
      on,
    ) => {
      const worksOf = (creator: 'follows.creator_id' | 'recent.creator_id') =>
        q
          .selectFrom('content_stats as work')
          .where('work.creator_id', '=', sql.ref<string>(creator))
          .where('work.is_public', '=', YES)
          .$if(category, (all) => all.where('work.category', '=', p.category))
          .orderBy('work.published_at', 'desc')
          .orderBy('work.content_id', 'desc')
      const newest = worksOf('follows.creator_id').select('work.content_id').limit(ONE)
      const reachth = worksOf('recent.creator_id')
        .select('work.published_at')
        .limit(ONE)
        .offset(p.beforeReach)
      const oldestKept = sql`(select case when count(*) < ${p.reach} then 0 else min(published_at) end from recent)`
      return q
        .with('recent', (c) =>
          c
            .selectFrom('follows')
            .crossJoin('content_stats as newest')
            .select(['newest.creator_id', 'newest.published_at'])
            .where('follows.follower_id', '=', p.viewerId)
            .where('newest.content_id', '=', newest)
            .orderBy('newest.published_at', 'desc')
            .orderBy('newest.content_id', 'desc')
            .limit(p.reach),
        )
        .selectFrom('recent')
        .crossJoin('content_stats as works')
        .select('works.content_id')
        .whereRef('works.creator_id', '=', 'recent.creator_id')
        .where('works.is_public', '=', YES)
        .$if(category, (all) => all.where('works.category', '=', p.category))
        .where('works.published_at', '>=', on.greatest(sql`coalesce(${reachth}, 0)`, oldestKept))
        .orderBy('works.published_at', 'desc')
        .orderBy('works.content_id', 'desc')
        .limit(p.limit)
        .offset(p.offset)
    },
  ),
)

/** Public works of the creators this person follows. */
export async function listFollowing(
  db: Handle,
  viewerId: string,
  category: Category | undefined,
  range: Range,
): Promise<string[]> {
  const reach = range.offset + range.limit
  const choices = { category: category !== undefined }
  const params = { viewerId, ...range, reach, beforeReach: reach - 1, ...bound(category) }
  return idsOf(await db.all(following(choices), params))
}

const total = statement((q, p: { viewerId: string }) =>
  q
    .selectFrom('follows')
    .crossJoin('user_counts as counts')
    .select(sql<number>`coalesce(sum(counts.content_count), 0)`.as('count'))
    .where('follows.follower_id', '=', p.viewerId)
    .whereRef('counts.user_id', '=', 'follows.creator_id'),
)
const totalIn = statement((q, p: { viewerId: string; category: Category }) =>
  q
    .selectFrom('follows')
    .crossJoin('content_stats as works')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('follows.follower_id', '=', p.viewerId)
    .whereRef('works.creator_id', '=', 'follows.creator_id')
    .where('works.is_public', '=', YES)
    .where('works.category', '=', p.category),
)

export function countFollowing(
  db: Handle,
  viewerId: string,
  category: Category | undefined,
): Promise<number> {
  return countOf(
    category ? db.first(totalIn, { viewerId, category }) : db.first(total, { viewerId }),
  )
}

interface Choices {
  category: boolean
  /** Where the join starts: at the side with fewer works. */
  from: 'tags' | 'follows'
}

const withTag = (
  q: Query,
  p: { viewerId: string; tag: string; category: Category },
  { category, from }: Choices,
) =>
  (from === 'tags'
    ? q.selectFrom('content_tags as tags').crossJoin('content_stats as works').crossJoin('follows')
    : q.selectFrom('follows').crossJoin('content_stats as works').crossJoin('content_tags as tags')
  )
    .where('tags.tag', '=', p.tag)
    .where('follows.follower_id', '=', p.viewerId)
    .whereRef('tags.content_id', '=', 'works.content_id')
    .whereRef('follows.creator_id', '=', 'works.creator_id')
    .where('works.is_public', '=', YES)
    .$if(category, (all) => all.where('works.category', '=', p.category))

const tagged = variants((choices: Choices) =>
  statement((q, p: Range & { viewerId: string; tag: string; category: Category }) =>
    withTag(q, p, choices)
      .select('works.content_id')
      .orderBy(choices.from === 'tags' ? 'tags.published_at' : 'works.published_at', 'desc')
      .orderBy(choices.from === 'tags' ? 'tags.content_id' : 'works.content_id', 'desc')
      .limit(p.limit)
      .offset(p.offset),
  ),
)
const taggedTotal = variants((choices: Choices) =>
  statement((q, p: { viewerId: string; tag: string; category: Category }) =>
    withTag(q, p, choices).select((e) => e.fn.countAll<number>().as('count')),
  ),
)

interface FollowingTagged {
  viewerId: string
  tag: string
  category: Category | undefined
  from: Choices['from']
}

/** Those of the works that have a tag. */
export async function listFollowingTagged(
  db: Handle,
  { viewerId, tag, category, from }: FollowingTagged,
  range: Range,
): Promise<string[]> {
  const choices = { category: category !== undefined, from }
  return idsOf(await db.all(tagged(choices), { viewerId, tag, ...range, ...bound(category) }))
}

export function countFollowingTagged(
  db: Handle,
  { viewerId, tag, category, from }: FollowingTagged,
): Promise<number> {
  const choices = { category: category !== undefined, from }
  return countOf(db.first(taggedTotal(choices), { viewerId, tag, ...bound(category) }))
}
