import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import type { Person as PersonRow } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { isMissing } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { NotFound } from '../shell/Failed.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { LinkButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import styles from './Creator.module.css'
import { FollowButton } from './FollowButton.tsx'
import { creatorQuery, type Direction, usersQuery } from './queries.ts'
import { texts } from './texts.ts'

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
      trail={
        <Link to="/creators/$handle" params={{ handle }}>
          {t.backTo(name)}
        </Link>
      }
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
      skeleton={
        <Loading className={styles.people}>
          {Array.from({ length: 8 }, (_, index) => (
            <UserSkeleton key={index} />
          ))}
        </Loading>
      }
      empty={<Nobody handle={handle} direction={direction} />}
    >
      {(users) => (
        <ul className={styles.people}>
          {users.map((user) => (
            <User key={user.id} user={user} />
          ))}
        </ul>
      )}
    </Entries>
  )
}

function Nobody({ handle, direction }: { handle: string; direction: Direction }) {
  const t = useTexts(texts)
  const isOwn = useViewer()?.handle === handle.toLowerCase()
  const icon = <Users />
  if (direction === 'followers') {
    return (
      <Empty icon={icon} title={isOwn ? t.nobodyFollowsYou : t.nobodyFollows}>
        {isOwn ? t.nobodyFollowsYouHelp : t.nobodyFollowsHelp}
      </Empty>
    )
  }
  return (
    <Empty
      icon={icon}
      title={t.followsNobody}
      action={
        isOwn && (
          <LinkButton look="primary" to="/" search={{ sort: 'popular' }}>
            {t.findSomebody}
          </LinkButton>
        )
      }
    >
      {isOwn ? t.youFollowNobodyHelp : t.followsNobodyHelp}
    </Empty>
  )
}

function User({ user }: { user: PersonRow }) {
  const { handle, display_name } = user
  return (
    <li className={styles.person}>
      <Avatar user={user} size={48} />
      <div className={styles.names}>
        <Link to="/creators/$handle" params={{ handle }} className={styles.peopleName}>
          {display_name}
        </Link>
        <span className="clip fine">@{handle}</span>
      </div>
      <div className={styles.follow}>
        <FollowButton handle={handle} known={user.is_following} />
      </div>
    </li>
  )
}

function UserSkeleton() {
  return (
    <div className={styles.person}>
      <Skeleton width="48px" height="48px" round />
      <div className={styles.names}>
        <Skeleton width="140px" height="20px" />
        <Skeleton width="90px" height="16px" />
      </div>
    </div>
  )
}
