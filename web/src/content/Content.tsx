import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Content as ContentRecord, ContentDetail } from '#sdk'
import { CategoryName, Seen, Thumbnail } from '../contents/Card.tsx'
import { useKeys } from '../contents/keys.ts'
import { contentQuery, recommendationsQuery, useConversion } from '../contents/queries.ts'
import { toggleTheatre, useIsTheatre, Veil } from '../contents/stage.tsx'
import { texts as words } from '../contents/texts.ts'
import { lazyPart } from '../device/connected.ts'
import { useFormats } from '../language/formats.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { isMissing } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { NotFound } from '../shell/Failed.tsx'
import { Badge } from '../ui/Badge.tsx'
import { LinkButton } from '../ui/Button.tsx'
import { Loading, Progress, Skeleton } from '../ui/Loading.tsx'
import { Nearby, Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Details, Heading } from './About.tsx'
import styles from './Content.module.css'
import { preloadStage, Stage } from './Stage.tsx'
import { texts } from './texts.ts'

const Comments = lazyPart(() => import('../comments/Comments.tsx'), 'Comments')
const HowTo = lazyPart<{ controls: unknown }, 'HowTo'>(() => import('../jump/Player.tsx'), 'HowTo')
const ArchivedActions = lazyPart(() => import('../contents/Archived.tsx'), 'ArchivedActions')

const route = getRouteApi('/contents/$id')

/** Loads the code that shows a content item, so that its first render is complete. */
export async function preloadContent({ type, game }: ContentDetail): Promise<void> {
  await Promise.all([preloadStage(type), game && HowTo.preload()])
}

export function Content() {
  const { id } = route.useParams()
  const t = useTexts(texts)
  const { data: content, error, refetch } = useQuery(contentQuery(id))
  if (isMissing(error)) return <NotFound error={error} />
  if (error && !content) {
    return (
      <Page title={t.notLoaded}>
        <Problem error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  // Returns the skeleton outside Suspense. Inside, Preact would keep it in the DOM beside the fallback while the page
  // suspends. The page would then have two headings.
  if (!content) return <Coming />
  // Waits for the player's code before showing the page, because the player's height is unknown until the code has
  // loaded.
  return (
    <Suspense fallback={<Coming />}>
      {/* The key resets the state of the page and its player when the content changes. */}
      <Shown key={id} content={content} />
    </Suspense>
  )
}

function Coming() {
  const t = useTexts(texts)
  return (
    <Page title={t.loading} hidesTitle>
      <Loading className={styles.columns} label={t.loading}>
        <div className={styles.work}>
          <Skeleton ratio="16 / 9" />
          <Skeleton width="70%" height="30px" />
          <Skeleton width="40%" height="40px" />
          <Skeleton height="96px" />
        </div>
      </Loading>
    </Page>
  )
}

function Shown({ content }: { content: ContentDetail }) {
  const isPublic = content.status === 'published' && !content.moderation
  const isRead = content.type === 'article'
  const hasTheatre = content.type === 'video' || content.type === 'game'
  const isWide = useIsTheatre() && hasTheatre
  useKeys((key) => {
    if (key !== 't' || !hasTheatre) return false
    toggleTheatre()
    return true
  })
  return (
    <Page title={content.title} hasOwnHeading>
      <div className={isRead ? styles.reading : styles.columns} data-wide={isWide || undefined}>
        <article className={styles.work}>
          {content.moderation && <Hidden moderation={content.moderation} />}
          <StatusNote content={content} />
          {/* Articles begin with the title. For other types, the media precede the title. */}
          {isRead && <Heading content={content} />}
          <Veil content={content}>
            <Stage content={content} />
          </Veil>
          {!isRead && <Heading content={content} />}
          {content.game && <HowTo controls={content.game.controls} />}
          <Details content={content} />
        </article>
        {isPublic && (
          <Nearby className={styles.comments}>
            <Comments contentId={content.id} />
          </Nearby>
        )}
        <Recommendations id={content.id} />
      </div>
    </Page>
  )
}

function StatusNote({ content }: { content: ContentDetail }) {
  const { status } = content
  const t = useTexts(texts)
  const names = useTexts(words).status
  const viewer = useViewer()
  if (status !== 'draft' && status !== 'processing' && status !== 'archived') return null
  return (
    <div className={styles.status}>
      <Badge tone={status === 'processing' ? 'accent' : 'plain'}>
        {names[status as keyof typeof names]}
      </Badge>
      {status === 'archived' ? <p>{t.archived}</p> : <Converting content={content} />}
      {status === 'archived' && viewer?.id === content.creator.id && (
        <Suspense>
          <ArchivedActions content={content} />
        </Suspense>
      )}
    </div>
  )
}

function Hidden({ moderation }: { moderation: NonNullable<ContentDetail['moderation']> }) {
  const t = useTexts(texts)
  const { decision_id, reason, rule } = moderation
  return (
    <div className={styles.status}>
      <Badge tone="warn">{t.hidden}</Badge>
      <p className={styles.hidden}>
        {t.hiddenBecause} {reason}
        {rule && ` (${rule.text})`}
      </p>
      <LinkButton size="small" to="/decisions/$id" params={{ id: decision_id }}>
        {t.decision}
      </LinkButton>
    </div>
  )
}

function Converting({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const conversion = useConversion(content)
  if (conversion?.status === 'failed') return <p>{conversion.error ?? t.notConverted}</p>
  if (content.status === 'draft') return <p>{t.draft}</p>
  return (
    <div className={styles.converting}>
      <p>{conversion ? t.processingAt(formats.percent(conversion.progress)) : t.processing}</p>
      {conversion && <Progress share={conversion.progress} label={t.conversion} />}
    </div>
  )
}

function Recommendations({ id }: { id: string }) {
  const t = useTexts(texts)
  const { data, error, refetch } = useQuery(recommendationsQuery(id))
  return (
    <aside className={styles.recommendations} aria-labelledby="next">
      <h2 id="next">{t.next}</h2>
      {data?.length === 0 && <p className="fine">{t.noNext}</p>}
      {error && !data && <Problem error={error} retry={() => void refetch()} />}
      <ul className={styles.list} aria-busy={!data && !error}>
        {data
          ? data.map((content) => (
              <li key={content.id}>
                <Row content={content} />
              </li>
            ))
          : !error &&
            Array.from({ length: 8 }, (_, index) => (
              <li key={index} className={styles.row}>
                <Skeleton ratio="16 / 9" />
                <Skeleton width="90%" height="40px" />
              </li>
            ))}
      </ul>
    </aside>
  )
}

function Row({ content }: { content: ContentRecord }) {
  const { id, title, category, creator } = content
  return (
    <Link to="/contents/$id" params={{ id }} className={styles.row}>
      <Thumbnail content={content} width="12rem" />
      <span className={styles.text}>
        <span className={styles.title} lang={useLangOf(title)}>
          {title}
        </span>
        <span className="clip fine">{creator.display_name}</span>
        <span className="clip fine">
          <CategoryName category={category} />
          {' · '}
          <Seen content={content} />
        </span>
      </span>
    </Link>
  )
}
