import { type RawBuilder, sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, findRow, putRow, updateRows } from '../db/rows.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'
import type { ContentSizes } from '../db/media-tables.ts'
import type { ContentModeration } from '../db/moderation-tables.ts'
import type { ContentRow, ContentStatsRow } from '../db/tables.ts'
import type { CommentPolicy } from '../db/tree-tables.ts'
import type { ContentAccess } from '../db/visibility-tables.ts'
import { hotScore } from './rank.ts'
import { isOpenTo } from '../db/visibility.ts'

const summary = statement((q, p: { id: string; viewerId: string }) =>
  q
    .selectFrom('contents')
    .innerJoin('content_stats as stats', 'stats.content_id', 'contents.id')
    .select([
      'contents.id',
      'contents.creator_id',
      'contents.category',
      'contents.type',
      'contents.title',
      'contents.status',
      'contents.created_at',
    ])
    .select(isOpenTo(p.viewerId, 'stats').as('is_open'))
    .where('contents.id', '=', p.id),
)

/**
 * Returns a content item, or undefined when it does not exist. `is_open` is the result of `isOpenTo` for the viewer.
 * Authors and moderators can also read items that are not open.
 */
export async function findContent(db: Handle, id: string, viewerId = '') {
  return db.first(summary, { id, viewerId })
}

const stats = statement((q, p: { id: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('content_stats')
      .selectAll()
      .select((e) =>
        e
          .selectFrom('contents')
          .select('title')
          .whereRef('contents.id', '=', 'content_stats.content_id')
          .$asScalar()
          .$notNull()
          .as('title'),
      )
      .where('content_id', '=', p.id),
  ),
)

/**
 * Locks and returns a content item's counts, or returns undefined when the item does not exist. The lock serialises
 * all changes to the item until the transaction ends.
 */
export function findStatsLocked(tx: Tx, id: string) {
  return tx.first(stats, { id })
}

export function findContentRow(tx: Tx, id: string) {
  return findRow(tx, 'contents', { id })
}

type NewContent = ContentRow & ContentAccess & Pick<ContentModeration, 'rating'>

const insert = statement((q, p: AsParams<NewContent>) =>
  q
    .insertInto('contents')
    .values(
      pickParams(p, [
        'id',
        'creator_id',
        'category',
        'type',
        'title',
        'description',
        'tags',
        'status',
        'media',
        'thumbnail_url',
        'thumbnail_upload_id',
        'game',
        'published_at',
        'created_at',
        'updated_at',
        'visibility',
        'publish_at',
        'rating',
        'warnings',
        'warning_text',
        'embedding',
      ]),
    ),
)
/** Columns of `contents` that `content_stats` repeats, because indexes on `content_stats` contain them. */
const COPIED = ['creator_id', 'category', 'type', 'published_at'] as const
const insertStats = statement(
  (q, p: Pick<ContentStatsRow, 'content_id' | (typeof COPIED)[number]>) =>
    q.insertInto('content_stats').values({
      ...pickParams(p, ['content_id', ...COPIED]),
      is_public: 0,
      was_public: 0,
      like_count: 0,
      bookmark_count: 0,
      comment_count: 0,
      listed_comment_count: 0,
      top_comment_count: 0,
      view_count: 0,
      play_count: 0,
      hot_score: hotScore({ published_at: bigint(p.published_at) }),
    }),
)

export async function updateCommentPolicy(tx: Tx, id: string, policy: CommentPolicy) {
  await updateRows(tx, 'content_stats', { content_id: id }, { comment_policy: policy })
}

/**
 * Pins a comment to its content item. The comment must be neither deleted nor hidden. Null unpins the pinned
 * comment.
 */
export async function updatePinned(tx: Tx, id: string, commentId: string | null): Promise<void> {
  const pin = { pinned_comment_id: commentId, is_pin_hidden: 0 } as const
  await updateRows(tx, 'content_stats', { content_id: id }, pin)
}

/** Inserts a content item with `is_public` 0, even when its status is `published`. */
export async function insertContent(tx: Tx, row: NewContent): Promise<void> {
  await Promise.all([
    tx.run(insert, { ...row }),
    tx.run(insertStats, { content_id: row.id, ...pickParams(row, COPIED) }),
  ])
}

/** Stores the text of a content item, or deletes it when `body` is null. Returns false when nothing changed. */
export async function updateText(tx: Tx, contentId: string, body: string | null): Promise<boolean> {
  if (body === null) return (await deleteRows(tx, 'content_texts', { content_id: contentId })) > 0
  if ((await findRow(tx, 'content_texts', { content_id: contentId }))?.body === body) return false
  await putRow(tx, 'content_texts', ['content_id'], { content_id: contentId, body })
  return true
}

const EDITABLE = [
  'title',
  'description',
  'tags',
  'thumbnail_url',
  'thumbnail_sizes',
  'thumbnail_upload_id',
  'status',
  'published_at',
  'updated_at',
  'visibility',
  'publish_at',
  'rating',
  'own_rating',
  'warnings',
  'warning_text',
  'embedding',
] as const

export type StoredContent = ContentRow & ContentAccess & ContentModeration & ContentSizes

export async function updateContentRow(
  tx: Tx,
  row: Pick<StoredContent, 'id' | (typeof EDITABLE)[number]>,
): Promise<void> {
  await updateRows(tx, 'contents', { id: row.id }, pickParams(row, EDITABLE))
}

const publishedAt = statement((q, p: { id: string; published_at: number | null }) =>
  q
    .updateTable('content_stats')
    .set((e) => ({
      published_at: p.published_at,
      hot_score: hotScore({
        published_at: bigint(p.published_at),
        like_count: e.ref('like_count'),
        bookmark_count: e.ref('bookmark_count'),
        comment_count: e.ref('comment_count'),
        play_count: e.ref('play_count'),
      }),
    }))
    .where('content_id', '=', p.id),
)

/** Sets the time of publication and recomputes the hot score. */
export async function updatePublishedAt(
  tx: Tx,
  id: string,
  published_at: number | null,
): Promise<void> {
  await tx.run(publishedAt, { id, published_at })
}

function bigint(value: number | null): RawBuilder<number> {
  return sql`cast(${value} as bigint)`
}

type Viewed = { content_id: string; count: number }

const addViewed = statement((q, p: { viewed: Viewed[] }, dialect) =>
  q
    .updateTable('content_stats')
    .from(
      sql<Viewed>`${dialect.rows(p.viewed, { content_id: 'text', count: 'integer' })}`.as('viewed'),
    )
    .set((e) => ({ view_count: e('content_stats.view_count', '+', e.ref('viewed.count')) }))
    .whereRef('content_stats.content_id', '=', 'viewed.content_id'),
)

/**
 * Adds each `count`, which can be negative, to the view count of its content item. The caller holds the items'
 * locks.
 */
export async function addToViewCounts(tx: Tx, viewed: Viewed[]): Promise<void> {
  await tx.run(addViewed, { viewed })
}
