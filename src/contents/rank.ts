import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Query, TRUE } from '../db/statement.ts'

/** Content older by this many milliseconds (12.5 hours) needs e (2.7) times the points for the same score. */
const FOLD_MS = 45_000_000

const NONE = sql.lit(0)

interface RankedBy {
  published_at: Expression<unknown>
  like_count?: Expression<unknown>
  bookmark_count?: Expression<unknown>
  comment_count?: Expression<unknown>
  play_count?: Expression<unknown>
}

/**
 * SQL expression for the order of `sort=popular`:
 *
 *     points = likes + 2 * bookmarks + 2 * comments + plays / 10
 *     score  = published_at / 45 000 000 + ln(1 + points)
 *
 * Newer content items start higher, so no score changes as time passes. An item that is 12.5 hours older needs e
 * (2.7) times the points to rank equally. Missing counts and a missing time are 0.
 */
export function hotScore(target: RankedBy): RawBuilder<number> {
  const {
    like_count = NONE,
    bookmark_count = NONE,
    comment_count = NONE,
    play_count = NONE,
  } = target
  const points = sql`1 + (${like_count}) + 2 * (${bookmark_count}) + 2 * (${comment_count}) + (${play_count}) / 10.0`
  return sql`coalesce(${target.published_at}, 0) / ${sql.lit(FOLD_MS)}.0 + ln(cast(${points} as double precision))`
}

export type Order = 'latest' | 'popular'
const SORT_KEY = { latest: 'published_at', popular: 'hot_score' } as const

/**
 * Selects the public content items, sorted by `order`. `way` is `desc` for the order of the list, and `asc` for its
 * reverse.
 */
export function ranked(q: Query, order: Order, way: 'asc' | 'desc') {
  return q
    .selectFrom('content_stats')
    .select(['content_id', `${SORT_KEY[order]} as place`])
    .where('is_public', '=', TRUE)
    .orderBy(SORT_KEY[order], way)
    .orderBy('content_id', way)
}

const BUCKETS_PER_POINT = 8

/**
 * SQL expression for the score in whole eighths, the sort key of a tag's popular content in `content_tags`. The sort
 * key changes only about fifty times until a content item has a thousand points.
 */
export function scoreBucketOf(score: Expression<number>): RawBuilder<number> {
  return sql`cast(floor(${score} * ${sql.lit(BUCKETS_PER_POINT)}) as bigint)`
}
