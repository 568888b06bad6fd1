/**
 * Stores saved games. A game's opaque origin has no storage, so its page posts its saves to the parent window
 * and later reads them from the frame's name.
 */
import { keep, load, loadJson } from '../device/storage.ts'

const PREFIX = 'plaza.saves.'
/** Characters one game may store: the limit of its own page plus the encoding's overhead. */
const MOST = 400_000
/** Characters all games may store together, so that the browser has room for other data. */
const MOST_TOGETHER = 2_000_000
/** Games with saves, the most recent first. */
const ORDER = 'plaza.saved'

export function savesOf(gameId: string): string {
  return load(PREFIX + gameId) ?? ''
}

/** Stores the saves in a message from the game's frame. Ignores other messages. */
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

/** Deletes the least recently updated saves when the total exceeds the limit. */
function makeRoom(gameIds: string[]): void {
  let together = 0
  const fitting = gameIds.filter((id) => {
    together += savesOf(id).length
    if (together > MOST_TOGETHER) keep(PREFIX + id, null)
    return together <= MOST_TOGETHER
  })
  keep(ORDER, JSON.stringify(fitting))
}
