import { iso } from '../clock.ts'
import { loadForAll } from '../contents/load.ts'
import { lockContent } from '../contents/rules.ts'
import { deleteSome } from '../db/batches.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import { insertRow } from '../db/rows.ts'
import { ApiError, invalid } from '../errors.ts'
import type { GameLinks } from '../games/links.ts'
import { requireGame } from '../games/rules.ts'
import type { Viewer } from '../http/auth.ts'
import { emit } from '../webhooks/emit.ts'

/** Request to play a game. The ids in the path and in the body must be equal. */
interface Asked {
  id: string
  body: { id: string }
  /** `Host` header of the request, see `GameLinks.link`. */
  host: string
}

/**
 * Counts a play, emits `jump.play` and returns a signed URL that starts the game. Every call counts. Errors:
 * 422 on `id`, 404 GAME_NOT_FOUND, 409 CONTENT_NOT_READY.
 */
export async function playGame(
  db: Handle,
  links: GameLinks,
  viewer: Viewer,
  asked: Asked,
  now: number,
) {
  const gameId = gameIdOf(asked)
  return db.transaction(async (tx) => {
    await lockContent(tx, gameId)
    const { creatorId, runtime } = await requireGame(tx, gameId, viewer)
    const id = newId('ply', now)
    await insertRow(tx, 'plays', { id, game_id: gameId, user_id: viewer.id, created_at: now })
    const { url, expiresAt } = links.link('launch', gameId, now, asked.host)
    const play = { id, game_id: gameId, runtime, launch_url: url, expires_at: iso(expiresAt) }
    await emit(tx, creatorId, 'jump.play', now, async () => ({
      play,
      game: await loadForAll(tx, gameId),
    }))
    return play
  })
}

/**
 * Returns a signed URL for the uploaded main file. Errors: 422 on `id`, 404 GAME_NOT_FOUND, 409
 * CONTENT_NOT_READY.
 */
export async function streamGame(
  db: Handle,
  links: GameLinks,
  viewer: Viewer,
  asked: Asked,
  now: number,
) {
  const { id, file } = await requireGame(db, gameIdOf(asked), viewer)
  const { url, expiresAt } = links.link('stream', id, now, asked.host)
  return {
    url,
    mime_type: file.mimeType,
    size_bytes: file.sizeBytes,
    expires_at: iso(expiresAt),
  }
}

/**
 * Returns a signed URL for the film of a Flash game. Errors: those of `streamGame`, 409 GAME_RUNTIME_MISMATCH.
 */
export async function getSwf(
  db: Handle,
  links: GameLinks,
  viewer: Viewer,
  asked: Asked,
  now: number,
) {
  const { id, runtime, file } = await requireGame(db, gameIdOf(asked), viewer)
  if (runtime !== 'swf') throw new ApiError('GAME_RUNTIME_MISMATCH')
  const { url, expiresAt } = links.link('swf', id, now, asked.host)
  return {
    url,
    player: 'ruffle' as const,
    size_bytes: file.sizeBytes,
    expires_at: iso(expiresAt),
  }
}

function gameIdOf({ id, body }: Asked): string {
  if (body.id !== id) throw invalid('id', 'invalid.same_id')
  return id
}

/** Deletes up to `limit` plays of a game. Returns their number. The caller holds the lock of the content. */
export function erasePlays(tx: Tx, game_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'plays', ['id'], { game_id }, limit)
}
