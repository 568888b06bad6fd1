import type { Person } from '#sdk'
import { Avatar, UserLink } from '../ui/User.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import styles from './creators.module.css'
import { FollowButton } from './FollowButton.tsx'

export function UserList({ users }: { users: readonly Person[] }) {
  return (
    <ul className={styles.people}>
      {users.map((user) => (
        <User key={user.id} user={user} />
      ))}
    </ul>
  )
}

export function UsersSkeleton() {
  return (
    <Loading className={styles.people}>
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={styles.person}>
          <Skeleton width="48px" height="48px" round />
          <div className={styles.names}>
            <Skeleton width="140px" height="20px" />
            <Skeleton width="90px" height="16px" />
          </div>
        </div>
      ))}
    </Loading>
  )
}

function User({ user }: { user: Person }) {
  const { handle, display_name } = user
  return (
    <li className={styles.person}>
      <Avatar user={user} size={48} />
      <div className={styles.names}>
        <UserLink handle={handle} className={styles.peopleName}>
          {display_name}
        </UserLink>
        <span className="clip fine">@{handle}</span>
      </div>
      <div className={styles.follow}>
        <FollowButton handle={handle} known={user.is_following} />
      </div>
    </li>
  )
}
