/**
 * Updates `is_public`, the tags used by feeds, the creator's content counts, and the tag and category
 * totals in one transaction.
 *
 * Lock order: the content items' counts, then the creator's counts, then tag and category totals. The lock
 * on the creator's counts serialises publishing and a parallel suspension. Totals are last, because all
 * creators share them.
 */
import type { Tx } from '../db/handle.ts'
import type { Category, ContentRow } from '../db/tables.ts'
import { addToUserCounts, lockUserCounts } from '../users/counts.ts'
import { setFollowsSuspended } from '../users/suspended-follows.ts'
import { tagKey } from './schema.ts'
import {
  deleteTags,
  insertTags,
  listTagsOf,
  listToSwitch,
  listToSwitchOf,
  lockPublishedOf,
  type TaggedContent,
  updateCategoryTotal,
  updateIsPublic,
  updateTagTotals,
} from './visibility-queries.ts'

/** Shows or hides all published content and follows of a user. Call it after changing `users.is_suspended`. */
export async function setAllPublic(tx: Tx, creatorId: string, isPublic: boolean): Promise<void> {
  await lockPublishedOf(tx, creatorId)
  await setFollowsSuspended(tx, creatorId, !isPublic)
  await lockUserCounts(tx, [creatorId])
  await switchContents(tx, await listToSwitchOf(tx, creatorId, isPublic), isPublic)
}

/**
 * Shows or hides content items, and returns the ids of those that changed. Shows only published items that no
 * moderator hides, of creators who are not suspended. Handles all items in one call to keep the lock order. The
 * caller holds the locks of the items.
 */
export async function setPublic(
  tx: Tx,
  contents: readonly Pick<ContentRow, 'id' | 'creator_id'>[],
  isPublic: boolean,
): Promise<Set<string>> {
  if (contents.length === 0) return new Set()
  const creators = [...new Set(contents.map(({ creator_id }) => creator_id))]
  const ids = contents.map(({ id }) => id)
  const [, found] = await Promise.all([
    lockUserCounts(tx, creators),
    listToSwitch(tx, ids, isPublic),
  ])
  await switchContents(tx, found, isPublic)
  return new Set(found.map(({ content_id }) => content_id))
}

async function switchContents(tx: Tx, contents: TaggedContent[], isPublic: boolean): Promise<void> {
  if (contents.length === 0) return
  const ids = contents.map(({ content_id }) => content_id)
  const sign = isPublic ? 1 : -1
  const count = (some: readonly TaggedContent[], category: Category) =>
    sign * some.filter((content) => content.category === category).length
  const tags = isPublic ? toTagRows(contents) : []
  const switched = Promise.all([
    updateIsPublic(tx, ids, isPublic),
    addToUserCounts(
      tx,
      [...Map.groupBy(contents, ({ creator_id }) => creator_id)].map(([userId, own]) => ({
        userId,
        content_count: sign * own.length,
        hype_count: count(own, 'hype'),
        swipe_count: count(own, 'swipe'),
        jump_count: count(own, 'jump'),
      })),
    ),
    isPublic ? insertTags(tx, tags).then(() => []) : deleteTags(tx, ids),
  ])
  // Subtracts the tags that were deleted, because they may differ from the tags that were read: an item
  // published since the lock may have new tags.
  const removed = isPublic ? [] : (await switched)[2]
  const categories = [...new Set(contents.map(({ category }) => category))].sort()
  await Promise.all([
    switched,
    updateTagTotals(tx, tags, removed),
    ...categories.map((category) => updateCategoryTotal(tx, category, count(contents, category))),
  ])
}

/** Replaces the tag rows of a public content item with the item's current tags. Feeds read these rows. */
export async function replaceTags(tx: Tx, contentId: string): Promise<void> {
  const removed = await deleteTags(tx, [contentId])
  const tags = toTagRows(await listTagsOf(tx, contentId))
  await insertTags(tx, tags)
  await updateTagTotals(tx, tags, removed)
}

function toTagRows(contents: TaggedContent[]) {
  return contents.flatMap(({ content_id, category, tags, published_at }) => {
    const names: string[] = JSON.parse(tags)
    return names.map((name) => ({ tag: tagKey(name), content_id, category, published_at }))
  })
}
