/** A game's play: begun by a click, begun anew where its address has run out. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContentDetail } from '#sdk'
import { contentKey } from '../contents/queries.ts'
import { asMember } from '../session/asking.ts'
import { plaza } from '../session/plaza.ts'
import { rememberPlayed } from './lastPlayed.ts'

/** An address is not used in its last moments: the frame has to come to it first. */
const MARGIN_MS = 10_000

export function usePlay(gameId: string) {
  const queries = useQueryClient()
  const [opened, setOpened] = useState(0)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => (await plaza.playGame({ id: gameId })).play,
    onSuccess: () => {
      setOpened((times) => times + 1)
      rememberPlayed(gameId)
      queries.setQueryData<ContentDetail>(
        contentKey(gameId),
        (kept) => kept && { ...kept, play_count: kept.play_count + 1 },
      )
      void queries.invalidateQueries({ queryKey: ['jump', 'shelves'] })
    },
  })
  return {
    /** Undefined before the first. */
    play: data,
    /** How many times a frame was opened: each is another frame. */
    opened,
    error,
    isStarting: isPending,
    start: () => asMember(() => mutate()),
    /** Opens the same play again while its address is good, and another one after that. */
    again: () => {
      if (data && Date.parse(data.expires_at) - MARGIN_MS > Date.now()) {
        setOpened((times) => times + 1)
      } else asMember(() => mutate())
    },
  }
}
