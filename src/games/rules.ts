import type { GameInfo } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import type { Runtime } from '../db/media-tables.ts'
import { ApiError } from '../errors.ts'
import { findBundleOf, findContent } from './queries.ts'

export interface Game {
  id: string
  creatorId: string
  title: string
  runtime: Runtime
  /** Path of the game's page. Empty unless the runtime is `html5`. */
  entry: string
  file: { sha256: string; path: string; mimeType: string; sizeBytes: number }
}

/**
 * Returns a game that is open to the viewer, or a game of the viewer that is neither archived nor hidden.
 * Errors: 404 GAME_NOT_FOUND, also for content of other types; 409 CONTENT_NOT_READY when the bundle is missing
 * or blocked.
 */
export async function requireGame(db: Handle, id: string, viewer: { id: string }): Promise<Game> {
  const content = isId('cnt', id) ? await findContent(db, id, viewer.id) : undefined
  const isOwn = content?.creator_id === viewer.id && !isWithdrawn(content)
  if (content?.type !== 'game' || !(content.is_open || isOwn)) throw new ApiError('GAME_NOT_FOUND')
  const game = await toGame(db, content)
  if (!game) throw new ApiError('CONTENT_NOT_READY')
  return game
}

/**
 * Returns a game that was launched before. Errors: 404 GAME_NOT_FOUND, also when the game has since been
 * archived or hidden, its bundle blocked, or its creator suspended.
 */
export async function requireLaunchedGame(db: Handle, id: string): Promise<Game> {
  const content = await findContent(db, id)
  const game = !content || isWithdrawn(content) ? undefined : await toGame(db, content)
  if (!game) throw new ApiError('GAME_NOT_FOUND')
  return game
}

/**
 * Returns a game without checking access. Returns undefined when the content is missing or of another type, or the
 * game's bundle is missing or blocked.
 */
export async function findGame(db: Handle, id: string): Promise<Game | undefined> {
  const content = await findContent(db, id)
  return content?.type === 'game' ? toGame(db, content) : undefined
}

type Content = NonNullable<Awaited<ReturnType<typeof findContent>>>

/**
 * True when no user, not even the creator, may play a game: it is archived or hidden, or its creator is
 * suspended.
 */
function isWithdrawn({ status, moderation, is_suspended }: Content): boolean {
  return status === 'archived' || moderation !== null || is_suspended === 1
}

async function toGame(db: Handle, content: Content): Promise<Game | undefined> {
  const bundle = await findBundleOf(db, content.id)
  if (!bundle) return undefined
  const info: GameInfo | null = content.game === null ? null : JSON.parse(content.game)
  return {
    id: content.id,
    creatorId: content.creator_id,
    title: content.title,
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
