import { sql } from 'kysely'
import type { Reaction } from '../contents/load.ts'
import { type PageChoices, type PageOf, pageOf } from '../contents/page.ts'
import { type Dialect, type Query, statement, statementFamily } from '../db/statement.ts'
import { isOpenTo } from '../db/visibility.ts'
import type { ContentStatus } from '../db/tables.ts'

type Author = { status: ContentStatus }

const madeBy = (q: Query, p: PageOf<Author>, byStatus: boolean) => {
  const contents = q.selectFrom('contents').where('creator_id', '=', p.viewerId)
  return byStatus
    ? contents.where('status', '=', p.status)
    : contents.where('status', '<>', sql.lit<ContentStatus>('archived'))
}

export const authoredPage = statementFamily(
  ({ byStatus, ...choices }: PageChoices & { byStatus: boolean }) =>
    statement((q, p: PageOf<Author>, dialect) =>
      pageOf(q, p, dialect, choices, {
        showsFiltered: true,
        total: madeBy(q, p, byStatus)
          .select((e) => e.fn.countAll<number>().as('count'))
          .$asScalar(),
        action: (cut) =>
          cut(
            madeBy(q, p, byStatus)
              .select(['id as content_id', sql<number>`0`.as('place')])
              .orderBy('id', 'desc'),
          ),
      }),
    ),
)

/**
 * Selects the viewer's reactions to content that is open to the viewer. The subquery reads a small partial index of
 * the content items that have reactions but are not public.
 */
const reactionsBy = (q: Query, p: PageOf<object>, table: Reaction, dialect: Dialect) =>
  q
    .selectFrom(`${table as 'likes'} as reactions`)
    .where('reactions.user_id', '=', p.viewerId)
    .where(
      sql<boolean>`not exists (select 1 from content_stats as hidden ${dialect.indexedBy('content_stats_hidden')}
        where hidden.content_id = reactions.content_id and hidden.is_public = 0
          and (hidden.like_count > 0 or hidden.bookmark_count > 0)
          and coalesce(${isOpenTo(p.viewerId, 'hidden')}, false) = false)`,
    )

export const reactedPage = statementFamily(
  ({ reaction, ...choices }: PageChoices & { reaction: Reaction }) =>
    statement((q, p: PageOf<object>, dialect) =>
      pageOf(q, p, dialect, choices, {
        showsFiltered: true,
        total: reactionsBy(q, p, reaction, dialect)
          .select((e) => e.fn.countAll<number>().as('count'))
          .$asScalar(),
        action: (cut) =>
          cut(
            reactionsBy(q, p, reaction, dialect)
              .select(['reactions.content_id', 'reactions.created_at as place'])
              .orderBy('reactions.created_at', 'desc')
              .orderBy('reactions.content_id', 'desc'),
          ),
      }),
    ),
)
