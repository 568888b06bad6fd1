import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { GridSkeleton } from '../contents/Grid.tsx'
import { InfiniteGrid } from '../contents/InfiniteGrid.tsx'
import { creatorContentsQuery } from '../contents/queries.ts'
import { useContentList } from '../contents/useWorkList.ts'
import { useTexts } from '../language/texts.ts'
import { isMissing } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { NotFound } from '../shell/NotFound.tsx'
import { LinkButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import styles from './Creator.module.css'
import { ProfileHead, ProfileHeadSkeleton } from './ProfileHead.tsx'
import { creatorQuery } from './queries.ts'
import { texts } from './texts.ts'

const route = getRouteApi('/creators/$handle')

/** Page with a creator's profile and content. */
export function Creator() {
  const { handle } = route.useParams()
  const t = useTexts(texts)
  const { data: creator, error, refetch } = useQuery(creatorQuery(handle))
  if (isMissing(error)) return <NotFound error={error} />
  return (
    <Page title={creator?.display_name ?? `@${handle}`} hidesTitle>
      {creator && <ProfileHead creator={creator} />}
      {!creator && !error && <ProfileHeadSkeleton />}
      {!creator && error && <Problem error={error} retry={() => void refetch()} />}
      {creator ? (
        <section>
          <h2 className={styles.heading}>{t.contents}</h2>
          <Contents handle={handle} name={creator.display_name} />
        </section>
      ) : (
        !error && (
          <>
            <div className={styles.heading}>
              <Skeleton width="64px" height="24px" />
            </div>
            <GridSkeleton />
          </>
        )
      )}
    </Page>
  )
}

function Contents({ handle, name }: { handle: string; name: string }) {
  const t = useTexts(texts)
  const query = useContentList(creatorContentsQuery(handle))
  const isOwn = useViewer()?.handle === handle.toLowerCase()
  return (
    <InfiniteGrid
      query={query}
      hidesCreator
      empty={
        <Empty
          icon={<Sparkles aria-hidden="true" />}
          title={isOwn ? t.nothingOfYours : t.nothingYet(name)}
          level={3}
          action={
            isOwn && (
              <LinkButton look="primary" to="/publish">
                {t.publish}
              </LinkButton>
            )
          }
        >
          {isOwn ? t.nothingOfYoursHelp : t.nothingHelp}
        </Empty>
      }
    />
  )
}
