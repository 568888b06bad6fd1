/**
 * Feed of followed tags, newest first. A page needs at most the newest `last + 1` content items of each tag, so the
 * statement reads each tag in an index down to that item. With the parameter `tag`, the feed contains only items that
 * also have this tag.
 *
 * An item can have several followed tags, so the total of the feed is not a sum of stored totals. The statement
 * counts the items.
 */
import { sql } from 'kysely'
import { type PageChoices, type PageOf, pageOf } from '../contents/page.ts'
import { type Query, statement, statementFamily } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'

type Params = PageOf<{
  tag: string
  category: Category
  /** Position in the whole list of the last content item of this page, from 0. */
  last: number
}>

interface Choices {
  category: boolean
  tag: boolean
}

const ofFollowedTags = (q: Query, p: Params, { category, tag }: Choices) =>
  tag
    ? q
        .selectFrom('content_tags as items')
        .where('items.tag', '=', p.tag)
        .$if(category, (query) => query.where('items.category', '=', p.category))
        .where(
          sql<boolean>`exists (select 1 from content_tags as own
            join tag_follows on tag_follows.tag = own.tag and tag_follows.user_id = ${p.viewerId}
            where own.content_id = items.content_id)`,
        )
    : q
        .selectFrom('tag_follows')
        .crossJoin('content_tags as items')
        .where('tag_follows.user_id', '=', p.viewerId)
        .whereRef('items.tag', '=', 'tag_follows.tag')
        .$if(category, (query) => query.where('items.category', '=', p.category))

const newest = (q: Query, p: Params, choices: Choices) => {
  const rows = ofFollowedTags(q, p, choices)
    .select(['items.content_id', 'items.published_at as place'])
    .distinct()
    .orderBy('place', 'desc')
    .orderBy('content_id', 'desc')
  if (choices.tag) return rows
  const oldest = sql<number>`(select published_at from content_tags as last
    where last.tag = tag_follows.tag
      ${choices.category ? sql`and last.category = ${p.category}` : sql``}
    order by published_at desc limit 1 offset ${p.last})`
  return rows.where('items.published_at', '>=', sql<number>`coalesce(${oldest}, 0)`)
}

export const followedTagsPage = statementFamily(
  ({ category, tag, ...choices }: PageChoices & Choices) =>
    statement((q, p: Params, dialect) => {
      const list = { category, tag }
      const total = ofFollowedTags(q, p, list).select(
        sql<number>`count(distinct items.content_id)`.as('total'),
      )
      return pageOf(q, p, dialect, choices, {
        total: sql<number>`${total}`,
        action: (cut) => cut(newest(q, p, list)),
      })
    }),
)
