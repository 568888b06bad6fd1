import { addToRows } from '../db/rows.ts'
import { sql } from 'kysely'
import type { Flag } from '../db/flag.ts'
import type { Tx } from '../db/handle.ts'
import {
  type AsParams,
  FALSE,
  type Query,
  statement,
  statementFamily,
  TRUE,
} from '../db/statement.ts'
import type { Category, ContentStatus, ContentTagRow } from '../db/tables.ts'
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

export interface TaggedContent {
  content_id: string
  creator_id: string
  category: Category
  tags: string
  published_at: number
}

const contentsWithTags = (q: Query) =>
  q
    .selectFrom('content_stats as stats')
    .innerJoin('contents', 'contents.id', 'stats.content_id')
    .select(['stats.content_id', 'stats.creator_id', 'stats.category', 'contents.tags'])
    .select((e) => e.ref('stats.published_at').$notNull().as('published_at'))

/**
 * Selects the items whose visibility must change. For `isPublic`, these are published items of creators who are
 * not suspended, if the items are not yet public and no moderator hides them. Otherwise these are the public
 * items.
 */
const contentsToSwitch = (q: Query, isPublic: boolean) =>
  isPublic
    ? contentsWithTags(q)
        .innerJoin('users', 'users.id', 'stats.creator_id')
        .where('users.is_suspended', '=', FALSE)
        .where('stats.is_public', '=', FALSE)
        .where('contents.status', '=', PUBLISHED)
        .where('contents.moderation', 'is', null)
    : contentsWithTags(q).where('stats.is_public', '=', TRUE)

const toSwitch = statementFamily(({ isPublic }: { isPublic: boolean }) =>
  statement((q, p: { ids: string[] }, dialect) =>
    contentsToSwitch(q, isPublic).where(dialect.anyOf('stats.content_id', p.ids)),
  ),
)

export function listToSwitch(tx: Tx, ids: string[], isPublic: boolean): Promise<TaggedContent[]> {
  return tx.all(toSwitch({ isPublic }), { ids })
}

const toSwitchOf = statementFamily(({ isPublic }: { isPublic: boolean }) =>
  statement((q, p: { creatorId: string }) =>
    contentsToSwitch(q, isPublic)
      .where('contents.creator_id', '=', p.creatorId)
      .where('stats.creator_id', '=', p.creatorId),
  ),
)

export function listToSwitchOf(
  tx: Tx,
  creatorId: string,
  isPublic: boolean,
): Promise<TaggedContent[]> {
  return tx.all(toSwitchOf({ isPublic }), { creatorId })
}

const tagged = statement((q, p: { contentId: string }) =>
  contentsWithTags(q).where('stats.content_id', '=', p.contentId),
)

export function listTagsOf(tx: Tx, contentId: string): Promise<TaggedContent[]> {
  return tx.all(tagged, { contentId })
}

const setIsPublic = statement((q, p: { ids: string[]; isPublic: Flag }, dialect) =>
  q
    .updateTable('content_stats')
    .set((e) => ({
      is_public: p.isPublic,
      was_public: sql<Flag>`${dialect.greatest(e.ref('was_public'), p.isPublic)}`,
    }))
    .where(dialect.anyOf('content_id', p.ids)),
)

export async function updateIsPublic(tx: Tx, ids: string[], isPublic: boolean): Promise<void> {
  await tx.run(setIsPublic, { ids, isPublic: isPublic ? 1 : 0 })
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
    ),
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
  if (rows.length > 0) await tx.run(addToTagTotals, { rows })
}

export async function updateCategoryTotal(
  tx: Tx,
  category: Category,
  change: number,
): Promise<void> {
  await addToRows(tx, 'category_totals', { category }, { total: change })
}
