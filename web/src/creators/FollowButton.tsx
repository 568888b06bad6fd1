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
  /**
   * Whether the viewer follows the creator, if the list already contains that. If undefined, the button
   * requests it.
   */
  known?: boolean
  /** `primary` where following is the main action. Default: `quiet`. */
  look?: 'primary' | 'quiet'
}

/**
 * Button that follows or unfollows a creator. Hidden on the viewer's own profile and for unknown creators.
 */
export function FollowButton({ handle, known, size = 'small', look = 'quiet' }: Props) {
  const t = useTexts(texts)
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
