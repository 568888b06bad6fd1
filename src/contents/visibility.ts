/**
 * The one place where works become public or stop being it: by publishing, archiving, suspension
 * and its end. `is_public`, the tags that feeds look up, the creator's count of works and the
 * totals of the categories change together.
 *
 * A work's counts are locked first, then the counts of its creator: under the latter no work of
 * that person changes sides, so publishing and a suspension at the same time agree.
 */
import type { Tx } from '../db/handle.ts'
import { addToUserCounts, lockUserCounts } from '../users/counts.ts'
import { tagKey } from './schema.ts'
import {
  deleteTags,
  findIsSuspended,
  insertTags,
  listTagsOf,
  listToSwitch,
  lockPublishedOf,
  type TaggedWork,
  updateCategoryTotal,
  updateIsPublic,
} from './visibility-queries.ts'

/**
 * Takes all works of a person out of public sight, or makes the published ones public again; to be
 * called once `users.is_suspended` says so.
 */
export async function setAllPublic(tx: Tx, creatorId: string, isPublic: boolean): Promise<void> {
  await lockPublishedOf(tx, creatorId)
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
  await lockUserCounts(tx, [creatorId])
  if (isPublic && (await findIsSuspended(tx, creatorId))) return false
  const works = await listToSwitch(tx, { creatorId, contentId, isPublic })
  if (works.length === 0) return false
  const ids = works.map(({ content_id }) => content_id)
  const sign = isPublic ? 1 : -1
  await updateIsPublic(tx, ids, isPublic)
  if (isPublic) await insertTags(tx, toTagRows(works))
  else await deleteTags(tx, ids)
  await addToUserCounts(tx, [{ userId: creatorId, content_count: sign * works.length }])
  const byCategory = Map.groupBy(works, ({ category }) => category)
  for (const category of [...byCategory.keys()].sort()) {
    await updateCategoryTotal(tx, category, sign * (byCategory.get(category) ?? []).length)
  }
  return true
}

/** Brings the tags by which a public work is found up to date with the work. */
export async function replaceTags(tx: Tx, contentId: string): Promise<void> {
  await deleteTags(tx, [contentId])
  await insertTags(tx, toTagRows(await listTagsOf(tx, contentId)))
}

function toTagRows(works: TaggedWork[]) {
  return works.flatMap(({ content_id, tags, published_at }) => {
    const names: string[] = JSON.parse(tags)
    return names.map((name) => ({ tag: tagKey(name), content_id, published_at }))
  })
}
