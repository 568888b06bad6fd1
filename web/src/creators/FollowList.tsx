import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { isMissing } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { NotFound } from '../shell/Failed.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Page } from '../ui/Page.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { UserLink } from '../ui/User.tsx'
import { creatorQuery, type Direction, usersQuery } from './queries.ts'
import { texts } from './texts.ts'
import { UserList, UsersSkeleton } from './UserList.tsx'

export function Followers() {
  return <FollowList direction="followers" />
}

export function Following() {
  return <FollowList direction="following" />
}

function FollowList({ direction }: { direction: Direction }) {
  const { handle = '' } = useParams({ strict: false })
  const t = useTexts(texts)
  const { data: creator, error } = useQuery(creatorQuery(handle))
  if (isMissing(error)) return <NotFound error={error} />
  const name = creator?.display_name ?? `@${handle}`
  const title = direction === 'followers' ? t.followersOf(name) : t.followingOf(name)
  return (
    <Page
      title={title}
      width="reading"
      trail={<UserLink handle={handle}>{t.backTo(name)}</UserLink>}
    >
      <Tabs label={t.users}>
        <Tab to="/creators/$handle/followers" params={{ handle }}>
          {t.followers}
        </Tab>
        <Tab to="/creators/$handle/following" params={{ handle }}>
          {t.following}
        </Tab>
      </Tabs>
      <List handle={handle} direction={direction} />
    </Page>
  )
}

function List({ handle, direction }: { handle: string; direction: Direction }) {
  const query = useInfiniteQuery(usersQuery(handle, direction))
  return (
    <Entries
      query={query}
      target={({ users }) => users}
      skeleton={<UsersSkeleton />}
      empty={<Nobody handle={handle} direction={direction} />}
    >
      {(users) => <UserList users={users} />}
    </Entries>
  )
}

function Nobody({ handle, direction }: { handle: string; direction: Direction }) {
  const t = useTexts(texts)
  const isOwn = useViewer()?.handle === handle.toLowerCase()
  const icon = <Users />
  if (direction === 'followers') {
    return (
      <Empty icon={icon} title={t.nobodyFollows}>
        {isOwn ? t.nobodyFollowsYouHelp : t.nobodyFollowsHelp}
      </Empty>
    )
  }
  return (
    <Empty
      icon={icon}
      title={t.followsNobody}
      action={isOwn && t.findSomebody}
      link={{ to: '/', search: { sort: 'popular' } }}
    >
      {isOwn ? t.youFollowNobodyHelp : t.followsNobodyHelp}
    </Empty>
  )
}
