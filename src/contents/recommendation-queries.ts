import { type Expression, sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { type Query, statement, variants, YES } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'

/** Works that one tag, one person's likes, or the creator may bring in. */
const TAG_REACH = 50
const LIKER_REACH = 20
const CREATOR_REACH = 100
/** People whose other likes are looked at. */
const LIKERS = 25

/** What each way of being related counts. */
const WEIGHT = { tag: 3, liker: 2, creator: 2 } as const

type Of = {
  id: string
  limit: number
}

/** Works that share a tag: of each tag the newest, taken from the tag's own index. */
function byTags(q: Query, p: Of) {
  const oldest = (tag: Expression<string>) =>
    sql<number>`coalesce((select published_at from content_tags where tag = ${tag} order by published_at desc limit 1 offset ${sql.lit(TAG_REACH - 1)}), 0)`
  return q
    .selectFrom('content_tags as own')
    .innerJoin('content_tags as other', (join) =>
      join
        .onRef('other.tag', '=', 'own.tag')
        .on((e) => e('other.published_at', '>=', oldest(e.ref('own.tag')))),
    )
    .select(['other.content_id', sql<number>`${sql.lit(WEIGHT.tag)}`.as('weight')])
    .where('own.content_id', '=', p.id)
}

/** What people who liked this one liked lately. */
function byLikers(q: Query, p: Of) {
  const likers = q
    .selectFrom('likes')
    .select('user_id')
    .where('content_id', '=', p.id)
    .orderBy('user_id', 'desc')
    .limit(sql.lit(LIKERS))
  const oldest = (userId: Expression<string>) =>
    sql<number>`coalesce((select created_at from likes where user_id = ${userId} order by created_at desc limit 1 offset ${sql.lit(LIKER_REACH - 1)}), 0)`
  return q
    .selectFrom(likers.as('liker'))
    .innerJoin('likes as liked', (join) =>
      join
        .onRef('liked.user_id', '=', 'liker.user_id')
        .on((e) => e('liked.created_at', '>=', oldest(e.ref('liker.user_id')))),
    )
    .select(['liked.content_id', sql<number>`${sql.lit(WEIGHT.liker)}`.as('weight')])
}

/** The newest works of the same creator. */
function byCreator(q: Query, p: Of) {
  return q
    .selectFrom('content_stats')
    .select(['content_id', sql<number>`${sql.lit(WEIGHT.creator)}`.as('weight')])
    .where('creator_id', '=', (e) =>
      e.selectFrom('contents').select('creator_id').where('id', '=', p.id),
    )
    .where('is_public', '=', YES)
    .orderBy('published_at', 'desc')
    .orderBy('content_id', 'desc')
    .limit(sql.lit(CREATOR_REACH))
}

const related = variants(({ inCategory }: { inCategory: boolean }) =>
  statement((q, p: Of & { category: Category }) =>
    q
      .selectFrom((e) =>
        e
          .selectFrom(
            byTags(q, p)
              .unionAll(q.selectFrom(byLikers(q, p).as('likers')).selectAll())
              .unionAll(q.selectFrom(byCreator(q, p).as('creator')).selectAll())
              .as('each'),
          )
          .select((each) => ['each.content_id', each.fn.sum<number>('each.weight').as('weight')])
          .groupBy('each.content_id')
          .as('found'),
      )
      // From the few that were found, which neither engine would know to be few.
      .crossJoin('content_stats as stats')
      .select('stats.content_id')
      .whereRef('stats.content_id', '=', 'found.content_id')
      .where('stats.is_public', '=', YES)
      .where('stats.content_id', '<>', p.id)
      .$if(inCategory, (found) => found.where('stats.category', '=', p.category))
      .orderBy('found.weight', 'desc')
      .orderBy('stats.hot_score', 'desc')
      .orderBy('stats.content_id', 'desc')
      .limit(p.limit),
  ),
)

/**
 * Public works related to one by tags, creator and the people who like them, the most related
 * first and among equals the most popular. The cost is bounded by the reaches, not by the tables.
 */
export async function listRelated(
  db: Handle,
  id: string,
  category: Category | undefined,
  limit: number,
): Promise<string[]> {
  const inCategory = category !== undefined
  const rows = await db.all(related({ inCategory }), { id, limit, category: category ?? 'hype' })
  return rows.map(({ content_id }) => content_id)
}
