import type { Handle } from '../db/handle.ts'
import type { Range } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'
import { listPopular } from './queries.ts'
import type { Viewer } from '../http/auth.ts'
import { loadContents } from '../contents/load.ts'
import { listRelated } from './recommendation-queries.ts'
import { requireVisibleContent } from '../contents/rules.ts'

const RELATED_MAX = 200
const POPULAR_MAX = 200

/**
 * Returns the ids of up to 400 content items to recommend with the item `id`: related ones, then popular ones.
 */
export async function listRecommended(
  db: Handle,
  id: string,
  category?: Category,
): Promise<string[]> {
  const [related, popular] = await Promise.all([
    listRelated(db, id, category, RELATED_MAX),
    listPopular(db, category, { limit: POPULAR_MAX, offset: 0 }),
  ])
  const ids = new Set([...related, ...popular])
  ids.delete(id)
  return [...ids]
}

/**
 * Returns a page of recommendations for a content item. Errors: 404 CONTENT_NOT_FOUND when the content item is
 * missing or hidden from the viewer.
 */
export async function listRecommendations(
  db: Handle,
  id: string,
  viewer: Viewer | null,
  { limit, offset }: Range,
) {
  const isPast = offset >= RELATED_MAX + POPULAR_MAX
  const [, ids] = await Promise.all([
    requireVisibleContent(db, id, viewer),
    isPast ? [] : listRecommended(db, id),
  ])
  const feeds = await loadContents(db, ids.slice(offset, offset + limit), viewer?.id ?? null)
  return { feeds, has_more: offset + limit < ids.length }
}
