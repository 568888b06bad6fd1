import type { PostRecordRow } from './schema.ts'
import { sql } from 'kysely'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import {
  deleteRows,
  updateRows,
  findRow,
  findRowLocked,
  insertNew,
  sendInsert,
  sendUpdate,
} from '../db/rows.ts'
import { FALSE, type Query, statement, statementFamily, TRUE } from '../db/statement.ts'
import { indexPost } from '../indexing/documents.ts'
import type { PostRow } from '../db/tree-tables.ts'
import { isBlocked, isFiltered } from '../db/user-filters.ts'
import { treeOf } from '../threads/tree.ts'

export const postTree = treeOf('posts')

/** Maximum number of ancestors in a thread response (docs/api.md, Comments and posts). */
const ANCESTORS_MAX = 50

/** Selects posts with their authors, and whether the viewer likes each post. An empty viewer id matches no like. */
function records(q: Query, p: { viewerId: string }) {
  return (
    q
      .selectFrom('posts')
      .innerJoin('users', 'users.id', 'posts.author_id')
      .select([
        'posts.id',
        'posts.author_id',
        'posts.body',
        'posts.parent_id',
        'posts.root_id',
        'posts.reply_count',
        'posts.like_count',
        'posts.is_deleted',
        'posts.hidden_by',
        'posts.created_at',
        'users.handle',
        'users.display_name',
        'users.avatar_url',
        'users.avatar_sizes',
      ])
      // A scalar subquery looks up one row per post. With a join, PostgreSQL could read all likes of the viewer.
      .select(
        sql<Flag | boolean>`(select 1 from post_likes as mine
        where mine.post_id = posts.id and mine.user_id = ${p.viewerId}) is not null`.as('is_liked'),
      )
  )
}

const byId = statement((q, p: { id: string; viewerId: string }) =>
  records(q, p).where('posts.id', '=', p.id).where('posts.is_deleted', '=', FALSE),
)

/**
 * Selects the columns of `records`, and `is_filtered` when `collapses` is true. A deleted post is not filtered,
 * because this would reveal its author.
 */
function collapsible(q: Query, p: { viewerId: string }, collapses: boolean) {
  const filtered = isFiltered(p.viewerId, sql.ref('posts.author_id'))
  return records(q, p).$if(collapses, (rows) =>
    rows.select(
      sql<Flag>`case when posts.is_deleted = 0 and ${filtered} = 1 then 1 else 0 end`.as(
        'is_filtered',
      ),
    ),
  )
}

const hidden = statement((q, p: { id: string; viewerId: string }) =>
  records(q, p)
    .select('posts.hidden_body')
    .where('posts.id', '=', p.id)
    .where('posts.hidden_by', 'is not', null),
)

/** Returns a post that a decision hides, with its text and author, or undefined when no decision hides it. */
export async function findHiddenPost(
  db: Handle,
  id: string,
  viewerId: string,
): Promise<PostRecordRow | undefined> {
  const row = await db.first(hidden, { id, viewerId })
  return row && { ...row, body: row.hidden_body ?? '', is_deleted: 0 }
}

interface Collapsing {
  /** True to select `is_filtered` too. */
  collapses: boolean
}

/** Returns a post, or undefined when it is missing or deleted. */
export function findPost(db: Handle, id: string, viewerId: string) {
  return db.first(byId, { id, viewerId })
}

const lineage = statementFamily(({ collapses }: Collapsing) =>
  statement((q, p: { id: string; viewerId: string }) =>
    collapsible(q, p, collapses)
      .where(
        'posts.id',
        'in',
        sql<string>`(
        with recursive line (id, parent_id, height) as (
          select id, parent_id, 0 from posts where id = ${p.id} and is_listed = 1
          union all
          select above.id, above.parent_id, height + 1
          from line join posts as above on above.id = line.parent_id
          where height < ${sql.lit(ANCESTORS_MAX)}
        )
        select id from line
      )`,
      )
      .orderBy((e) => e('posts.parent_id', 'is not', null))
      .orderBy('posts.id'),
  ),
)

/** Returns a listed post, preceded by its nearest ancestors (up to ANCESTORS_MAX), oldest first. */
export function listLineage(db: Handle, collapses: boolean, id: string, viewerId: string) {
  return db.all(lineage({ collapses }), { id, viewerId })
}

interface Span {
  viewerId: string
  after?: string | undefined
  before?: string | undefined
  limit: number
}

interface TimelineChoices extends Collapsing {
  order: 'asc' | 'desc'
  isAfter: boolean
  isBefore: boolean
}

// Omits unused bounds from the statement. With bounds that are always present, PostgreSQL overestimates their
// effect and plans the statement on every call.
const timeline = statementFamily(({ order, isAfter, isBefore, collapses }: TimelineChoices) =>
  statement((q, p: { viewerId: string; after: string; before: string; limit: number }) =>
    collapsible(q, p, collapses)
      .where('posts.parent_id', 'is', null)
      .where('posts.is_deleted', '=', FALSE)
      .$if(isAfter, (rows) => rows.where('posts.id', '>', p.after))
      .$if(isBefore, (rows) => rows.where('posts.id', '<', p.before))
      .orderBy('posts.id', order)
      .limit(p.limit),
  ),
)

export function listTimeline(
  db: Handle,
  { order, collapses }: { order: 'asc' | 'desc'; collapses: boolean },
  { viewerId, after, before, limit }: Span,
) {
  const choices = { order, collapses, isAfter: after !== undefined, isBefore: before !== undefined }
  return db.all(timeline(choices), { viewerId, after: after ?? '', before: before ?? '', limit })
}

const replies = statementFamily(({ collapses }: Collapsing) =>
  statement((q, p: { parentId: string; viewerId: string; after: string; limit: number }) =>
    collapsible(q, p, collapses)
      .where('posts.parent_id', '=', p.parentId)
      .where('posts.is_listed', '=', TRUE)
      .where('posts.id', '>', p.after)
      .orderBy('posts.id')
      .limit(p.limit),
  ),
)

/**
 * Returns a page of the listed replies to a post, oldest first. Includes deleted replies that stay listed because they
 * have replies.
 */
export function listReplies(
  db: Handle,
  collapses: boolean,
  span: { parentId: string; viewerId: string; after: string; limit: number },
) {
  return db.all(replies({ collapses }), span)
}

const byIds = statementFamily(({ collapses }: Collapsing) =>
  statement((q, p: { ids: readonly string[]; viewerId: string }, dialect) =>
    collapsible(q, p, collapses)
      .where('posts.is_deleted', '=', FALSE)
      .where(dialect.anyOf('posts.id', p.ids)),
  ),
)

/** Returns the posts with these ids that are not deleted, in no particular order. */
export function listPostsIn(
  db: Handle,
  collapses: boolean,
  ids: readonly string[],
  viewerId: string,
) {
  return db.all(byIds({ collapses }), { ids, viewerId })
}

type ByAuthor = { authorId: string; viewerId: string; before: string; limit: number }

const byAuthor = statement((q, p: ByAuthor) =>
  records(q, p)
    .where('posts.author_id', '=', p.authorId)
    .where('posts.is_deleted', '=', FALSE)
    .where('posts.id', '<', p.before)
    .orderBy('posts.id', 'desc')
    .limit(p.limit),
)

export function listPostsOf(db: Handle, span: ByAuthor) {
  return db.all(byAuthor, span)
}

/** Returns the row of a post, deleted or not. */
export function findPlace(db: Handle, id: string) {
  return findRow(db, 'posts', { id })
}

/**
 * Locks the timeline until the transaction ends, and returns the id of the latest top-level post, or null when there
 * is none.
 */
export async function lockTimeline(tx: Tx): Promise<string | null> {
  return (await findRowLocked(tx, 'post_timeline', { id: 1 }))?.last_post_id ?? null
}

export async function updateTimeline(tx: Tx, lastPostId: string): Promise<void> {
  await sendUpdate(tx, 'post_timeline', { id: 1 }, { last_post_id: lastPostId })
}

const threadOf = statement((q, p: { id: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('posts')
      .select(['id', 'last_reply_id'])
      .where('id', '=', (e) =>
        e
          .selectFrom('posts as member')
          .select((m) => m.fn.coalesce('member.root_id', 'member.id').as('id'))
          .where('member.id', '=', p.id),
      ),
  ),
)

/**
 * Locks and returns the first post of a post's thread. The lock covers the whole thread. Returns undefined when the
 * post does not exist.
 */
export function lockThread(tx: Tx, id: string) {
  return tx.first(threadOf, { id })
}

export async function updateLastReply(tx: Tx, rootId: string, lastReplyId: string): Promise<void> {
  await sendUpdate(tx, 'posts', { id: rootId }, { last_reply_id: lastReplyId })
}

const addReply = statement((q, p: { id: string; viewerId: string }) =>
  q
    .updateTable('posts')
    .set((e) => ({
      reply_count: e('reply_count', '+', 1),
      listed_reply_count: e('listed_reply_count', '+', 1),
    }))
    .where('id', '=', p.id)
    .where('is_deleted', '=', FALSE)
    .returning('author_id')
    .returning(isBlocked(p.viewerId, sql.ref('posts.author_id')).as('is_blocked')),
)

/**
 * Adds a reply to the counts of a post and returns the post's author. `is_blocked` is 1 when the author or the viewer
 * has blocked the other. Returns undefined for a missing or deleted post.
 */
export function addReplyTo(tx: Tx, id: string, viewerId: string) {
  return tx.first(addReply, { id, viewerId })
}

const lockPresent = statement((q, p: { id: string; viewerId: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('posts')
      .select(['author_id', 'like_count'])
      .select(isBlocked(p.viewerId, sql.ref('posts.author_id')).as('is_blocked'))
      .where('id', '=', p.id)
      .where('is_deleted', '=', FALSE),
  ),
)

/**
 * Locks a post and returns its author and number of likes. `is_blocked` is 1 when the author or the viewer has blocked
 * the other. Returns undefined for a missing or deleted post.
 */
export function findPostLocked(tx: Tx, id: string, viewerId: string) {
  return tx.first(lockPresent, { id, viewerId })
}

type NewPost = Pick<PostRow, 'id' | 'author_id' | 'body' | 'parent_id' | 'root_id' | 'created_at'>

export async function insertPost(tx: Tx, post: NewPost): Promise<void> {
  const counts = { reply_count: 0, listed_reply_count: 0, like_count: 0 }
  const fresh = { ...counts, last_reply_id: null, is_deleted: 0, is_listed: 1 } as const
  const { id, author_id, body, parent_id, root_id, created_at } = post
  const row = { id, author_id, body, parent_id, root_id, created_at }
  await sendInsert(tx, 'posts', { ...row, ...fresh })
  await indexPost(tx, id, body)
}

export async function insertPostLike(
  tx: Tx,
  postId: string,
  userId: string,
  now: number,
): Promise<boolean> {
  return insertNew(tx, 'post_likes', { post_id: postId, user_id: userId, created_at: now })
}

export async function deletePostLike(tx: Tx, postId: string, userId: string): Promise<boolean> {
  return (await deleteRows(tx, 'post_likes', { post_id: postId, user_id: userId })) > 0
}

export async function updateLikeCount(tx: Tx, id: string, likeCount: number): Promise<void> {
  await updateRows(tx, 'posts', { id }, { like_count: likeCount })
}
