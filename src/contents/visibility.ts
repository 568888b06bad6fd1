/**
 * Changes who can open content, and all counts and tags that depend on this, in one transaction. Lock order: the
 * content items' counts, the creator's counts, tag and category totals. The lock on the creator's counts serialises
 * publishing and a parallel suspension. Totals are locked last, because all creators share them.
 */
import { updateRows } from '../db/rows.ts'
import type { Tx } from '../db/handle.ts'
import type { Category, ContentRow } from '../db/tables.ts'
import type { SharedWith } from '../db/visibility-tables.ts'
import { addToUserCounts, lockUserCounts } from '../users/counts.ts'
import { setFollowsSuspended } from '../users/suspended-follows.ts'
import { updatePublishedAt } from './queries.ts'
import { tagKey } from './schema.ts'
import {
  type AccessRow,
  deleteTags,
  findAccess,
  insertTags,
  listAccess,
  listAccessOf,
  lockPublishedOf,
  updateAccess,
  updateCategoryTotal,
  updateTagTotals,
} from './visibility-queries.ts'

export interface AccessChange extends AccessRow {
  isPublic: boolean
  sharedWith: SharedWith | null
  wasPublic: boolean
  /** True when the item becomes public for the first time. */
  isFirst: boolean
}

/**
 * Shows or hides all published content and follows of a user. Call it after changing `users.is_suspended`.
 * Returns the changes.
 */
export async function setAllShown(
  tx: Tx,
  creatorId: string,
  isShown: boolean,
  now: number,
): Promise<AccessChange[]> {
  await lockPublishedOf(tx, creatorId)
  await setFollowsSuspended(tx, creatorId, !isShown)
  await lockUserCounts(tx, [creatorId])
  return applyAccess(tx, await listAccessOf(tx, creatorId), now)
}

type Contents = readonly Pick<ContentRow, 'id' | 'creator_id'>[]

/**
 * Opens published content items to the viewers that `visibility` selects, and returns the changes. Closes items that
 * are not published, are hidden by a moderator, or belong to a suspended creator. An item that first becomes public
 * gets `now` as `published_at`. The caller holds the locks of the items, and passes all items in one call to keep the
 * lock order.
 */
export async function refreshAccess(
  tx: Tx,
  contents: Contents,
  now: number,
): Promise<AccessChange[]> {
  return applyAccess(tx, await lockAccess(tx, contents), now)
}

/**
 * Hides content items from all viewers, even items whose `visibility` is `public`. The caller holds the locks of the
 * items.
 */
export async function closeContents(tx: Tx, contents: Contents): Promise<void> {
  const rows = await lockAccess(tx, contents)
  const closed = rows.map((row) => ({ ...row, visibility: null }))
  await applyAccess(tx, closed, 0)
}

async function lockAccess(tx: Tx, contents: Contents): Promise<AccessRow[]> {
  if (contents.length === 0) return []
  const creators = [...new Set(contents.map(({ creator_id }) => creator_id))]
  const ids = contents.map(({ id }) => id)
  const [, rows] = await Promise.all([lockUserCounts(tx, creators), listAccess(tx, ids)])
  return rows
}

function toChange(row: AccessRow): AccessChange {
  const { visibility } = row
  const isPublic = visibility === 'public'
  return {
    ...row,
    isPublic,
    sharedWith:
      visibility === 'followers' ? visibility : visibility === 'unlisted' ? 'anyone' : null,
    wasPublic: row.is_public === 1,
    isFirst: isPublic && row.was_public === 0,
  }
}

async function applyAccess(tx: Tx, rows: AccessRow[], now: number): Promise<AccessChange[]> {
  const changes = rows
    .map(toChange)
    .filter((row) => row.isPublic !== row.wasPublic || row.sharedWith !== row.shared_with)
  if (changes.length === 0) return []
  for (const change of changes) {
    if (change.isFirst && change.published_at !== now) await republish(tx, change, now)
  }
  const added = toTagRows(changes.filter(({ isPublic, wasPublic }) => isPublic && !wasPublic))
  const closed = changes.filter(({ isPublic, wasPublic }) => wasPublic && !isPublic)
  const closedIds = closed.map(({ content_id }) => content_id)
  const switched = Promise.all([
    updateAccess(tx, changes),
    addToUserCounts(
      tx,
      [...Map.groupBy(changes, ({ creator_id }) => creator_id)].map(([userId, own]) => ({
        userId,
        content_count: sumOf(own, publicChange),
        hype_count: sumOf(own, listedChange, 'hype'),
        swipe_count: sumOf(own, listedChange, 'swipe'),
        jump_count: sumOf(own, listedChange, 'jump'),
      })),
    ),
    insertTags(tx, added),
    closed.length === 0 ? [] : deleteTags(tx, closedIds),
  ])
  // Uses the tags of the deleted rows, because `closed` may contain outdated tags.
  const removed = closed.length === 0 ? [] : (await switched)[3]
  const totals = [...new Set(changes.map(({ category }) => category))]
    .sort()
    .map((category) => ({ category, change: sumOf(changes, publicChange, category) }))
    .filter(({ change }) => change !== 0)
  await Promise.all([
    switched,
    updateTagTotals(tx, added, removed),
    ...totals.map(({ category, change }) => updateCategoryTotal(tx, category, change)),
  ])
  return changes
}

const publicChange = ({ isPublic, wasPublic }: AccessChange) => Number(isPublic) - Number(wasPublic)

/** Returns the change in the number of content items that the feed `following` lists: 1, 0 or -1. */
function listedChange({ isPublic, sharedWith, wasPublic, shared_with }: AccessChange): number {
  return (
    Number(isPublic || sharedWith === 'followers') -
    Number(wasPublic || shared_with === 'followers')
  )
}

function sumOf(
  changes: readonly AccessChange[],
  changeOf: (change: AccessChange) => number,
  category?: Category,
): number {
  return changes
    .filter((change) => category === undefined || change.category === category)
    .reduce((sum, change) => sum + changeOf(change), 0)
}

async function republish(tx: Tx, change: AccessChange, now: number): Promise<void> {
  change.published_at = now
  await updateRows(tx, 'contents', { id: change.content_id }, { published_at: now })
  await updatePublishedAt(tx, change.content_id, now)
}

/** Replaces the tag rows of a public content item with the item's current tags. Feeds read these rows. */
export async function replaceTags(tx: Tx, contentId: string): Promise<void> {
  const removed = await deleteTags(tx, [contentId])
  const row = await findAccess(tx, contentId)
  const tags = toTagRows(row ? [row] : [])
  await insertTags(tx, tags)
  await updateTagTotals(tx, tags, removed)
}

function toTagRows(contents: AccessRow[]) {
  return contents.flatMap(({ content_id, category, tags, published_at }) => {
    const names: string[] = JSON.parse(tags)
    return names.map((name) => ({ tag: tagKey(name), content_id, category, published_at }))
  })
}
