/** Slides without content: one for an empty feed, and one for the end of a feed. */
import { Clapperboard } from 'lucide-react'
import { NothingFollowed } from '../contents/NothingFollowed.tsx'
import { useTexts } from '../language/texts.ts'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { texts as uiTexts } from '../ui/texts.ts'
import styles from './Swipe.module.css'
import { texts } from './texts.ts'

export function Nothing({ isFollowing }: { isFollowing: boolean }) {
  const t = useTexts(texts)
  if (isFollowing) return <NothingFollowed to="/swipe" />
  return (
    <Empty
      icon={<Clapperboard aria-hidden="true" />}
      title={t.nothing}
      action={t.publish}
      link={{ to: '/publish' }}
    >
      {t.nothingHelp}
    </Empty>
  )
}

interface EndProps {
  query: {
    hasNextPage: boolean
    isFetchNextPageError: boolean
    error: unknown
    fetchNextPage: () => unknown
  }
  isShown: boolean
  onStart: () => void
}

/** Last slide: a placeholder while more content loads, an error, or a message about the end of the feed. */
export function End({ query, isShown, onStart }: EndProps) {
  const t = useTexts(texts)
  const words = useTexts(uiTexts)
  return (
    <div className={`${styles.slide} ${styles.state}`} inert={!isShown} tabIndex={-1}>
      {query.isFetchNextPageError ? (
        <Problem error={query.error} retry={() => void query.fetchNextPage()} />
      ) : query.hasNextPage ? (
        <div className={styles.bone}>
          <span className="unseen">{words.loading}</span>
          <Skeleton height="100%" />
        </div>
      ) : (
        <Empty
          title={t.end}
          action={
            <div className={styles.ways}>
              <Button onClick={onStart}>{t.toStart}</Button>
              <LinkButton look="primary" to="/publish">
                {t.publish}
              </LinkButton>
            </div>
          }
        >
          {t.endHelp}
        </Empty>
      )}
    </div>
  )
}
