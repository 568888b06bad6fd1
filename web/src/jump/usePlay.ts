/** Starts and restarts a game. Requests a new launch URL when the old one has expired. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContentDetail } from '#sdk'
import { contentKey } from '../contents/queries.ts'
import { asMember } from '../session/asking.ts'
import { plaza } from '../session/plaza.ts'
import { rememberPlayed } from './lastPlayed.ts'

/** A launch URL is not used just before it expires, since the frame still has to load it. */
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
    /** Undefined until the first start. */
    play: data,
    /** Number of starts, used as the frame's key. */
    opened,
    error,
    isStarting: isPending,
    start: () => asMember(() => mutate()),
    /** Restarts with the same launch URL while it is valid, otherwise requests a new one. */
    again: () => {
      if (data && Date.parse(data.expires_at) - MARGIN_MS > Date.now()) {
        setOpened((times) => times + 1)
      } else asMember(() => mutate())
    },
  }
}
