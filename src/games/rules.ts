/** Rules for playing games: which content can be played, by which viewer, and from which file. */
import type { GameInfo } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import type { Runtime } from '../db/media-tables.ts'
import { ApiError } from '../errors.ts'
import { findBundleOf, findWork } from './queries.ts'

/** Playable content and its main file. */
export interface Game {
  id: string
  creatorId: string
  title: string
  runtime: Runtime
  /** Start page of an HTML5 bundle. Empty for other runtimes. */
  entry: string
  /** The file as it was uploaded. */
  file: { sha256: string; path: string; mimeType: string; sizeBytes: number }
}

/**
 * Returns a game that the viewer may play: a public one, or their own draft.
 *
 * Errors: 404 GAME_NOT_FOUND, also for archived games and other content. 409 CONTENT_NOT_READY without a
 * bundle.
 */
export async function requireGame(db: Handle, id: string, viewer: { id: string }): Promise<Game> {
  const work = isId('cnt', id) ? await findWork(db, id) : undefined
  const isOwn = work?.creator_id === viewer.id && work.status !== 'archived'
  if (work?.type !== 'game' || !(work.is_public || isOwn)) throw new ApiError('GAME_NOT_FOUND')
  const game = await toGame(db, work)
  if (!game) throw new ApiError('CONTENT_NOT_READY')
  return game
}

/**
 * Returns the game of a signed URL. Errors: 404 GAME_NOT_FOUND.
 *
 * If the game was archived or its creator suspended since then, running games stop loading files too.
 */
export async function requireLaunchedGame(db: Handle, id: string): Promise<Game> {
  const work = await findWork(db, id)
  const isWithdrawn = !work || work.status === 'archived' || work.is_suspended === 1
  const game = isWithdrawn ? undefined : await toGame(db, work)
  if (!game) throw new ApiError('GAME_NOT_FOUND')
  return game
}

/** Returns any game that has a bundle, regardless of the viewer. */
export async function findGame(db: Handle, id: string): Promise<Game | undefined> {
  const work = await findWork(db, id)
  return work?.type === 'game' ? toGame(db, work) : undefined
}

type Work = NonNullable<Awaited<ReturnType<typeof findWork>>>

async function toGame(db: Handle, work: Work): Promise<Game | undefined> {
  const bundle = await findBundleOf(db, work.id)
  if (!bundle) return undefined
  const info: GameInfo | null = work.game === null ? null : JSON.parse(work.game)
  return {
    id: work.id,
    creatorId: work.creator_id,
    title: work.title,
    runtime: bundle.runtime,
    entry: bundle.entry === null ? '' : (info?.entry ?? bundle.entry),
    file: {
      sha256: bundle.sha256,
      path: bundle.path,
      mimeType: bundle.mime_type,
      sizeBytes: bundle.size_bytes,
    },
  }
}
