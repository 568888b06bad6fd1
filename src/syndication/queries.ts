/**
 * Addresses in the sitemaps. Each file covers a range of ids, so that a change in one range does not move
 * addresses between other files.
 */
import { sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { listRows } from '../db/rows.ts'
import { FALSE, statement, TRUE } from '../db/statement.ts'

export type ListKind = 'contents' | 'creators'

/** Ids greater than `after`, up to and including `last`. */
export type IdRange = { after: string; last: string }

/** A text that sorts after every id. */
export const LAST = '~'

const lastOf = {
  contents: statement((q, p: { after: string; offset: number }) =>
    q
      .selectFrom('content_stats')
      .select('content_id as id')
      .where('is_public', '=', TRUE)
      .where('content_id', '>', p.after)
      .orderBy('content_id')
      .limit(sql.lit(1))
      .offset(p.offset),
  ),
  creators: statement((q, p: { after: string; offset: number }) =>
    q
      .selectFrom('user_counts')
      .select('user_id as id')
      .where('content_count', '>', 0)
      .where('user_id', '>', p.after)
      .orderBy('user_id')
      .limit(sql.lit(1))
      .offset(p.offset),
  ),
}

/**
 * Returns the id that is `count` places after `after` among public contents, or among creators with public content.
 * Returns undefined when fewer follow.
 */
export async function findIdAfter(
  db: Handle,
  kind: ListKind,
  after: string,
  count: number,
): Promise<string | undefined> {
  return (await db.first(lastOf[kind], { after, offset: count - 1 }))?.id
}

const contents = statement((q, p: IdRange & { limit: number }) =>
  q
    .selectFrom('content_stats as stats')
    .innerJoin('contents', 'contents.id', 'stats.content_id')
    .innerJoin('users', 'users.id', 'stats.creator_id')
    .select(['contents.id', 'contents.rating', 'contents.updated_at', 'users.is_indexed'])
    .where('stats.is_public', '=', TRUE)
    .where('stats.content_id', '>', p.after)
    .where('stats.content_id', '<=', p.last)
    .orderBy('stats.content_id')
    .limit(p.limit),
)

const creators = statement((q, p: IdRange & { limit: number }) =>
  q
    .selectFrom('user_counts as counts')
    .innerJoin('users', 'users.id', 'counts.user_id')
    .select((e) => [
      'users.id',
      'users.handle',
      'users.is_indexed',
      e
        .selectFrom('content_stats as stats')
        .select(({ fn }) => fn.max('stats.published_at').as('latest'))
        .where('stats.is_public', '=', TRUE)
        .whereRef('stats.creator_id', '=', 'users.id')
        .as('updated_at'),
    ])
    .where('counts.content_count', '>', 0)
    // These creators have no page.
    .where('users.is_suspended', '=', FALSE)
    .where('users.erased_at', 'is', null)
    .where('counts.user_id', '>', p.after)
    .where('counts.user_id', '<=', p.last)
    .orderBy('counts.user_id')
    .limit(p.limit),
)

export function listContentAddresses(db: Handle, range: IdRange, limit: number) {
  return db.all(contents, { ...range, limit })
}

export function listCreatorAddresses(db: Handle, range: IdRange, limit: number) {
  return db.all(creators, { ...range, limit })
}

export function listPageAddresses(db: Handle) {
  return listRows(db, 'pages', {}, { by: 'slug' })
}
