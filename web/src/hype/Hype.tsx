import { getRouteApi, Link } from '@tanstack/react-router'
import { BookOpen, Headphones, Image, Play, Sparkles } from 'lucide-react'
import type { Content } from '#sdk'
import { CoverLink } from '../contents/Card.tsx'
import {
  NewContents,
  NothingFollowed,
  SortTabs,
  useContentList,
  useOrder,
} from '../contents/Feed.tsx'
import { Grid, GridSkeleton } from '../contents/Grid.tsx'
import { Thumbnail } from '../contents/Thumbnail.tsx'
import { feedQuery, type Order } from '../contents/queries.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { useLangOf } from '../language/script.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { LinkButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './Hype.module.css'
import { texts } from './texts.ts'

const route = getRouteApi('/hype')

export function Hype() {
  const t = useTexts(texts)
  const { sort } = route.useSearch()
  const order = useOrder(sort)
  return (
    <Page title={t.title} lead={t.lead}>
      <SortTabs to="/hype" hasFollowing />
      <NewContents target="hype" sort={order} />
      <Contents order={order} />
    </Page>
  )
}

function Contents({ order }: { order: Order }) {
  const t = useTexts(texts)
  const query = useContentList(feedQuery('hype', { sort: order }))
  return (
    <Entries
      query={query}
      target={({ feeds }) => feeds}
      skeleton={
        <>
          <LeadSkeleton />
          <GridSkeleton count={8} />
        </>
      }
      empty={<Nothing order={order} />}
    >
      {([first, ...others]) => (
        <>
          {first && <Lead content={first} label={t.first[order]} />}
          {others.length > 0 && <h2 className={styles.rest}>{t.rest}</h2>}
          <Grid contents={others} />
        </>
      )}
    </Entries>
  )
}

function Nothing({ order }: { order: Order }) {
  const t = useTexts(texts)
  if (order === 'following') return <NothingFollowed to="/hype" />
  return (
    <Empty icon={<Sparkles />} title={t.nothing} action={t.publishFirst} link={{ to: '/publish' }}>
      {t.nothingHelp}
    </Empty>
  )
}

const WAYS = {
  video: { Icon: Play, name: 'watch' },
  image: { Icon: Image, name: 'look' },
  audio: { Icon: Headphones, name: 'listen' },
  article: { Icon: BookOpen, name: 'read' },
} as const

function wayOf(type: string) {
  return WAYS[type as keyof typeof WAYS] ?? WAYS.image
}

function Lead({ content, label }: { content: Content; label: string }) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const formats = useFormats()
  const { id, type, description, creator, published_at, created_at } = content
  const { Icon, name } = wayOf(type)
  const picture = pictureOf(content)
  // The cover already shows the description, so only screen readers get it here.
  const isOnCover = type === 'article' && !picture
  const lang = useLangOf(description ?? '')
  return (
    <article className={styles.lead}>
      <Thumbnail content={content} src={picture} isFirst />
      <div className={styles.text}>
        <p className={styles.label} data-category="hype">
          {label}
        </p>
        <h2 className={styles.title}>
          <CoverLink content={content} />
        </h2>
        {description && (
          <p className={isOnCover ? 'unseen' : styles.description} lang={lang}>
            {description}
          </p>
        )}
        <Link to="/creators/$handle" params={{ handle: creator.handle }} className={styles.creator}>
          <Avatar user={creator} size={32} />
          <span>{creator.display_name}</span>
        </Link>
        <p className={styles.facts}>
          <span>{words.type[type as keyof typeof words.type] ?? type}</span>
          <span>{words.views(formats.count(content.view_count))}</span>
          <span>{words.likes(content.like_count)}</span>
          <Time time={published_at ?? created_at} />
        </p>
        <div className={styles.go}>
          <LinkButton look="primary" to="/contents/$id" params={{ id }} icon={<Icon />}>
            {t[name]}
          </LinkButton>
        </div>
      </div>
    </article>
  )
}

function pictureOf({ type, thumbnail_url, media: [file] }: Content): string | null {
  return type === 'image' && file?.url && file.mime_type.startsWith('image/')
    ? file.url
    : thumbnail_url
}

function LeadSkeleton() {
  return (
    <div className={styles.lead} aria-hidden="true">
      <Skeleton ratio="16 / 9" />
      <div className={styles.text}>
        <Skeleton width="40%" height="20px" />
        <Skeleton width="90%" height="40px" />
        <Skeleton width="70%" height="24px" />
      </div>
    </div>
  )
}
