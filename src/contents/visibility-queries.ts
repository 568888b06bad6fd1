import { addToRows, deleteRows } from '../db/rows.ts'
import { sql } from 'kysely'
import type { Flag } from '../db/flag.ts'
import type { Tx } from '../db/handle.ts'
import { type AsParams, FALSE, type Query, statement } from '../db/statement.ts'
import type { Category, ContentStatus, ContentTagRow } from '../db/tables.ts'
import type { SharedWith, Visibility } from '../db/visibility-tables.ts'
import { indexTags } from '../indexing/documents.ts'
import { scoreBucketOf } from './rank.ts'

const PUBLISHED = sql.lit<ContentStatus>('published')

const published = statement((q, p: { creatorId: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('content_stats')
      .select('content_id')
      .where('content_id', 'in', (e) =>
        e
          .selectFrom('contents')
          .select('id')
          .where('creator_id', '=', p.creatorId)
          .where('status', '=', PUBLISHED),
      )
      .orderBy('content_id'),
  ),
)

/** Locks the counts of a creator's published content items, in the order of ids to prevent deadlocks. */
export async function lockPublishedOf(tx: Tx, creatorId: string): Promise<void> {
  await tx.all(published, { creatorId })
}

/**
 * A content item before its access is refreshed. `is_public` and `shared_with` state who can open it now. `visibility`
 * states who should be able to open it.
 */
export interface AccessRow {
  content_id: string
  creator_id: string
  category: Category
  title: string
  tags: string
  published_at: number
  is_public: Flag
  shared_with: SharedWith | null
  was_public: Flag
  /**
   * Viewers that the author chose. Null unless the item is published, no moderator hides it, and its creator is not
   * suspended.
   */
  visibility: Visibility | null
}

const accessRows = (q: Query) =>
  q
    .selectFrom('content_stats as stats')
    .innerJoin('contents', 'contents.id', 'stats.content_id')
    .innerJoin('users', 'users.id', 'stats.creator_id')
    .select(['stats.content_id', 'stats.creator_id', 'stats.category', 'contents.title'])
    .select(['contents.tags', 'stats.is_public', 'stats.shared_with', 'stats.was_public'])
    .select((e) => [
      e.ref('stats.published_at').$notNull().as('published_at'),
      e
        .case()
        .when(
          e.and([
            e('contents.status', '=', PUBLISHED),
            e('contents.moderation', 'is', null),
            e('users.is_suspended', '=', FALSE),
          ]),
        )
        .then(e.ref('contents.visibility'))
        .end()
        .as('visibility'),
    ])

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  accessRows(q).where(dialect.anyOf('stats.content_id', p.ids)),
)

export function listAccess(tx: Tx, ids: string[]): Promise<AccessRow[]> {
  return tx.all(byIds, { ids })
}

export async function findAccess(tx: Tx, id: string): Promise<AccessRow | undefined> {
  return (await listAccess(tx, [id]))[0]
}

const publishedBy = statement((q, p: { creatorId: string }) =>
  accessRows(q)
    .where('contents.creator_id', '=', p.creatorId)
    .where('contents.status', '=', PUBLISHED)
    .where('stats.creator_id', '=', p.creatorId),
)

export function listAccessOf(tx: Tx, creatorId: string): Promise<AccessRow[]> {
  return tx.all(publishedBy, { creatorId })
}

interface Access {
  content_id: string
  isPublic: boolean
  sharedWith: SharedWith | null
}

const setAccess = statement(
  (q, p: { ids: string[]; isPublic: Flag; sharedWith: SharedWith | null }, dialect) =>
    q
      .updateTable('content_stats')
      .set((e) => ({
        is_public: p.isPublic,
        shared_with: p.sharedWith,
        was_public: sql<Flag>`${dialect.greatest(e.ref('was_public'), p.isPublic)}`,
      }))
      .where(dialect.anyOf('content_id', p.ids)),
)

export async function updateAccess(tx: Tx, rows: readonly Access[]): Promise<void> {
  const groups = Map.groupBy(rows, ({ isPublic, sharedWith }) => `${isPublic} ${sharedWith}`)
  for (const [first, ...more] of groups.values()) {
    if (!first) continue
    const { isPublic, sharedWith } = first
    const ids = [first, ...more].map(({ content_id }) => content_id)
    await tx.run(setAccess, { ids, isPublic: isPublic ? 1 : 0, sharedWith })
  }
}

type Tag = Omit<ContentTagRow, 'score_bucket'>
const COLUMNS = ['tag', 'content_id', 'category', 'published_at'] as const

const addTags = statement((q, p: { rows: AsParams<Tag>[] }, dialect) =>
  q
    .insertInto('content_tags')
    .columns([...COLUMNS, 'score_bucket'])
    .expression(
      q
        .selectFrom(
          sql<Tag>`${dialect.rows(p.rows, { tag: 'text', content_id: 'text', category: 'text', published_at: 'integer' })}`.as(
            'rows',
          ),
        )
        .select(COLUMNS)
        .select((e) =>
          e
            .selectFrom('content_stats as stats')
            .select((stats) => scoreBucketOf(stats.ref('stats.hot_score')).as('score_bucket'))
            .whereRef('stats.content_id', '=', 'rows.content_id')
            .$asScalar()
            .as('score_bucket'),
        ),
    ),
)

export async function insertTags(tx: Tx, rows: Tag[]): Promise<void> {
  if (rows.length > 0) await tx.run(addTags, { rows: rows.map((row) => ({ ...row })) })
}

const removeTags = statement((q, p: { ids: string[] }, dialect) =>
  q
    .deleteFrom('content_tags')
    .where(dialect.anyOf('content_id', p.ids))
    .returning(['tag', 'category']),
)

export function deleteTags(tx: Tx, contentIds: string[]): Promise<TagOf[]> {
  return tx.all(removeTags, { ids: contentIds })
}

type TagOf = Pick<ContentTagRow, 'tag' | 'category'>
type TagChange = TagOf & { change: number }

const changesAsRows = { tag: 'text', category: 'text', change: 'integer' } as const

const addToTagTotals = statement((q, p: { rows: TagChange[] }, dialect) =>
  q
    .insertInto('tag_totals')
    .columns(['tag', 'category', 'total'])
    .expression(
      q
        .selectFrom(sql<TagChange>`${dialect.rows(p.rows, changesAsRows)}`.as('rows'))
        .select(['rows.tag', 'rows.category', 'rows.change as total'])
        // SQLite needs a WHERE clause here to tell ON CONFLICT from the ON of a join.
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['tag', 'category'])
        .doUpdateSet({ total: sql<number>`tag_totals.total + excluded.total` }),
    )
    .returning(['tag', 'category', 'total']),
)
export async function updateTagTotals(tx: Tx, added: TagOf[], removed: TagOf[]): Promise<void> {
  const changes = new Map<string, TagChange>()
  const note = ({ tag, category }: TagOf, by: number) => {
    const name = `${tag}\n${category}`
    changes.set(name, { tag, category, change: (changes.get(name)?.change ?? 0) + by })
  }
  for (const tag of added) note(tag, 1)
  for (const tag of removed) note(tag, -1)
  const rows = [...changes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change)
    .filter(({ change }) => change !== 0)
  if (rows.length === 0) return
  const totals = await tx.all(addToTagTotals, { rows })
  // Only tags whose whole total comes from this change can be missing from the search index.
  const isNew = ({ tag, category, total }: TagOf & { total: number }) =>
    total > 0 && changes.get(`${tag}\n${category}`)?.change === total
  await indexTags(
    tx,
    totals.filter(isNew).map(({ tag }) => tag),
  )
}

/** Deletes the totals of tags that no public content has. */
export async function deleteTagTotals(tx: Tx, tags: readonly string[]): Promise<void> {
  await deleteRows(tx, 'tag_totals', { tag: tags, total: 0 })
}

export async function updateCategoryTotal(
  tx: Tx,
  category: Category,
  change: number,
): Promise<void> {
  await addToRows(tx, 'category_totals', { category }, { total: change })
}
