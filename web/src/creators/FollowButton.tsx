import { useQuery } from '@tanstack/react-query'
import { Check, Plus } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn, useViewer } from '../session/viewer.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import styles from './FollowButton.module.css'
import { useFollow } from './following.ts'
import { creatorQuery } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  handle: string
  size?: 'small' | 'medium'
  /** Whether one follows them, where a list says so; else it is asked. */
  known?: boolean
  /** `primary` where following is what one comes to do. */
  look?: 'primary' | 'quiet'
}

/** Follows a creator, or stops following them. Nothing for oneself, and for who is not there. */
export function FollowButton({ handle, known, size = 'small', look = 'quiet' }: Props) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const isSignedIn = useIsSignedIn()
  // Who is not signed in follows nobody, which need not be asked.
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
    <Button
      size={size}
      look={isFollowing ? 'quiet' : look}
      icon={isFollowing ? <Check aria-hidden="true" /> : <Plus aria-hidden="true" />}
      className={styles.button ?? ''}
      aria-pressed={isFollowing}
      onClick={() => follow(!isFollowing)}
    >
      {isFollowing ? t.followed : t.follow}
      <span className="unseen"> @{handle}</span>
    </Button>
  )
}
