import { loadContents } from '../contents/load.ts'
import { requireOwnContent } from '../contents/rules.ts'
import type { Handle } from '../db/handle.ts'
import { DAY_MS } from '../db/stats-tables.ts'
import { invalid } from '../errors.ts'
import type { Caller } from '../http/auth.ts'
import { findContentDays, findCreatorDays, listMostViewed, type Span } from './queries.ts'
import { dayOf, type StatsQuery, toDays } from './schema.ts'

const DEFAULT_DAYS = 28
const DAYS_MAX = 366
const TOP_MAX = 10

/**
 * Returns the span of days that a query selects. Errors: 422 when the days are in the wrong order or more than
 * DAYS_MAX.
 */
function spanOf(query: StatsQuery, now: number): Span {
  const today = Math.floor(now / DAY_MS)
  const to = Math.min(dayOf(query.to ?? '') ?? today, today)
  const from = dayOf(query.from ?? '') ?? to - DEFAULT_DAYS + 1
  if (from > to || to - from >= DAYS_MAX) throw invalid('from', 'invalid.date_range')
  return { from, to }
}

/**
 * Returns the daily statistics of a content item of the caller. Errors: those of `spanOf`; 403 NOT_CONTENT_AUTHOR,
 * 404 CONTENT_NOT_FOUND.
 */
export async function getContentStats(
  db: Handle,
  caller: Caller,
  contentId: string,
  query: StatsQuery,
  now: number,
) {
  const span = spanOf(query, now)
  await requireOwnContent(db, contentId, caller)
  const { days, undated } = await findContentDays(db, contentId, span)
  return { content_id: contentId, ...toDays(span, days), undated: { views: undated } }
}

/**
 * Returns the daily statistics of the caller's content and followers, and the content items with the most views.
 * Errors: those of `spanOf`.
 */
export async function getStats(db: Handle, caller: Caller, query: StatsQuery, now: number) {
  const span = spanOf(query, now)
  const { days, undated } = await findCreatorDays(db, caller.id, span)
  const viewed = await listMostViewed(db, caller.id, span, TOP_MAX)
  const views = new Map(viewed.map((row) => [row.content_id, row.views]))
  const contents = await loadContents(db, [...views.keys()], caller.id, true)
  const top = contents.map(({ id, title, thumbnail_url }) => ({
    content_id: id,
    title,
    thumbnail_url,
    views: views.get(id) ?? 0,
  }))
  return { ...toDays(span, days), undated: { views: undated }, top }
}
