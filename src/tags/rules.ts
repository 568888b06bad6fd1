import { type Act, writeAuditEntry } from '../audit/rules.ts'
import { tagKey } from '../contents/schema.ts'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import {
  countRows,
  deleteRows,
  findRow,
  findRowLocked,
  hasRow,
  insertNew,
  updateRows,
} from '../db/rows.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { prefixRange } from '../search/tags.ts'
import { lockUserCounts } from '../users/counts.ts'
import { listNamedTags, listShownTags } from './queries.ts'
import { FOLLOWED_MAX, readTag, type TagsInput } from './schema.ts'
import { listTrending } from './trending.ts'

/** Returns a page of the tags of public contents, without hidden tags. */
export async function listTags(
  db: Handle,
  viewer: Viewer | null,
  { sort, q, ...page }: TagsInput,
  { now, monotonic }: { now: number; monotonic: number },
) {
  const viewerId = viewer?.id ?? ''
  const { tags, total } =
    sort === 'trending'
      ? await pageOfTrending(db, await listTrending(db, now, monotonic), q, page, viewerId)
      : await listShownTags(
          db,
          { sort, byPrefix: q !== undefined },
          { ...offsetOf(page), ...prefixRange(q ?? ''), viewerId },
        )
  return {
    tags: tags.map(({ tag, content_count, followed }) => ({
      tag,
      content_count,
      is_following: followed !== null,
    })),
    pagination: paginationOf(page, total),
  }
}

async function pageOfTrending(
  db: Handle,
  trending: readonly string[],
  prefix: string | undefined,
  page: PageInput,
  viewerId: string,
) {
  const { limit, offset } = offsetOf(page)
  const start = tagKey(prefix ?? '')
  const found = trending.filter((tag) => tag.startsWith(start))
  const tags = await listNamedTags(db, found.slice(offset, offset + limit), viewerId)
  return { tags, total: found.length }
}

/** Returns a tag, even when it is hidden or no content has it. Errors: 422 for a text that is no tag. */
export async function getTag(db: Handle, viewer: Viewer | null, text: string) {
  const tag = readTag(text)
  const [row, is_following] = await Promise.all([
    findRow(db, 'tags', { tag }),
    viewer ? hasRow(db, 'tag_follows', { user_id: viewer.id, tag }) : false,
  ])
  return { tag: { tag, content_count: row?.content_count ?? 0, is_following } }
}

/** Follows a tag; does nothing when already followed. Errors: 409 LIMIT_REACHED; 422 for a text that is no tag. */
export function followTag(db: Handle, viewer: Viewer, text: string, now: number) {
  const follow = { user_id: viewer.id, tag: readTag(text) }
  return db.transaction(async (tx) => {
    await lockUserCounts(tx, [viewer.id])
    const added = await insertNew(tx, 'tag_follows', { ...follow, created_at: now })
    if (added && (await countRows(tx, 'tag_follows', { user_id: viewer.id })) > FOLLOWED_MAX) {
      throw new ApiError('LIMIT_REACHED')
    }
    return { is_following: true }
  })
}

/** Stops following a tag, if followed. Errors: 422 for a text that is no tag. */
export async function unfollowTag(db: Handle, viewer: Viewer, text: string) {
  const follow = { user_id: viewer.id, tag: readTag(text) }
  await db.transaction((tx) => deleteRows(tx, 'tag_follows', follow))
  return { is_following: false }
}

/**
 * Hides a tag from lists of tags, or shows it again. The tag's page and contents stay. Errors: 422 for a text that is
 * no tag.
 */
export function setTagHidden(db: Handle, act: Act, text: string, isHidden: Flag, now: number) {
  const tag = readTag(text)
  const result = { tag, is_hidden: isHidden === 1 }
  return db.transaction(async (tx) => {
    const row = isHidden ? await lockTag(tx, tag) : await findRowLocked(tx, 'tags', { tag })
    if (!row || row.is_hidden === isHidden) return result
    await updateRows(tx, 'tags', { tag }, { is_hidden: isHidden })
    const change = {
      action: isHidden ? ('tag_hidden' as const) : ('tag_shown' as const),
      target: { kind: 'tag', id: tag },
      before: { is_hidden: row.is_hidden === 1 },
      after: { is_hidden: isHidden === 1 },
    }
    await writeAuditEntry(tx, act, change, now)
    return result
  })
}

/** Locks the row of a tag and returns it. Creates the row when there is none. */
async function lockTag(tx: Tx, tag: string) {
  for (;;) {
    await insertNew(tx, 'tags', { tag, content_count: 0, is_hidden: 0 })
    const row = await findRowLocked(tx, 'tags', { tag })
    // Another transaction may have deleted the row as unused after the insert. The loop then inserts the row again.
    if (row) return row
  }
}
