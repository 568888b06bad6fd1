/**
 * What games save. A game has no origin and so no storage; its page hands its saves to the window
 * around it, and finds them in the name of its frame when it is opened again.
 */
import { keep, load, loadJson } from '../device/kept.ts'

const PREFIX = 'plaza.saves.'
/** As much as the page of a game lets it save, with room for how it is written down. */
const MOST = 400_000
/** What all games together may take: with all of a browser's room, nothing else could be kept here. */
const MOST_TOGETHER = 2_000_000
/** Which games saved, the last one first. */
const ORDER = 'plaza.saved'

export function savesOf(gameId: string): string {
  return load(PREFIX + gameId) ?? ''
}

/** Keeps `saves` of a message from the frame of this game; anything else is passed over. */
export function keepSaves(gameId: string, message: unknown): void {
  const saves = (message as { saves?: unknown } | null)?.saves
  if (typeof saves !== 'string' || saves.length > MOST) return
  keep(PREFIX + gameId, saves)
  makeRoom([gameId, ...savedGames().filter((id) => id !== gameId)])
}

function savedGames(): string[] {
  const kept = loadJson(ORDER)
  return Array.isArray(kept) ? kept.map(String) : []
}

/** Forgets what the games saved that come last, where all together is too much. */
function makeRoom(gameIds: string[]): void {
  let together = 0
  const fitting = gameIds.filter((id) => {
    together += savesOf(id).length
    if (together > MOST_TOGETHER) keep(PREFIX + id, null)
    return together <= MOST_TOGETHER
  })
  keep(ORDER, JSON.stringify(fitting))
}
