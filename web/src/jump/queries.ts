import { queryOptions } from '@tanstack/react-query'
import { keep, load } from '../device/storage.ts'
import { isMissing, plaza } from '../session/plaza.ts'

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
export function rememberPlayed(id: string | null): void {
  keep(KEY, id)
}
