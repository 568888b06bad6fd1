import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { contentQuery } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { isMissing } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { NotFound } from '../shell/NotFound.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { EditContent } from './EditContent.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'

/** Milliseconds between polls during a conversion. The server publishes the content when it ends. */
const POLL_MS = 4000

const route = getRouteApi('/publish/$id')

export function Edit() {
  const t = useTexts(texts)
  const { id } = route.useParams()
  const viewer = useViewer()
  const query = useQuery({
    ...contentQuery(id),
    // When the session has ended, the server answers 404 for a draft. The page must not discard the unsaved
    // input then.
    throwOnError: (error, { state }) => isMissing(error) && state.data === undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? POLL_MS : false),
  })
  const { data: content } = query
  const [begunId, setBegunId] = useState<string>()
  if (content && viewer !== undefined && begunId !== id) setBegunId(id)
  if (content && viewer && content.creator.id !== viewer.id) return <NotFound />
  return (
    <div className={styles.stage}>
      <Page title={t.edit}>
        {/* Keeps the form, with its unsaved input, when the session ends and another begins. */}
        {content && (viewer !== undefined || begunId === id) ? (
          <EditContent key={id} content={content} />
        ) : query.isError ? (
          <Problem error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading className={styles.columns}>
            <div className={styles.main}>
              <Skeleton height="160px" />
              <Skeleton height="480px" />
            </div>
            <Skeleton height="320px" />
          </Loading>
        )}
      </Page>
    </div>
  )
}
