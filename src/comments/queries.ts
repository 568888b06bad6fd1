import { sql } from 'kysely'
import { cutFromNearerEnd } from '../db/cut.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { rawQuery, type Range, statement, statementFamily, TRUE, FALSE } from '../db/statement.ts'
import { isFiltered } from '../db/user-filters.ts'
import { treeOf } from '../threads/tree.ts'
import type { CommentRecordRow } from './schema.ts'

export const commentTree = treeOf('comments')

export type Scope = 'content' | 'top' | 'replies'

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
  'comments.created_at',
  'comments.updated_at',
  'users.handle',
  'users.display_name',
  'users.avatar_url',
] as const

const byId = statement((q, p: { id: string }) =>
  q
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.author_id')
    .select(RECORD)
    .where('comments.id', '=', p.id),
)

export function findComment(db: Handle, id: string) {
  return db.first(byId, { id })
}

const TOTAL = {
  content: 'listed_comment_count',
  top: 'top_comment_count',
} as const

type CommentPageRow = { total: number } & (CommentRecordRow | { id: null })

interface ListChoices {
  scope: Scope
  order: 'asc' | 'desc'
  /** True to select `is_filtered`: whether the viewer blocked or muted the author. */
  collapses: boolean
  /** True to list comments also when the content is not public. */
  ofAny: boolean
}
type ListTarget = Range & { contentId: string; parentId: string; viewerId: string }

/** SQL for `is_filtered`. Always false for a deleted comment, because true would reveal who wrote it. */
const isCollapsed = (viewerId: string) =>
  sql`comments.is_deleted = 0 and ${isFiltered(viewerId, sql.ref('comments.author_id'))} = 1`

const page = statementFamily(({ scope, order, collapses, ofAny }: ListChoices) =>
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
        .where('is_listed', '=', TRUE)
        .orderBy('id', (order === 'asc') === isReversed ? 'desc' : 'asc')
    return rawQuery(
      q,
      sql<CommentPageRow>`with counts as materialized (
          select ${total} as total from content_stats
          where content_id = ${p.contentId}${ofAny ? sql`` : sql` and is_public = 1`}
        ), page as ${cutFromNearerEnd(engine, ids, p)}
        select counts.total, ${sql.join(RECORD.map((column) => sql.ref(column)))}${
          collapses
            ? sql`, case when ${isCollapsed(p.viewerId)} then 1 else 0 end as is_filtered`
            : sql``
        }
        from counts left join page on true
        left join comments on comments.id = page.id
        left join users on users.id = comments.author_id
        order by page.id ${sql.raw(order)}`,
    )
  }),
)

/**
 * Returns comments sorted by creation time, and the total. Returns undefined when the content is missing or,
 * unless `ofAny`, not public. `parentId` applies only to the scope `replies`.
 */
export async function listCommentRows(db: Handle, choices: ListChoices, target: ListTarget) {
  const rows = await db.all(page(choices), target)
  const [first] = rows
  if (!first) return undefined
  return { total: first.total, comments: rows.filter((row) => row.id !== null) }
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

/** Locks the counts of the content item to which a comment belongs, public or not. */
export async function lockContentOf(tx: Tx, id: string): Promise<void> {
  await tx.send(contentOf, { id })
}

const edit = statement(
  (q, p: { id: string; authorId: string; body: string; now: number }, dialect) =>
    q
      .updateTable('comments')
      .set((e) => ({ body: p.body, updated_at: dialect.greatest(e.ref('updated_at'), p.now) }))
      .where('id', '=', p.id)
      .where('author_id', '=', p.authorId)
      .where('is_deleted', '=', FALSE),
)

/** Changes the text of a comment. Returns false when the author has no such comment or it is deleted. */
export async function updateCommentBody(
  tx: Tx,
  change: { id: string; authorId: string; body: string; now: number },
): Promise<boolean> {
  return (await tx.run(edit, change)) > 0
}

const context = statement((q, p: { id: string }) =>
  q
    .selectFrom('comments')
    .innerJoin('content_stats', 'content_stats.content_id', 'comments.content_id')
    .innerJoin('contents', 'contents.id', 'comments.content_id')
    .leftJoin('comments as parents', 'parents.id', 'comments.parent_id')
    .select(['contents.creator_id', 'contents.title', 'parents.author_id as parent_author_id'])
    .where('comments.id', '=', p.id)
    .where('content_stats.is_public', '=', TRUE),
)

/**
 * Returns the facts for notifications about a comment, or undefined when the comment is missing or its content
 * is not public.
 */
export function findCommentContext(tx: Tx, id: string) {
  return tx.first(context, { id })
}
