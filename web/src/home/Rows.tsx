import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Hash } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Content, Pick as Picked } from '#sdk'
import { Card, TagList } from '../contents/Card.tsx'
import { defineTexts, useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import { Empty } from '../ui/Problem.tsx'
import styles from './Rows.module.css'

/** Minimum contents of a row. Smaller rows are omitted, because the list below the rows has all contents. */
const FEWEST = 3
const ROW = 12

// The key must not begin with `['contents', 'lists']`, because toggles update the data of such keys as a list of pages.
const rowsQuery = (isSignedIn: boolean) =>
  queryOptions({
    queryKey: ['home', 'rows', isSignedIn],
    // Avoids refetches, which would move contents while the user reads.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async ({ signal }) => {
      const popular = { sort: 'popular', per_page: ROW } as const
      const ofFollowed = (sort: 'following' | 'tags') =>
        isSignedIn ? plaza.feeds.list({ sort, per_page: ROW }, { signal }) : undefined
      const [swipe, jump, hype, followed, tagged, { tags }] = await Promise.all([
        plaza.feeds.listSwipe(popular, { signal }),
        plaza.feeds.listJump(popular, { signal }),
        plaza.feeds.listHype({ ...popular, per_page: 2 * ROW }, { signal }),
        ofFollowed('following'),
        ofFollowed('tags'),
        plaza.tags.list({ sort: 'trending', per_page: ROW }, { signal }),
      ])
      const read = hype.feeds.filter(({ type }) => type === 'article')
      return {
        swipe: swipe.feeds,
        play: jump.feeds,
        read,
        followed: followed?.feeds ?? [],
        tagged: tagged?.feeds ?? [],
        tags,
      }
    },
  })

export function useRows() {
  const isSignedIn = useIsSignedIn()
  return useQuery(rowsQuery(isSignedIn))
}

type Rows = NonNullable<ReturnType<typeof useRows>['data']>

/**
 * Row of contents with followed tags, then a row each for swipe, games, articles and followed creators. Trending tags
 * replace the first row if it would have too few contents.
 */
export function HomeRows({ swipe, play, read, followed, tagged, tags }: Rows) {
  const t = useTexts(texts)
  return (
    <>
      {tagged.length >= FEWEST ? (
        <Row title={t.tagged} entries={tagged} link={{ to: '/', search: { sort: 'tags' } }}>
          <Scroller contents={tagged} />
        </Row>
      ) : (
        <Row title={t.trending} entries={tags}>
          <TagList tags={tags.map(({ tag }) => tag)} className="cluster" linkClass={styles.tag} />
        </Row>
      )}
      <Row title={t.swipe} entries={swipe} link={{ to: '/swipe' }}>
        <Scroller contents={swipe} shape="tall" />
      </Row>
      <Row title={t.play} entries={play} link={{ to: '/jump' }}>
        <Scroller contents={play} />
      </Row>
      <Row title={t.read} entries={read} link={{ to: '/hype' }}>
        <Scroller contents={read} />
      </Row>
      <Row title={t.followed} entries={followed} link={{ to: '/', search: { sort: 'following' } }}>
        <Scroller contents={followed} />
      </Row>
    </>
  )
}

export const picksQuery = queryOptions({
  queryKey: ['site', 'picks'],
  queryFn: async ({ signal }) => (await plaza.site.listPicks({}, { signal })).picks,
})

export function Picks({ title, picks }: { title: string; picks: readonly Picked[] }) {
  return (
    <section className={styles.row} aria-label={title}>
      <h2>{title}</h2>
      <ul className={styles.scroller}>
        {picks.map(({ content, note }) => (
          <li key={content.id}>
            <Card content={content} width={WIDTHS.wide} />
            {note && <p className={styles.note}>{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  title: string
  entries: readonly unknown[]
  /** Page with more of the entries. */
  link?: LinkProps
  children: ReactNode
}

export function Row({ title, entries, link, children }: RowProps) {
  const t = useTexts(texts)
  const id = useId()
  if (entries.length < FEWEST) return null
  return (
    <section className={styles.row} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {link && (
          <Link {...link} className={styles.more}>
            {t.more}
            <span className="unseen"> {title}</span>
          </Link>
        )}
      </div>
      {children}
    </section>
  )
}

export function NoTagFollowed() {
  const t = useTexts(texts)
  return (
    <Empty icon={<Hash />} title={t.noTags} level={3} action={t.findTags} link={{ to: '/search' }}>
      {t.noTagsHelp}
    </Empty>
  )
}

/** Widths of the cards, as in the style sheet. */
const WIDTHS = { wide: 'min(17rem, 72vw)', tall: 'min(11.5rem, 42vw)' }

function Scroller({ contents, shape }: { contents: readonly Content[]; shape?: 'tall' }) {
  return (
    <ul className={styles.scroller} data-shape={shape}>
      {contents.map((content) => (
        <li key={content.id}>
          <Card
            content={content}
            shape={shape}
            width={WIDTHS[shape ?? 'wide']}
            hidesCreator={shape === 'tall'}
          />
        </li>
      ))}
    </ul>
  )
}

const texts = defineTexts({
  swipe: ['스와이프', 'Swipe'],
  play: ['바로 플레이', 'Play now'],
  read: ['읽을거리', 'Read'],
  more: ['더보기', 'See more'],
  followed: ['팔로우한 크리에이터의 새 작품', 'New from creators you follow'],
  tagged: ['팔로우한 태그의 새 작품', 'New with tags you follow'],
  trending: ['요즘 뜨는 태그', 'Trending tags'],
  noTags: ['팔로우한 태그의 새 작품이 여기에 모여요', 'New works with tags you follow appear here'],
  noTagsHelp: [
    '태그 페이지에서 팔로우를 누르면 그 태그가 붙은 작품을 놓치지 않아요.',
    'Follow a tag on its page so you never miss its works.',
  ],
  findTags: ['뜨는 태그 보기', 'See trending tags'],
})
