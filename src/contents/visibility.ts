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
  await lockUserCounts(tx, [creatorId])
  await switchWorks(tx, await listToSwitchOf(tx, creatorId, isPublic), isPublic)
}

/**
 * Makes published works public, or takes them out, all at once, so that each lock is taken in its
 * order however many they are. Gives the ids of those that changed: the others were so already, or
 * their creator is suspended. The caller holds the locks of the works.
 */
export async function setPublic(
  tx: Tx,
  works: readonly Pick<ContentRow, 'id' | 'creator_id'>[],
  isPublic: boolean,
): Promise<Set<string>> {
  if (works.length === 0) return new Set()
  const creators = [...new Set(works.map(({ creator_id }) => creator_id))]
  const ids = works.map(({ id }) => id)
  const [, found] = await Promise.all([
    lockUserCounts(tx, creators),
    listToSwitch(tx, ids, isPublic),
  ])
  await switchWorks(tx, found, isPublic)
  return new Set(found.map(({ content_id }) => content_id))
}

async function switchWorks(tx: Tx, works: TaggedWork[], isPublic: boolean): Promise<void> {
  if (works.length === 0) return
  const ids = works.map(({ content_id }) => content_id)
  const sign = isPublic ? 1 : -1
  const count = (some: readonly TaggedWork[], category: Category) =>
    sign * some.filter((work) => work.category === category).length
  const tags = isPublic ? toTagRows(works) : []
  const switched = Promise.all([
    updateIsPublic(tx, ids, isPublic),
    addToUserCounts(
      tx,
      [...Map.groupBy(works, ({ creator_id }) => creator_id)].map(([userId, own]) => ({
        userId,
        content_count: sign * own.length,
        hype_count: count(own, 'hype'),
        swipe_count: count(own, 'swipe'),
        jump_count: count(own, 'jump'),
      })),
    ),
    isPublic ? insertTags(tx, tags).then(() => []) : deleteTags(tx, ids),
  ])
  // Counted out is what was there: a work that was published just now, and that the caller holds no
  // lock of, may have got other tags since they were read.
  const removed = isPublic ? [] : (await switched)[2]
  const categories = [...new Set(works.map(({ category }) => category))].sort()
  await Promise.all([
    switched,
    updateTagTotals(tx, tags, removed),
    ...categories.map((category) => updateCategoryTotal(tx, category, count(works, category))),
  ])
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
