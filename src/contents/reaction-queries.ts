import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { rawQuery, type Query, statement, statementFamily, TRUE } from '../db/statement.ts'
import { changeOf, isChange, type ToggleMode } from '../db/toggle.ts'
import { hotScore } from './rank.ts'

/** A table of likes or bookmarks. Both have the same columns. */
export type Reaction = 'likes' | 'bookmarks'

export type ReactionParams = { content_id: string; user_id: string }

/** Returns SQL that selects the id of the content item if it is public, else no row. */
export function publicContent(q: Query, p: ReactionParams) {
  return q
    .selectFrom('content_stats')
    .select('content_id')
    .where('content_id', '=', p.content_id)
    .where('is_public', '=', TRUE)
}

/** Returns SQL that is true when the user has liked or bookmarked the content item. */
export function hasReacted(reaction: Reaction, p: ReactionParams): RawBuilder<boolean> {
  return sql`exists (select 1 from ${sql.table(reaction)} as mine
    where mine.content_id = ${p.content_id} and mine.user_id = ${p.user_id})`
}

const lock = statement((q, p: { content_id: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('content_stats')
      .select(['creator_id', 'is_public', 'like_count', 'bookmark_count'])
      .where('content_id', '=', p.content_id),
  ),
)

/**
 * Returns the counts of a content item and locks them until the transaction ends. Every change to likes and
 * bookmarks waits for this lock.
 */
export function lockForReaction(tx: Tx, contentId: string) {
  return tx.first(lock, { content_id: contentId })
}

const count = statementFamily(({ reaction, mode }: { reaction: Reaction; mode: ToggleMode }) =>
  statement((q, p: ReactionParams) => {
    const isSet = hasReacted(reaction, p)
    const column = (name: string) => {
      const ref = sql.ref(name)
      const counted = reaction === 'likes' ? 'like_count' : 'bookmark_count'
      return name === counted ? sql`${ref} + ${changeOf(mode, isSet)}` : ref
    }
    return rawQuery<{ like_count: number; bookmark_count: number }>(
      q,
      sql`update content_stats set
        like_count = ${column('like_count')}, bookmark_count = ${column('bookmark_count')},
        hot_score = ${hotScore({
          published_at: sql.ref('published_at'),
          like_count: column('like_count'),
          bookmark_count: column('bookmark_count'),
          comment_count: sql.ref('comment_count'),
          play_count: sql.ref('play_count'),
        })}
      where content_id = ${p.content_id} and is_public = 1 and ${isChange(mode, isSet)}
      returning like_count, bookmark_count`,
    )
  }),
)

/**
 * Updates the like or bookmark count and returns the new counts. Returns undefined when the request changes
 * nothing. Call it before writing the like or bookmark, while holding the content item's lock.
 */
export function updateReactionCount(
  tx: Tx,
  choices: { reaction: Reaction; mode: ToggleMode },
  target: ReactionParams,
) {
  return tx.first(count(choices), target)
}
