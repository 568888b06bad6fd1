import { type Expression, type RawBuilder, sql } from 'kysely'

/** Milliseconds in which a work must gain e times the points to keep its place: 12.5 hours. */
const FOLD_MS = 45_000_000

const NONE = sql.lit(0)

interface RankedBy {
  published_at: Expression<unknown>
  /** Counts that are left out are 0. */
  like_count?: Expression<unknown>
  bookmark_count?: Expression<unknown>
  comment_count?: Expression<unknown>
  play_count?: Expression<unknown>
}

/**
 * The order of `sort=popular`, as SQL:
 *
 *     points = likes + 2 * bookmarks + 2 * comments + plays / 10
 *     score  = published_at / 45 000 000 + ln(1 + points)
 *
 * A later work starts higher, so nothing is ever recomputed because time passes: a work that is
 * 12.5 hours older needs e (2.7) times the points to stand level. A score changes only with its
 * counts, in the statement that changes them, and an index keeps the order.
 */
export function hotScore(of: RankedBy): RawBuilder<number> {
  const { like_count = NONE, bookmark_count = NONE, comment_count = NONE, play_count = NONE } = of
  const points = sql`1 + (${like_count}) + 2 * (${bookmark_count}) + 2 * (${comment_count}) + (${play_count}) / 10.0`
  return sql`coalesce(${of.published_at}, 0) / ${sql.lit(FOLD_MS)}.0 + ln(cast(${points} as double precision))`
}

/** Steps of heat in a score of one. */
const HEATS = 8

/**
 * A score in whole eighths, as SQL. `content_tags` keeps it of each work, by a trigger of the database's.
 * It changes when points are 1.13 times what they were: for a work with a thousand, some fifty times.
 */
export function heatOf(score: Expression<number>): RawBuilder<number> {
  return sql`cast(floor(${score} * ${sql.lit(HEATS)}) as bigint)`
}
