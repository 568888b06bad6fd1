import { queryOptions } from '@tanstack/react-query'
import { isMissing, plaza } from '../session/plaza.ts'
import { lastPlayed, rememberPlayed } from './lastPlayed.ts'

const SHELF = 8

/**
 * What stands above the newest games: the popular ones, and those like the one played last. With a
 * last one both come by one request; one that is not there any more is forgotten.
 */
export const shelvesQuery = queryOptions({
  // Below the lists of works would be wrong: these are no pages.
  queryKey: ['jump', 'shelves'],
  // Nothing changes its place under the reader.
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
        } = await plaza.readGame({ id, include: 'related,popular' }, { signal })
        return { last: game, related, popular }
      } catch (error) {
        if (!isMissing(error)) throw error
        rememberPlayed(null)
      }
    }
    const { feeds } = await plaza.listJumpFeed({ sort: 'popular', per_page: SHELF }, { signal })
    return { last: undefined, related: [], popular: feeds }
  },
})
