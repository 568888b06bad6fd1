/**
 * The one place where works become public or stop being it: by publishing, archiving, suspension
 * and its end. `is_public`, the tags that feeds look up, the creator's counts of works and the
 * totals of tags and categories change together.
 *
 * A work's counts are locked first, then the counts of its creator: under the latter no work of
 * that person changes sides, so publishing and a suspension at the same time agree. The totals of
 * tags and categories come last: whoever publishes waits for them only until the end of another.
 */
import type { Tx } from '../db/handle.ts'
import type { Category } from '../db/tables.ts'
import { findIsSuspended } from '../users/accounts.ts'
import { addToUserCounts, lockUserCounts } from '../users/counts.ts'
import { setFollowsSuspended } from '../users/suspended-follows.ts'
import { tagKey } from './schema.ts'
import {
  deleteTags,
  insertTags,
  listTagsOf,
  listToSwitch,
  lockPublishedOf,
  type TaggedWork,
  updateCategoryTotal,
  updateIsPublic,
  updateTagTotals,
} from './visibility-queries.ts'

/**
 * Takes a person out of public sight with all works, or shows the person and the published works
 * again; to be called once `users.is_suspended` says so.
 */
export async function setAllPublic(tx: Tx, creatorId: string, isPublic: boolean): Promise<void> {
  await lockPublishedOf(tx, creatorId)
  await setFollowsSuspended(tx, creatorId, !isPublic)
  await setPublic(tx, creatorId, null, isPublic)
}

/**
 * Makes a published work public, or takes one out; with null for the work, all of its creator's.
 * False when nothing changed: it was so already, or the creator is suspended. The caller holds the
 * lock of what is to change.
 */
export async function setPublic(
  tx: Tx,
  creatorId: string,
  contentId: string | null,
  isPublic: boolean,
): Promise<boolean> {
  const [, isSuspended, works] = await Promise.all([
    lockUserCounts(tx, [creatorId]),
    findIsSuspended(tx, creatorId),
    listToSwitch(tx, { creatorId, contentId, isPublic }),
  ])
  if ((isPublic && isSuspended) || works.length === 0) return false
  const ids = works.map(({ content_id }) => content_id)
  const sign = isPublic ? 1 : -1
  const byCategory = Map.groupBy(works, ({ category }) => category)
  const change = (category: Category) => sign * (byCategory.get(category)?.length ?? 0)
  const tags = isPublic ? toTagRows(works) : []
  const switched = Promise.all([
    updateIsPublic(tx, ids, isPublic),
    addToUserCounts(tx, [
      {
        userId: creatorId,
        content_count: sign * works.length,
        hype_count: change('hype'),
        swipe_count: change('swipe'),
        jump_count: change('jump'),
      },
    ]),
    isPublic ? insertTags(tx, tags).then(() => []) : deleteTags(tx, ids),
  ])
  // Counted out is what was there: a work that was published just now, and that the caller holds no
  // lock of, may have got other tags since they were read.
  const removed = isPublic ? [] : (await switched)[2]
  await Promise.all([
    switched,
    updateTagTotals(tx, tags, removed),
    ...[...byCategory.keys()]
      .sort()
      .map((category) => updateCategoryTotal(tx, category, change(category))),
  ])
  return true
}

/** Brings the tags by which a public work is found up to date with the work. */
export async function replaceTags(tx: Tx, contentId: string): Promise<void> {
  const removed = await deleteTags(tx, [contentId])
  const tags = toTagRows(await listTagsOf(tx, contentId))
  await insertTags(tx, tags)
  await updateTagTotals(tx, tags, removed)
}

function toTagRows(works: TaggedWork[]) {
  return works.flatMap(({ content_id, category, tags, published_at }) => {
    const names: string[] = JSON.parse(tags)
    return names.map((name) => ({ tag: tagKey(name), content_id, category, published_at }))
  })
}
