import {
  type InfiniteData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { Check, Plus } from 'lucide-react'
import { type ComponentProps, Suspense } from 'react'
import type { Creator, People } from '#sdk'
import { feedsBy } from '../contents/queries.ts'
import { lazyPart } from '../device/connected.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { asMember, useIsSignedIn, useViewer, viewerQuery } from '../session/viewer.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { undoneText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import type { UserMenuProps } from './UserItems.tsx'
import styles from './creators.module.css'
import { creatorKey, creatorQuery, PEOPLE, usersKey } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  handle: string
  size?: 'small' | 'medium'
  /** True when the viewer follows the creator. If undefined, the button requests the state from the server. */
  known?: boolean
  look?: 'primary' | 'quiet'
}

export function FollowButton({ handle, known, size = 'small', look = 'quiet' }: Props) {
  const viewer = useViewer()
  const isSignedIn = useIsSignedIn()
  // Skips the request for signed-out viewers, who follow no creators.
  const { data, isError } = useQuery({
    ...creatorQuery(handle),
    enabled: isSignedIn && known === undefined,
  })
  const { wanted, follow } = useFollow(handle)
  if (viewer?.handle === handle.toLowerCase() || (isError && !data)) return null
  if (isSignedIn && !((data || known !== undefined) && viewer)) {
    return <Skeleton width="96px" height={size === 'small' ? '32px' : '40px'} />
  }
  const isFollowing = isSignedIn && (wanted ?? data?.is_following ?? known ?? false)
  return (
    <FollowToggle
      name={`@${handle}`}
      isFollowing={isFollowing}
      size={size}
      look={isFollowing ? 'quiet' : look}
      onClick={() => follow(!isFollowing)}
    />
  )
}

interface ToggleProps extends Pick<ComponentProps<typeof Button>, 'size' | 'look' | 'onClick'> {
  /** Name of the followed creator or tag. */
  name: string
  isFollowing: boolean
}

export function FollowToggle({ name, isFollowing, ...button }: ToggleProps) {
  const t = useTexts(texts)
  return (
    <Button
      {...button}
      icon={isFollowing ? <Check /> : <Plus />}
      className={styles.button ?? ''}
      aria-pressed={isFollowing}
    >
      {isFollowing ? t.followed : t.follow}
      <span className="unseen"> {name}</span>
    </Button>
  )
}

type Change = Pick<Creator, 'is_following' | 'follower_count'>

function changeCreator(queries: QueryClient, handle: string, change: Change): void {
  queries.setQueryData<Creator>(creatorKey(handle), (cached) => cached && { ...cached, ...change })
  const { is_following } = change
  queries.setQueriesData<InfiniteData<People>>(
    { queryKey: PEOPLE },
    (cached) =>
      cached && {
        ...cached,
        pages: cached.pages.map((page) => ({
          ...page,
          users: page.users.map((user) =>
            user.handle === handle ? { ...user, is_following } : user,
          ),
        })),
      },
  )
}

function forgetLists(queries: QueryClient, handle: string): void {
  const viewer = queries.getQueryData(viewerQuery.queryKey)
  void queries.invalidateQueries({ queryKey: usersKey(handle, 'followers') })
  if (viewer) {
    void queries.invalidateQueries({ queryKey: creatorKey(viewer.handle) })
    // Refetches the list only on the next visit, because a row must not disappear under the pointer.
    void queries.invalidateQueries({
      queryKey: usersKey(viewer.handle, 'following'),
      refetchType: 'none',
    })
  }
  void queries.invalidateQueries(feedsBy('following'))
}

function useFollow(handle: string) {
  const queries = useQueryClient()
  const t = useTexts(uiTexts)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (wanted: boolean) =>
      wanted ? plaza.creators.follow(handle) : plaza.creators.unfollow(handle),
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
      toast(undoneText(error, t), { isBad: true })
    },
  })
  return {
    wanted: isPending ? variables : undefined,
    follow: (wanted: boolean) => !isPending && asMember(() => mutate(wanted)),
  }
}

const UserItemsMenu = lazyPart<UserMenuProps, 'UserItemsMenu'>(
  () => import('./UserItems.tsx'),
  'UserItemsMenu',
)

/** Menu with `groups` of items, followed by the actions on the user. Renders nothing for signed-out viewers. */
export function UserMenu(props: UserMenuProps) {
  return (
    useIsSignedIn() && (
      <Suspense>
        <UserItemsMenu {...props} />
      </Suspense>
    )
  )
}
