import { type RawBuilder, sql } from 'kysely'
import { type PageChoices, type PageOf, pageOf } from '../contents/page.ts'
import { type Order, ranked } from '../contents/rank.ts'
import { cutFromNearerEnd } from '../db/cut.ts'
import type { Handle } from '../db/handle.ts'
import { type Engine, type Query, type Range, statement, statementFamily } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'

const ONE = sql.lit(1)
/** Numbers below and above all score buckets (see `scoreBucketOf`). */
const [MIN_BUCKET, MAX_BUCKET] = [-1_000_000_000, 1_000_000_000]

const rankedIn = (
  q: Query,
  p: { category: Category },
  order: Order,
  category: boolean,
  way: 'asc' | 'desc',
) => ranked(q, order, way).$if(category, (query) => query.where('category', '=', p.category))

const popular = statementFamily(({ category }: { category: boolean }) =>
  statement((q, p: Range & { category: Category }) =>
    rankedIn(q, p, 'popular', category, 'desc').limit(p.limit).offset(p.offset),
  ),
)

export async function listPopular(
  db: Handle,
  category: Category | undefined,
  range: Range,
): Promise<string[]> {
  const params = { ...range, ...bound(category) }
  const rows = await db.all(popular({ category: category !== undefined }), params)
  return rows.map(({ content_id }) => content_id)
}

const contentsTotal = (p: { category: Category }, category: boolean) =>
  category
    ? sql<number>`(select total from category_totals where category = ${p.category})`
    : sql<number>`(select sum(total) from category_totals)`

interface FeedChoices extends PageChoices {
  order: Order
  category: boolean
}

export const contentsPage = statementFamily(({ order, category, ...choices }: FeedChoices) =>
  statement((q, p: PageOf<{ category: Category }>, dialect) =>
    pageOf(q, p, dialect, choices, {
      total: contentsTotal(p, category),
      action: (_, cutNear) => cutNear((way) => rankedIn(q, p, order, category, way)),
    }),
  ),
)

type Tagged = { tag: string; category: Category }

/**
 * Selects the number of visible content items with a tag. Hidden items have no tag rows, so the stored total
 * needs no filter.
 */
export const tagTotal = (p: Tagged, category: boolean) =>
  sql<number>`(select coalesce(sum(total), 0) from tag_totals where tag = ${p.tag} ${
    category ? sql`and category = ${p.category}` : sql``
  })`

const latestTagged = (q: Query, p: Tagged, category: boolean, way: 'asc' | 'desc') =>
  q
    .selectFrom('content_tags')
    .select(['content_id', 'published_at as place'])
    .where('tag', '=', p.tag)
    .$if(category, (query) => query.where('category', '=', p.category))
    .orderBy('published_at', way)
    .orderBy('content_id', way)

/**
 * Condition for content items with a tag. A join would be slow on PostgreSQL, which underestimates how many
 * items have a common tag.
 */
export const hasTag = (p: { tag: string }) =>
  sql<boolean>`items.content_id = (select tagged.content_id from content_tags as tagged
    where tagged.tag = ${p.tag} and tagged.content_id = items.content_id)`

const byBucket = (q: Query, p: Tagged, category: boolean, way: 'asc' | 'desc') =>
  q
    .selectFrom('content_tags')
    .where('tag', '=', p.tag)
    .$if(category, (query) => query.where('category', '=', p.category))
    .orderBy('score_bucket', way)
    .orderBy('content_id', way)

/** Selects the score bucket of the page's first item, and the number of earlier items in that bucket. */
const edgeOf = (q: Query, p: Tagged & Range, engine: Engine, category: boolean) => {
  const edge = cutFromNearerEnd(
    engine,
    (isReversed) =>
      byBucket(q, p, category, isReversed ? 'asc' : 'desc').select(['score_bucket', 'content_id']),
    { limit: ONE, offset: p.offset },
  )
  const passed = q
    .selectFrom('content_tags as ahead')
    .select((e) => e.fn.countAll<number>().as('passed'))
    .where('tag', '=', p.tag)
    .$if(category, (query) => query.where('category', '=', p.category))
    .where(
      sql<boolean>`ahead.score_bucket = found.score_bucket and ahead.content_id > found.content_id`,
    )
  return sql`(select score_bucket, (${passed}) as passed from ${edge} as found)`
}

/**
 * Selects popular items with a tag. Sorts only items between the buckets of the page's first and last item. A
 * higher bucket means a higher score.
 */
const popularTagged = (
  q: Query,
  p: Tagged & Range,
  category: boolean,
  { highest, passed }: { highest: RawBuilder<number>; passed: RawBuilder<number> },
) => {
  // Uses both bounds, so that PostgreSQL estimates few rows. With one bound it estimates a third of the
  // table.
  const last = byBucket(q, p, category, 'desc')
    .select('score_bucket')
    .where(sql<boolean>`score_bucket between ${sql.lit(MIN_BUCKET)} and ${highest}`)
    .limit(ONE)
    .offset(sql<number>`cast(${passed} as bigint) + ${p.limit} - 1`)
  return q
    .selectFrom('content_tags')
    .where('tag', '=', p.tag)
    .$if(category, (query) => query.where('category', '=', p.category))
    .select('content_id')
    .select((e) =>
      e
        .selectFrom('content_stats as items')
        .select('items.hot_score')
        .whereRef('items.content_id', '=', 'content_tags.content_id')
        .$asScalar()
        .as('place'),
    )
    .where(
      sql<boolean>`score_bucket between coalesce(${last}, ${sql.lit(MIN_BUCKET)}) and ${highest}`,
    )
    .orderBy('place', 'desc')
    .orderBy('content_id', 'desc')
}

const TOP = { highest: sql<number>`${sql.lit(MAX_BUCKET)}`, passed: sql<number>`0` }
const EDGE = {
  highest: sql<number>`(select score_bucket from edge)`,
  passed: sql<number>`(select passed from edge)`,
}

/**
 * Selects a page of items with a tag. `latest` reads an index in order. `popular` sorts the items within a range of
 * score buckets.
 */
export const taggedPage = statementFamily(({ order, category, ...choices }: FeedChoices) =>
  statement((q, p: PageOf<Tagged>, dialect) =>
    pageOf(q, p, dialect, choices, {
      total: tagTotal(p, category),
      ...(order === 'popular' &&
        !choices.first && { edge: edgeOf(q, p, dialect.engine, category) }),
      action: (cut, cutNear) => {
        if (order === 'latest') return cutNear((way) => latestTagged(q, p, category, way))
        const above = choices.first ? TOP : EDGE
        return cut(popularTagged(q, p, category, above), { from: above.passed })
      },
    }),
  ),
)

/** Returns the category as a statement parameter. Statements for all categories require it too, but ignore it. */
export function bound(category: Category | undefined): { category: Category } {
  return { category: category ?? 'hype' }
}
