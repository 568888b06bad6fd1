import { sql } from 'kysely'
import { cutFromNearerEnd } from '../db/cut.ts'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { isOpenTo } from '../db/visibility.ts'
import { hasRow } from '../db/rows.ts'
import { rawQuery, type Range, statement, statementFamily, TRUE } from '../db/statement.ts'
import { isFiltered } from '../db/user-filters.ts'
import { BY_CREATOR } from '../threads/schema.ts'
import { treeOf } from '../threads/tree.ts'
import type { CommentRecordRow } from './schema.ts'

export const commentTree = treeOf('comments')

/**
 * Comments that a list contains:
 *
 * - `content`: top-level comments and replies of a content item
 * - `top`: only top-level comments of a content item
 * - `replies`: direct replies to a comment
 * - `hidden`: comments that the creator of the content hides
 */
type Scope = 'content' | 'top' | 'replies' | 'hidden'

const RECORD = [
  'comments.id',
  'comments.content_id',
  'comments.parent_id',
  'comments.root_id',
  'comments.author_id',
  'comments.body',
  'comments.is_deleted',
  'comments.hidden_by',
  'comments.reply_count',
  'comments.like_count',
  'comments.created_at',
  'comments.updated_at',
  'users.handle',
  'users.display_name',
  'users.avatar_url',
  'users.avatar_sizes',
] as const

/**
 * SQL for the id of the pinned comment, from a row of `content_stats`. Null without a pinned comment, or while it is
 * deleted or hidden.
 */
const PINNED = sql<string | null>`case when is_pin_hidden = 0 then pinned_comment_id end`

// A scalar subquery looks up one row per comment. For EXISTS, PostgreSQL could read all likes of the viewer.
const isLiked = (viewerId: string) => sql<Flag | boolean>`(select 1 from comment_likes as mine
  where mine.comment_id = comments.id and mine.user_id = ${viewerId}) is not null`

/**
 * SQL for `is_filtered`: 1 when the viewer blocked or muted the author. Always 0 for a deleted comment, because 1
 * would reveal its author.
 */
const isCollapsed = (viewerId: string) =>
  sql<Flag>`case when comments.is_deleted = 0
    and ${isFiltered(viewerId, sql.ref('comments.author_id'))} = 1 then 1 else 0 end`

const byId = statementFamily(({ collapses }: { collapses: boolean }) =>
  statement((q, p: { id: string; viewerId: string }) =>
    q
      .selectFrom('comments')
      .innerJoin('users', 'users.id', 'comments.author_id')
      .innerJoin('content_stats as stats', 'stats.content_id', 'comments.content_id')
      .select(RECORD)
      .select(['stats.creator_id', isLiked(p.viewerId).as('is_liked')])
      .select(sql<Flag | boolean | null>`comments.id = ${PINNED}`.as('is_pinned'))
      .$if(collapses, (rows) => rows.select(isCollapsed(p.viewerId).as('is_filtered')))
      .where('comments.id', '=', p.id),
  ),
)

/**
 * Returns a comment with the creator of its content and the viewer's `is_liked`, or undefined when the comment is
 * missing. With `collapses`, includes `is_filtered`.
 */
export function findComment(db: Handle, id: string, viewerId: string, collapses = false) {
  return db.first(byId({ collapses }), { id, viewerId })
}

const TOTAL = {
  content: 'listed_comment_count',
  top: 'top_comment_count',
  hidden: 'hidden_comment_count',
} as const

type CommentPageRow = { total: number; pinned_id: string | null } & (
  | (CommentRecordRow & { hidden_body?: string })
  | { id: null }
)

interface ListChoices {
  scope: Scope
  /** `asc` and `desc`: by time of creation. `top`: most likes first, then the oldest. */
  order: 'asc' | 'desc' | 'top'
  /** True for a signed-in viewer. The rows then include `is_liked`. */
  signedIn: boolean
  /** True to select `is_filtered`: whether the viewer blocked or muted the author. */
  collapses: boolean
  /** True to list comments even when the content is not open to the viewer. */
  ofAny: boolean
}
type ListTarget = Range & { contentId: string; parentId: string; viewerId: string }

const page = statementFamily(({ scope, order, signedIn, collapses, ofAny }: ListChoices) =>
  statement((q, p: ListTarget, { engine }) => {
    const total =
      scope === 'replies'
        ? sql<number>`coalesce((select listed_reply_count from comments
            where id = ${p.parentId} and content_id = ${p.contentId}), 0)`
        : sql.ref(TOTAL[scope])
    const ids = (isReversed: boolean) =>
      q
        .selectFrom('comments')
        .select('id')
        .$if(scope === 'replies', (rows) => rows.where('parent_id', '=', p.parentId))
        .$if(scope !== 'replies', (rows) => rows.where('content_id', '=', p.contentId))
        .$if(scope === 'top', (rows) => rows.where('parent_id', 'is', null))
        .$if(scope === 'hidden', (rows) => rows.where('hidden_by', '=', sql.lit(BY_CREATOR)))
        .$if(scope !== 'hidden', (rows) => rows.where('is_listed', '=', TRUE))
        .$if(order === 'top', (rows) => rows.orderBy('like_count', isReversed ? 'asc' : 'desc'))
        .orderBy('id', (order === 'desc') === isReversed ? 'asc' : 'desc')
    return rawQuery(
      q,
      sql<CommentPageRow>`with counts as materialized (
          select ${total} as total, ${PINNED} as pinned_id from content_stats
          where content_id = ${p.contentId}${ofAny ? sql`` : sql` and ${isOpenTo(p.viewerId)}`}
        ), page as ${cutFromNearerEnd(engine, ids, p)}
        select counts.total, counts.pinned_id, ${sql.join(RECORD.map((column) => sql.ref(column)))},
          comments.id = counts.pinned_id as is_pinned${
            signedIn ? sql`, ${isLiked(p.viewerId)} as is_liked` : sql``
          }${collapses ? sql`, ${isCollapsed(p.viewerId)} as is_filtered` : sql``}${
            scope === 'hidden' ? sql`, comments.hidden_body` : sql``
          }
        from counts left join page on true
        left join comments on comments.id = page.id
        left join users on users.id = comments.author_id
        order by ${order === 'top' ? sql`comments.like_count desc, ` : sql``}page.id ${sql.raw(order === 'desc' ? 'desc' : 'asc')}`,
    )
  }),
)

/**
 * Returns a page of comments, the total, and the id of the pinned comment or null. Returns undefined when the content
 * is missing or, unless `ofAny`, not open to the viewer.
 */
export async function listCommentRows(db: Handle, choices: ListChoices, target: ListTarget) {
  const rows = await db.all(page(choices), target)
  const [first] = rows
  if (!first) return undefined
  const { total, pinned_id: pinnedId } = first
  return { total, pinnedId, comments: rows.filter((row) => row.id !== null) }
}

const contentOf = statement((q, p: { id: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('content_stats')
      .select('content_id')
      .where('content_id', '=', (e) =>
        e.selectFrom('comments').select('comments.content_id').where('comments.id', '=', p.id),
      ),
  ),
)

/** Locks the counts of the content item to which a comment belongs, even when the item is not public. */
export async function lockContentOf(tx: Tx, id: string): Promise<void> {
  await tx.send(contentOf, { id })
}

/** Returns BY_CREATOR while the creator of the content hides the comment, else null. */
export async function findCreatorHider(tx: Tx, id: string): Promise<typeof BY_CREATOR | null> {
  return (await hasRow(tx, 'comments', { id, is_hidden_by_creator: 1 })) ? BY_CREATOR : null
}
