/**
 * The works in a feed; `contents/page.ts` makes a statement of a page of them. Every list takes its
 * works from an index alone, in the order of that index, and its total from what is kept:
 * `is_public = 1` stands as a literal, since neither engine uses a partial index for a bound value.
 * Where a join could start at either side it is written as a cross join, whose order SQLite keeps;
 * PostgreSQL chooses by its statistics.
 */
import { type Expression, sql } from 'kysely'
import { type PageChoices, type PageOf, pageOf } from '../contents/page.ts'
import { RANK_REACH_MS } from '../contents/rank.ts'
import { eitherOf } from '../db/cut.ts'
import type { Handle } from '../db/handle.ts'
import { type Query, type Range, statement, variants, YES } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'

const ONE = sql.lit(1)

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

/** How many times rarer the works with a tag must be among a page's for a sort than for a walk. */
const WALK_ADVANTAGE = 16

/**
 * When the oldest of the latest works with the tag was published, as many as the page and those
 * before it hold; 0 where there are fewer. What was published long before stands on no such page.
 */
const reached = (q: Query, p: Tagged & Range, category: boolean) =>
  sql<number>`coalesce((${latestTagged(q, p, category, 'desc')
    .clearSelect()
    .select('published_at')
    .limit(ONE)
    .offset(sql<number>`cast(${p.offset} as bigint) + ${p.limit} - 1`)}), 0)`

/**
 * True of works with the tag: one step for each, wherever it stands. A join PostgreSQL would start
 * at the tags, which it takes for few whatever the tag.
 */
export const hasTag = (p: { tag: string }) =>
  sql<boolean>`works.content_id = (select tagged.content_id from content_tags as tagged
    where tagged.tag = ${p.tag} and tagged.content_id = works.content_id)`

const popularWithTag = (q: Query, p: Tagged, category: boolean) =>
  q
    .selectFrom('content_stats as works')
    .select(['works.content_id', 'works.hot_score as place'])
    .where('works.is_public', '=', YES)
    .$if(category, (all) => all.where('works.category', '=', p.category))
    .where(hasTag(p))
    .orderBy('works.hot_score', 'desc')
    .orderBy('works.content_id', 'desc')

const popularOfTag = (q: Query, p: Tagged, category: boolean, earliest: Expression<number>) =>
  q
    .selectFrom('content_tags as tags')
    .crossJoin('content_stats as works')
    .select(['works.content_id', 'works.hot_score as place'])
    .where('tags.published_at', '>=', earliest)
    .where('tags.tag', '=', p.tag)
    .whereRef('works.content_id', '=', 'tags.content_id')
    .where('works.is_public', '=', YES)
    .$if(category, (all) =>
      all.where('works.category', '=', p.category).where('tags.category', '=', p.category),
    )
    .orderBy('works.hot_score', 'desc')
    .orderBy('works.content_id', 'desc')

/**
 * Public works with a tag. The latest come in the order of the tag's own index. The popular are
 * found from either side: by a walk through the works by rank until enough have the tag, where many
 * do and have of late; else by a sort of those of the tag's works that are late enough to stand on
 * the page.
 */
export const taggedPage = variants(({ order, category, ...choices }: FeedChoices) =>
  statement((q, p: PageOf<Tagged>, on) =>
    pageOf(q, p, on, choices, {
      total: tagTotal(p, category),
      works(cut, cutNear) {
        if (order === 'latest') return cutNear((way) => latestTagged(q, p, category, way))
        const number = sql`(select total from counts)`
        const earliest = sql<number>`${reached(q, p, category)} - ${sql.lit(RANK_REACH_MS)}`
        const newest = ranked(q, p, 'latest', category, 'desc').clearSelect().select('published_at')
        const walks = sql<boolean>`((cast(${p.offset} as bigint) + ${p.limit}) * ${worksTotal(p, category)}
          * ${sql.lit(WALK_ADVANTAGE)} < ${number} * ${number} and ${earliest} > (${newest.limit(ONE)}) - ${sql.lit(2 * RANK_REACH_MS)})`
        return eitherOf(
          cut(popularWithTag(q, p, category), walks),
          cut(popularOfTag(q, p, category, earliest), sql`not ${walks}`),
        )
      },
    }),
  ),
)

/** Binds something where a statement of no category needs nothing. */
export function bound(category: Category | undefined): { category: Category } {
  return { category: category ?? 'hype' }
}
