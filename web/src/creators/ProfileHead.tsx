import { Link } from '@tanstack/react-router'
import { CalendarDays, Pencil } from 'lucide-react'
import type { Creator } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { LinkButton } from '../ui/Button.tsx'
import { LinkedText } from '../ui/LinkedText.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { FollowButton } from './FollowButton.tsx'
import styles from './ProfileHead.module.css'
import { SendMessage } from './SendMessage.tsx'
import { texts } from './texts.ts'

/**
 * Header of a profile: avatar, names, counts and actions. Screen readers skip the name, because the page's
 * heading repeats it.
 */
export function ProfileHead({ creator }: { creator: Creator }) {
  const { handle, display_name, bio } = creator
  return (
    <div className={styles.head}>
      <span className={styles.picture}>
        <Avatar person={creator} size={96} />
      </span>
      <div className={styles.who}>
        <p className={styles.name} aria-hidden="true">
          {display_name}
        </p>
        <p className={styles.handle}>@{handle}</p>
      </div>
      <Acts handle={handle} />
      <div className={styles.about}>
        {bio && (
          <p className={styles.bio}>
            <LinkedText text={bio} />
          </p>
        )}
        <Counts creator={creator} />
      </div>
    </div>
  )
}

function Counts({ creator }: { creator: Creator }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { handle, content_count, follower_count, following_count, created_at } = creator
  return (
    <ul className={styles.counts}>
      <li>
        {t.contents} <strong>{formats.count(content_count)}</strong>
      </li>
      <li>
        <Link to="/creators/$handle/followers" params={{ handle }}>
          {t.followers} <strong>{formats.count(follower_count)}</strong>
        </Link>
      </li>
      <li>
        <Link to="/creators/$handle/following" params={{ handle }}>
          {t.following} <strong>{formats.count(following_count)}</strong>
        </Link>
      </li>
      <li className={styles.joined}>
        <CalendarDays aria-hidden="true" />
        <time dateTime={created_at}>{t.joined(formats.date(created_at))}</time>
      </li>
    </ul>
  )
}

function Acts({ handle }: { handle: string }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  // Reserves the buttons' space while the viewer loads.
  if (viewer === undefined) return <div className={styles.acts} />
  return (
    <div className={styles.acts}>
      {viewer?.handle === handle ? (
        <LinkButton to="/account" icon={<Pencil aria-hidden="true" />}>
          {t.edit}
        </LinkButton>
      ) : (
        <>
          <FollowButton handle={handle} size="medium" look="primary" />
          <SendMessage handle={handle} />
        </>
      )}
    </div>
  )
}

export function ProfileHeadSkeleton() {
  return (
    <div className={styles.head}>
      <span className={styles.picture}>
        <Skeleton width="96px" height="96px" round />
      </span>
      <div className={styles.who}>
        <Skeleton width="180px" height="30px" />
        <Skeleton width="110px" height="22px" />
      </div>
      <div className={styles.acts} />
      <div className={styles.about}>
        <Skeleton width="min(420px, 100%)" height="22px" />
        <Skeleton width="min(300px, 100%)" height="24px" />
      </div>
    </div>
  )
}
