import { findContentRecord, loadContents } from '../contents/load.ts'
import { listRecommended } from '../feeds/recommendations.ts'
import { isVisible } from '../contents/rules.ts'
import { toContent } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { listPopular } from '../feeds/queries.ts'
import { listFeeds } from '../feeds/rules.ts'
import type { Viewer } from '../http/auth.ts'
import type { PageInput } from '../http/page.ts'
import type { Language } from '../messages/language.ts'
import type { GameAnswer, Shelf } from './schema.ts'

const SHELF_LENGTH = 8

/** Returns a page of public games, newest first. */
export async function listGames(db: Handle, viewer: Viewer | null, page: PageInput) {
  const { feeds, pagination } = await listFeeds(db, viewer, 'jump', { sort: 'latest', ...page })
  return { games: feeds, pagination }
}

/**
 * Returns a game with the requested shelves. Errors: 404 GAME_NOT_FOUND, also for content of other types and
 * for games hidden from the viewer.
 */
export async function getGame(
  db: Handle,
  id: string,
  viewer: Viewer | null,
  shelves: ReadonlySet<Shelf>,
  language: Language,
): Promise<{ answer: GameAnswer; isOpen: boolean }> {
  const viewerId = viewer?.id ?? null
  const [row, related, popular] = await Promise.all([
    findContentRecord(db, id, viewerId),
    shelves.has('related') ? listRecommended(db, id, 'jump') : [],
    shelves.has('popular') ? listPopular(db, 'jump', { limit: SHELF_LENGTH + 1, offset: 0 }) : [],
  ])
  if (!row || row.type !== 'game' || !isVisible(row, viewer)) throw new ApiError('GAME_NOT_FOUND')
  const answer: GameAnswer = { game: toContent(row, viewerId, language) }
  const relatedIds = related.slice(0, SHELF_LENGTH)
  const popularIds = popular.filter((popularId) => popularId !== id).slice(0, SHELF_LENGTH)
  const loaded = await loadContents(db, [...new Set([...relatedIds, ...popularIds])], viewerId)
  const games = new Map(loaded.map((game) => [game.id, game]))
  const pick = (ids: string[]) => ids.flatMap((gameId) => games.get(gameId) ?? [])
  if (shelves.has('related')) answer.related = pick(relatedIds)
  if (shelves.has('popular')) answer.popular = pick(popularIds)
  return { answer, isOpen: Boolean(row.is_open) }
}
