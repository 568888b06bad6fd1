/**
 * The ids of the works in a feed and how many they are; `contents/load.ts` makes records of them.
 * Every list takes its ids from an index alone: `is_public = 1` stands as a literal, since neither
 * engine uses a partial index for a bound value. Where a join could start at either side it is
 * written as a cross join, whose order SQLite keeps; PostgreSQL chooses by its statistics.
 */
import { sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { type Range, statement, variants, YES } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'

export type Order = 'latest' | 'popular'
const RANK = { latest: 'published_at', popular: 'hot_score' } as const

const works = variants(({ order, category }: { order: Order; category: boolean }) =>
  statement((q, p: Range & { category: Category }) =>
    q
      .selectFrom('content_stats')
      .select('content_id')
      .where('is_public', '=', YES)
      .$if(category, (all) => all.where('category', '=', p.category))
      .orderBy(RANK[order], 'desc')
      .orderBy('content_id', 'desc')
      .limit(p.limit)
      .offset(p.offset),
  ),
)

/** Public works of one category, or of all. */
export async function listWorks(
  db: Handle,
  order: Order,
  category: Category | undefined,
  range: Range,
): Promise<string[]> {
  const choices = { order, category: category !== undefined }
  return idsOf(await db.all(works(choices), { ...range, ...bound(category) }))
}

const total = variants(({ category }: { category: boolean }) =>
  statement((q, p: { category: Category }) =>
    q
      .selectFrom('category_totals')
      .select(sql<number>`coalesce(sum(total), 0)`.as('count'))
      .$if(category, (all) => all.where('category', '=', p.category)),
  ),
)

export function countWorks(db: Handle, category: Category | undefined): Promise<number> {
  return countOf(db.first(total({ category: category !== undefined }), bound(category)))
}

type Tagged = { tag: string; category: Category }

const tagged = variants(
  ({ order, category, from }: { order: Order; category: boolean; from: 'tags' | 'works' }) =>
    statement((q, p: Tagged & Range) => {
      const both =
        from === 'tags'
          ? q.selectFrom('content_tags as tags').crossJoin('content_stats as works')
          : q.selectFrom('content_stats as works').crossJoin('content_tags as tags')
      return both
        .select('works.content_id')
        .where('tags.tag', '=', p.tag)
        .whereRef('works.content_id', '=', 'tags.content_id')
        .where('works.is_public', '=', YES)
        .$if(category, (all) => all.where('works.category', '=', p.category))
        .orderBy(order === 'latest' ? 'tags.published_at' : 'works.hot_score', 'desc')
        .orderBy(from === 'tags' ? 'tags.content_id' : 'works.content_id', 'desc')
        .limit(p.limit)
        .offset(p.offset)
    }),
)

/**
 * Public works with a tag. The latest come in the order of the tag's own index. The popular are
 * found from either side: `works` walks the works by rank until enough have the tag, which is right
 * for a tag that many have; `tags` sorts all works with the tag, right for a rare one.
 */
export async function listTagged(
  db: Handle,
  order: Order,
  { tag, category, from }: { tag: string; category: Category | undefined; from: 'tags' | 'works' },
  range: Range,
): Promise<string[]> {
  const choices = { order, category: category !== undefined, from }
  return idsOf(await db.all(tagged(choices), { tag, ...range, ...bound(category) }))
}

const tagTotal = statement((q, p: { tag: string }) =>
  q
    .selectFrom('content_tags')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('tag', '=', p.tag),
)
const tagTotalIn = statement((q, p: Tagged) =>
  q
    .selectFrom('content_tags as tags')
    .crossJoin('content_stats as works')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('tags.tag', '=', p.tag)
    .whereRef('works.content_id', '=', 'tags.content_id')
    .where('works.category', '=', p.category),
)

/** Tags of works that are not public are not kept, so the tag's own rows tell the number. */
export function countTagged(
  db: Handle,
  tag: string,
  category: Category | undefined,
): Promise<number> {
  return countOf(category ? db.first(tagTotalIn, { tag, category }) : db.first(tagTotal, { tag }))
}

/** Binds something where a statement of no category needs nothing. */
export function bound(category: Category | undefined): { category: Category } {
  return { category: category ?? 'hype' }
}

export function idsOf(rows: { content_id: string }[]): string[] {
  return rows.map((row) => row.content_id)
}

export async function countOf(row: Promise<{ count: number } | undefined>): Promise<number> {
  return (await row)?.count ?? 0
}
