import { type Expression, sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { type Query, statement, statementFamily, TRUE } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'

/**
 * Maximum number of content items from each tag (TAG_REACH), from each liker (LIKER_REACH) and from the creator
 * (CREATOR_REACH). LIKERS is the maximum number of likers.
 */
const TAG_REACH = 50
const LIKER_REACH = 20
const CREATOR_REACH = 100
const LIKERS = 25

const WEIGHT = { tag: 3, liker: 2, creator: 2 } as const

type Of = {
  id: string
  limit: number
}

/** Selects the newest content items of each tag that the given content item has. */
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

function byLikers(q: Query, p: Of) {
  const likers = q
    .selectFrom('likes')
    .select('user_id')
    .where('content_id', '=', p.id)
    .orderBy('created_at', 'desc')
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

function byCreator(q: Query, p: Of) {
  return q
    .selectFrom('content_stats')
    .select(['content_id', sql<number>`${sql.lit(WEIGHT.creator)}`.as('weight')])
    .where('creator_id', '=', (e) =>
      e.selectFrom('contents').select('creator_id').where('id', '=', p.id),
    )
    .where('is_public', '=', TRUE)
    .orderBy('published_at', 'desc')
    .orderBy('content_id', 'desc')
    .limit(sql.lit(CREATOR_REACH))
}

const related = statementFamily(({ inCategory }: { inCategory: boolean }) =>
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
      // SQLite overestimates the number of rows in `found`. The cross join makes `found` the outer table.
      .crossJoin('content_stats as stats')
      .select('stats.content_id')
      .whereRef('stats.content_id', '=', 'found.content_id')
      .where('stats.is_public', '=', TRUE)
      .where('stats.content_id', '<>', p.id)
      .$if(inCategory, (found) => found.where('stats.category', '=', p.category))
      .orderBy('found.weight', 'desc')
      .orderBy('stats.hot_score', 'desc')
      .orderBy('stats.content_id', 'desc')
      .limit(p.limit),
  ),
)

/**
 * Returns the ids of related content, sorted by weight, then by popularity. TAG_REACH, LIKERS, LIKER_REACH and
 * CREATOR_REACH limit the cost.
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
