/**
 * The works in a feed; `contents/page.ts` makes a statement of a page of them. Every list takes its
 * works from an index alone, in the order of that index, and its total from what is kept:
 * `is_public = 1` stands as a literal, since neither engine uses a partial index for a bound value.
 * Where a join could start at either side it is written as a cross join, whose order SQLite keeps;
 * PostgreSQL chooses by its statistics.
 */
import { sql } from 'kysely'
import { type PageChoices, type PageOf, pageOf } from '../contents/page.ts'
import type { Handle } from '../db/handle.ts'
import { type Query, type Range, statement, variants, YES } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'

const ONE = sql.lit(1)
/** Heats that no work has. */
const [COLDEST, HOTTEST] = [-1_000_000_000, 1_000_000_000]

export type Order = 'latest' | 'popular'
const RANK = { latest: 'published_at', popular: 'hot_score' } as const

const ranked = (
  q: Query,
  p: { category: Category },
  order: Order,
  category: boolean,
  way: 'asc' | 'desc',
) =>
  q
    .selectFrom('content_stats')
    .select(['content_id', `${RANK[order]} as place`])
    .where('is_public', '=', YES)
    .$if(category, (all) => all.where('category', '=', p.category))
    .orderBy(RANK[order], way)
    .orderBy('content_id', way)

const popular = variants(({ category }: { category: boolean }) =>
  statement((q, p: Range & { category: Category }) =>
    ranked(q, p, 'popular', category, 'desc').limit(p.limit).offset(p.offset),
  ),
)

/** Ids of the most popular public works of one category, or of all. */
export async function listPopular(
  db: Handle,
  category: Category | undefined,
  range: Range,
): Promise<string[]> {
  const params = { ...range, ...bound(category) }
  const rows = await db.all(popular({ category: category !== undefined }), params)
  return rows.map(({ content_id }) => content_id)
}

/** How many public works there are of one category, or in all. */
const worksTotal = (p: { category: Category }, category: boolean) =>
  category
    ? sql<number>`(select total from category_totals where category = ${p.category})`
    : sql<number>`(select sum(total) from category_totals)`

interface FeedChoices extends PageChoices {
  order: Order
  category: boolean
}

/** Public works of one category, or of all. */
export const worksPage = variants(({ order, category, ...choices }: FeedChoices) =>
  statement((q, p: PageOf<{ category: Category }>, on) =>
    pageOf(q, p, on, choices, {
      total: worksTotal(p, category),
      works: (_, cutNear) => cutNear((way) => ranked(q, p, order, category, way)),
    }),
  ),
)

type Tagged = { tag: string; category: Category }

/** Tags of works that are not public are not kept, so this is how many a list shows. */
export const tagTotal = (p: Tagged, category: boolean) =>
  sql<number>`(select coalesce(sum(total), 0) from tag_totals where tag = ${p.tag} ${
    category ? sql`and category = ${p.category}` : sql``
  })`

const latestTagged = (q: Query, p: Tagged, category: boolean, way: 'asc' | 'desc') =>
  q
    .selectFrom('content_tags')
    .select(['content_id', 'published_at as place'])
    .where('tag', '=', p.tag)
    .$if(category, (all) => all.where('category', '=', p.category))
    .orderBy('published_at', way)
    .orderBy('content_id', way)

/**
 * True of works with the tag: one step for each, wherever it stands. A join PostgreSQL would start
 * at the tags, which it takes for few whatever the tag.
 */
export const hasTag = (p: { tag: string }) =>
  sql<boolean>`works.content_id = (select tagged.content_id from content_tags as tagged
    where tagged.tag = ${p.tag} and tagged.content_id = works.content_id)`

/**
 * The tag's works down to the heat of the last that the page and those before it hold: no work below
 * has a higher score than these. They are put in the order of their scores.
 */
const popularTagged = (q: Query, p: Tagged & Range, category: boolean) => {
  const tags = q
    .selectFrom('content_tags')
    .where('tag', '=', p.tag)
    .$if(category, (all) => all.where('category', '=', p.category))
  const last = tags
    .select('heat')
    .orderBy('heat', 'desc')
    .orderBy('content_id', 'desc')
    .limit(ONE)
    .offset(sql<number>`cast(${p.offset} as bigint) + ${p.limit} - 1`)
  return (
    tags
      .select('content_id')
      .select((e) =>
        e
          .selectFrom('content_stats as works')
          .select('works.hot_score')
          .whereRef('works.content_id', '=', 'content_tags.content_id')
          .$asScalar()
          .as('place'),
      )
      // The upper bound lets PostgreSQL expect few: of one bound alone it expects a third of all.
      .where(
        sql<boolean>`heat between coalesce(${last}, ${sql.lit(COLDEST)}) and ${sql.lit(HOTTEST)}`,
      )
      .orderBy('place', 'desc')
      .orderBy('content_id', 'desc')
  )
}

/** Public works with a tag: the latest in the order of one of the tag's indexes, the popular nearly so. */
export const taggedPage = variants(({ order, category, ...choices }: FeedChoices) =>
  statement((q, p: PageOf<Tagged>, on) =>
    pageOf(q, p, on, choices, {
      total: tagTotal(p, category),
      works: (cut, cutNear) =>
        order === 'latest'
          ? cutNear((way) => latestTagged(q, p, category, way))
          : cut(popularTagged(q, p, category)),
    }),
  ),
)

/** Binds something where a statement of no category needs nothing. */
export function bound(category: Category | undefined): { category: Category } {
  return { category: category ?? 'hype' }
}
