import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContentDetail, GameInfo } from '#sdk'
import { contentKey } from '../contents/queries.ts'
import { keep, load } from '../device/storage.ts'
import { isMissing, plaza } from '../session/plaza.ts'
import { asMember } from '../session/viewer.ts'

const SHELF = 8
const KEY = 'plaza.jump.last'

/**
 * Query of popular games and of games related to the last played game. Removes the stored id of the last played game if
 * that game no longer exists.
 */
export const shelvesQuery = queryOptions({
  // The key must not begin with `['contents', 'lists']`, because toggles update the data of such keys as a list of
  // pages.
  queryKey: ['jump', 'shelves'],
  // Avoids refetches, which would move games while the user reads.
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  queryFn: async ({ signal }) => {
    const id = load(KEY)
    if (id) {
      try {
        const {
          game,
          related = [],
          popular = [],
        } = await plaza.games.get(id, { include: 'related,popular' }, { signal })
        return { last: game, related, popular }
      } catch (error) {
        if (!isMissing(error)) throw error
        rememberPlayed(null)
      }
    }
    const { feeds } = await plaza.feeds.listJump({ sort: 'popular', per_page: SHELF }, { signal })
    return { last: undefined, related: [], popular: feeds }
  },
})

/** Stores the id of the last played game in the browser. Null removes it. */
function rememberPlayed(id: string | null): void {
  keep(KEY, id)
}

const RUNTIMES = { html5: 'HTML5', wasm: 'WebAssembly', swf: 'Flash' }

/** Returns the display name of a runtime. Undefined for a game without a bundle, which is not playable. */
export function runtimeName(runtime: string | null | undefined): string | undefined {
  return runtime ? (RUNTIMES[runtime as keyof typeof RUNTIMES] ?? runtime) : undefined
}

export type Obstacle = 'noBundle' | 'noWasm'

/**
 * Returns the reason why a game cannot run, or undefined if it can. The Flash player Ruffle requires
 * WebAssembly.
 */
export function obstacleOf(game: GameInfo | null): Obstacle | undefined {
  if (!game?.runtime) return 'noBundle'
  if (game.runtime !== 'html5' && typeof WebAssembly === 'undefined') return 'noWasm'
  return undefined
}

/**
 * Minimum milliseconds until a launch URL expires. A URL that expires sooner is replaced, because the frame needs time
 * to load the game.
 */
const MARGIN_MS = 10_000

export function usePlay(gameId: string) {
  const queries = useQueryClient()
  const [opened, setOpened] = useState(0)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => (await plaza.games.play(gameId)).play,
    onSuccess: () => {
      setOpened((times) => times + 1)
      rememberPlayed(gameId)
      queries.setQueryData<ContentDetail>(
        contentKey(gameId),
        (cached) => cached && { ...cached, play_count: cached.play_count + 1 },
      )
      void queries.invalidateQueries({ queryKey: ['jump', 'shelves'] })
    },
  })
  return {
    play: data,
    /** Number of starts. The number is the frame's key, so that each start creates a new frame. */
    opened,
    error,
    isStarting: isPending,
    start: () => asMember(() => mutate()),
    again: () => {
      if (data && Date.parse(data.expires_at) - MARGIN_MS > Date.now()) {
        setOpened((times) => times + 1)
      } else asMember(() => mutate())
    },
  }
}
