import { Link } from '@tanstack/react-router'
import type { Person as PersonRow } from '#sdk'
import { Avatar } from '../ui/Avatar.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { FollowButton } from './FollowButton.tsx'
import styles from './People.module.css'

export function User({ user }: { user: PersonRow }) {
  const { handle, display_name } = user
  return (
    <li className={styles.person}>
      <Avatar person={user} size={48} />
      <div className={styles.names}>
        <Link to="/creators/$handle" params={{ handle }} className={styles.name}>
          {display_name}
        </Link>
        <span className={styles.handle}>@{handle}</span>
      </div>
      <div className={styles.follow}>
        <FollowButton handle={handle} known={user.is_following} />
      </div>
    </li>
  )
}

export function UserSkeleton() {
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
