/**
 * Feed of followed tags: the newest content items, at most FEED_MAX. With the parameter `tag`, only items that
 * also have this tag.
 *
 * The statement reads only parts of each tag's list. Once one tag has filled the page, older items of other
 * tags cannot be on the page.
 *
 * An item can have several followed tags, so the stored totals cannot be added up. The statement counts items,
 * unless the stored totals prove that there are at least FEED_MAX.
 */
import { sql } from 'kysely'
import { TAGS_MAX } from '../contents/input.ts'
import { type PageChoices, type PageOf, pageOf } from '../contents/page.ts'
import type { Rows } from '../db/cut.ts'
import { type Query, statement, statementFamily } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'

export const FEED_MAX = 1000
/** This many rows of `content_tags` belong to at least FEED_MAX content items, each with at most TAGS_MAX tags. */
const ROWS_MAX = FEED_MAX * TAGS_MAX
/** Number of the newest content items with `tag` among which the feed looks for items with a followed tag. */
const SEARCHED_MAX = 5000

const MAX = sql.lit(FEED_MAX)

type Params = PageOf<{
  tag: string
  category: Category
  /** Position of this page's last content item in the whole list, from 0. */
  last: number
}>

interface Choices {
  category: boolean
  tag: boolean
}

const ofFollowedTags = (q: Query, p: Params, category: boolean) =>
  q
    .selectFrom('tag_follows')
    .crossJoin('content_tags as items')
    .where('tag_follows.user_id', '=', p.viewerId)
    .whereRef('items.tag', '=', 'tag_follows.tag')
    .$if(category, (query) => query.where('items.category', '=', p.category))
    .distinct()

/** Selects the first FEED_MAX rows in the order of the feed. */
const newestOf = (q: Query, rows: Rows): Rows =>
  q
    .selectFrom(rows.orderBy('place', 'desc').orderBy('content_id', 'desc').limit(MAX).as('newest'))
    .selectAll()
    .orderBy('place', 'desc')
    .orderBy('content_id', 'desc')

const inCategory = (p: Params, category: boolean) =>
  category ? sql`and category = ${p.category}` : sql``

const total = (q: Query, p: Params, category: boolean) => {
  const found = ofFollowedTags(q, p, category).select('items.content_id').limit(MAX)
  // PostgreSQL reads the totals only until one of them is large enough.
  return sql<number>`(with each as materialized (
      select (select coalesce(sum(total), 0) from tag_totals
        where tag = tag_follows.tag ${inCategory(p, category)}) as total
      from tag_follows where user_id = ${p.viewerId})
    select case
      when exists (select 1 from each where total >= ${MAX}) then ${MAX}
      when (select sum(total) from each) >= ${sql.lit(ROWS_MAX)} then ${MAX}
      else (select count(*) from (${found}) as found) end)`
}

const newest = (q: Query, p: Params, category: boolean) => {
  const oldest = sql<number>`coalesce((select max(place) from (
      select (select published_at from content_tags
        where tag = tag_follows.tag ${inCategory(p, category)}
        order by published_at desc limit 1 offset ${p.last}) as place
      from tag_follows where user_id = ${p.viewerId}) as oldest), 0)`
  // As a column of each tag, the bound makes PostgreSQL read each tag's list. With a constant bound it could scan
  // the items of all tags, with parallel workers, which takes long when the followed tags are rare.
  const rows = q
    .with(
      (name) => name('each').materialized(),
      (c) =>
        c
          .selectFrom('tag_follows')
          .select(['tag', oldest.as('oldest')])
          .where('user_id', '=', p.viewerId),
    )
    .selectFrom('each')
    .crossJoin('content_tags as items')
    .select(['items.content_id', 'items.published_at as place'])
    .whereRef('items.tag', '=', 'each.tag')
    .whereRef('items.published_at', '>=', 'each.oldest')
    .$if(category, (query) => query.where('items.category', '=', p.category))
    .distinct()
  return newestOf(q, rows)
}

/** Of the newest SEARCHED_MAX items with the tag, selects those that also have a followed tag. */
const newestWithTag = (q: Query, p: Params, category: boolean) => {
  const tagged = q
    .selectFrom('content_tags')
    .select(['content_id', 'published_at as place'])
    .where('tag', '=', p.tag)
    .$if(category, (query) => query.where('category', '=', p.category))
    .orderBy('published_at', 'desc')
    .orderBy('content_id', 'desc')
    .limit(sql.lit(SEARCHED_MAX))
  const rows = q
    .selectFrom(tagged.as('listed'))
    .select(['listed.content_id', 'listed.place'])
    // A scalar subquery runs once per listed item. PostgreSQL could turn EXISTS into a join over all content of the
    // followed tags.
    .where(
      sql<boolean>`(select 1 from content_tags as own
        join tag_follows on tag_follows.tag = own.tag and tag_follows.user_id = ${p.viewerId}
        where own.content_id = listed.content_id limit 1) = 1`,
    )
  return newestOf(q, rows)
}

export const followedTagsPage = statementFamily(
  ({ category, tag, ...choices }: PageChoices & Choices) =>
    statement((q, p: Params, dialect) =>
      pageOf(q, p, dialect, choices, {
        total: tag
          ? sql<number>`(select count(*) from (${newestWithTag(q, p, category)}) as found)`
          : total(q, p, category),
        action: (cut) => cut(tag ? newestWithTag(q, p, category) : newest(q, p, category)),
      }),
    ),
)
