import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContentDetail } from '#sdk'
import { contentKey } from '../contents/queries.ts'
import { asMember } from '../session/viewer.ts'
import { plaza } from '../session/plaza.ts'
import { rememberPlayed } from './queries.ts'

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
