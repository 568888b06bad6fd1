import { queryOptions } from '@tanstack/react-query'
import { isMissing, plaza } from '../session/plaza.ts'
import { lastPlayed, rememberPlayed } from './lastPlayed.ts'

const SHELF = 8

/**
 * Popular games, and games related to the last one played. One request returns both. If the last game no
 * longer exists, it is forgotten.
 */
export const shelvesQuery = queryOptions({
  // Not under `['contents', 'lists']`, whose entries have pages.
  queryKey: ['jump', 'shelves'],
  // Refetching would move games under the reader.
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  queryFn: async ({ signal }) => {
    const id = lastPlayed()
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
