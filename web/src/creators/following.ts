/** Follows: shown at once, taken back where the server did not take them. */
import {
  type InfiniteData,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { type Creator, isPlazaError, type People } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { asMember } from '../session/asking.ts'
import { plaza } from '../session/plaza.ts'
import { viewerQuery } from '../session/viewer.ts'
import { problemText } from '../ui/problemText.ts'
import { texts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { creatorKey, PEOPLE, peopleKey } from './queries.ts'

type Change = Pick<Creator, 'is_following' | 'follower_count'>

function changeCreator(queries: QueryClient, handle: string, change: Change): void {
  queries.setQueryData<Creator>(creatorKey(handle), (kept) => kept && { ...kept, ...change })
  const { is_following } = change
  queries.setQueriesData<InfiniteData<People>>(
    { queryKey: PEOPLE },
    (kept) =>
      kept && {
        ...kept,
        pages: kept.pages.map((page) => ({
          ...page,
          users: page.users.map((user) =>
            user.handle === handle ? { ...user, is_following } : user,
          ),
        })),
      },
  )
}

/** Lists in which a follow puts somebody, or from which it takes them. */
function forgetLists(queries: QueryClient, handle: string): void {
  const viewer = queries.getQueryData(viewerQuery.queryKey)
  void queries.invalidateQueries({ queryKey: peopleKey(handle, 'followers') })
  if (viewer) {
    void queries.invalidateQueries({ queryKey: creatorKey(viewer.handle) })
    // What one looks at stays until one comes back: a row must not go from under the pointer.
    void queries.invalidateQueries({
      queryKey: peopleKey(viewer.handle, 'following'),
      refetchType: 'none',
    })
  }
  void queries.invalidateQueries({
    queryKey: ['contents', 'lists', 'feed'],
    predicate: ({ queryKey }) => queryKey[4] === 'following',
  })
}

/** Gives what follows a creator or stops it, and what is wished while the server is asked. */
export function useFollow(handle: string) {
  const queries = useQueryClient()
  const t = useTexts(texts)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (wanted: boolean) =>
      wanted ? plaza.setFollow({ handle }) : plaza.unsetFollow({ handle }),
    onMutate: async (wanted) => {
      await queries.cancelQueries({ queryKey: creatorKey(handle) })
      const before = queries.getQueryData<Creator>(creatorKey(handle))
      if (before && before.is_following !== wanted) {
        const follower_count = before.follower_count + (wanted ? 1 : -1)
        changeCreator(queries, handle, { is_following: wanted, follower_count })
      }
      return before
    },
    onSuccess: (result) => {
      changeCreator(queries, handle, result)
      forgetLists(queries, handle)
    },
    onError: (error, _, before) => {
      if (before) changeCreator(queries, handle, before)
      // What was refused for a reason is told with the server's own words.
      const isRefused = isPlazaError(error) && error.status >= 400 && error.status < 500
      toast(isRefused ? t.undoneSince(problemText(error, t)) : t.undone, { isBad: true })
    },
  })
  return {
    wanted: isPending ? variables : undefined,
    follow: (wanted: boolean) => !isPending && asMember(() => mutate(wanted)),
  }
}
