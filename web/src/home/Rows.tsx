import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import type { Content } from '#sdk'
import { Card } from '../contents/Card.tsx'
import { defineTexts, useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import styles from './Rows.module.css'

/** Smaller rows would only repeat the list of the latest contents below them. */
const FEWEST = 3
const ROW = 12

// The key must not begin with `['contents', 'lists']`, because the data of those keys has pages.
const rowsQuery = queryOptions({
  queryKey: ['home', 'rows'],
  // Refetching would move contents while the user reads.
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  queryFn: async ({ signal }) => {
    const popular = { sort: 'popular', per_page: ROW } as const
    const [swipe, jump, hype] = await Promise.all([
      plaza.feeds.listSwipe(popular, { signal }),
      plaza.feeds.listJump(popular, { signal }),
      plaza.feeds.listHype({ ...popular, per_page: 2 * ROW }, { signal }),
    ])
    const read = hype.feeds.filter(({ type }) => type === 'article')
    return { swipe: swipe.feeds, play: jump.feeds, read }
  },
})

export function useRows(enabled: boolean) {
  return useQuery({ ...rowsQuery, enabled })
}

type Rows = NonNullable<ReturnType<typeof useRows>['data']>

/** Popular contents by kind. */
export function HomeRows({ swipe, play, read }: Rows) {
  const t = useTexts(texts)
  return (
    <>
      <Row title={t.swipe} contents={swipe} link={{ to: '/swipe' }}>
        <Scroller contents={swipe} shape="tall" />
      </Row>
      <Row title={t.play} contents={play} link={{ to: '/jump' }}>
        <Scroller contents={play} />
      </Row>
      <Row title={t.read} contents={read} link={{ to: '/hype' }}>
        <Scroller contents={read} />
      </Row>
    </>
  )
}

interface RowProps {
  title: string
  contents: readonly Content[]
  link: LinkProps
  children: ReactNode
}

export function Row({ title, contents, link, children }: RowProps) {
  const t = useTexts(texts)
  const id = useId()
  if (contents.length < FEWEST) return null
  return (
    <section className={styles.row} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <Link {...link} className={styles.more}>
          {t.more}
          <span className="unseen"> {title}</span>
        </Link>
      </div>
      {children}
    </section>
  )
}

interface ScrollerProps {
  contents: readonly Content[]
  shape?: 'tall'
}

/** A row that scrolls sideways. */
function Scroller({ contents, shape }: ScrollerProps) {
  return (
    <ul className={styles.scroller} data-shape={shape}>
      {contents.map((content) => (
        <li key={content.id}>
          <Card content={content} shape={shape} hidesCreator={shape === 'tall'} />
        </li>
      ))}
    </ul>
  )
}

const texts = defineTexts({
  ko: {
    swipe: '스와이프',
    play: '바로 플레이',
    read: '읽을거리',
    more: '더보기',
  },
  en: {
    swipe: 'Swipe',
    play: 'Play now',
    read: 'Read',
    more: 'See more',
  },
})
