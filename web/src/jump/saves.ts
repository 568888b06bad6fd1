/**
 * Stores saved games in this origin, because a game's opaque origin has no storage. The game's page posts saves to this
 * window, and reads earlier saves from the name of its own frame.
 */
import { keep, load, loadJson } from '../device/storage.ts'

const PREFIX = 'plaza.saves.'
/** Maximum characters per game: the limit of the game's own page plus the overhead of the encoding. */
const MOST = 400_000
/** Maximum characters of the saves of all games, so that the browser has space for other data. */
const MOST_TOGETHER = 2_000_000
/** Storage key of the list of games with saves, most recent first. */
const ORDER = 'plaza.saved'

export function savesOf(gameId: string): string {
  return load(PREFIX + gameId) ?? ''
}

export function keepSaves(gameId: string, message: unknown): void {
  const saves = (message as { saves?: unknown } | null)?.saves
  if (typeof saves !== 'string' || saves.length > MOST) return
  keep(PREFIX + gameId, saves)
  makeRoom([gameId, ...savedGames().filter((id) => id !== gameId)])
}

function savedGames(): string[] {
  const cached = loadJson(ORDER)
  return Array.isArray(cached) ? cached.map(String) : []
}

function makeRoom(gameIds: string[]): void {
  let together = 0
  const fitting = gameIds.filter((id) => {
    together += savesOf(id).length
    if (together > MOST_TOGETHER) keep(PREFIX + id, null)
    return together <= MOST_TOGETHER
  })
  keep(ORDER, JSON.stringify(fitting))
}
