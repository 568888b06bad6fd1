import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Clapperboard } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Content } from '#sdk'
import { NothingFollowed, useOrder } from '../contents/Feed.tsx'
import { contentQuery, type Order } from '../contents/queries.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { useWantsCalm } from '../device/viewing.ts'
import { useTexts } from '../language/texts.ts'
import type { Growing } from '../lists/Entries.tsx'
import { useIsSignedIn } from '../session/viewer.ts'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty, Problem } from '../ui/Problem.tsx'
import { texts as uiTexts } from '../ui/texts.ts'
import { CommentsPanel } from './Actions.tsx'
import { useSound } from './Medium.tsx'
import { Turn } from './Pages.tsx'
import { Slide } from './Slide.tsx'
import styles from './Swipe.module.css'
import { useAhead, useContents, useMoves, useSlides } from './slides.ts'
import { texts } from './texts.ts'

const route = getRouteApi('/swipe')

export function Swipe() {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const isSignedIn = useIsSignedIn()
  const { sort } = route.useSearch()
  const order = useOrder(sort)
  const { hash, visit, reflect } = useVisit()
  return (
    <Page title={t.title} width="full" hidesTitle>
      <div className={styles.swipe} data-fills data-immersive>
        <Orders label={words.sort} isSignedIn={isSignedIn} />
        <Feed key={`${order}.${visit}`} sort={order} wanted={hash || undefined} onShow={reflect} />
      </div>
    </Page>
  )
}

/** Updates the URL to match the visible slide. Restarts the feed when the URL changes for another reason. */
function useVisit() {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  // Ignores the location of the next page, which the router already reports during navigation.
  const isHere = pathname === '/swipe'
  const here = useRef(isHere)
  const told = useRef(hash)
  const [visit, setVisit] = useState(0)
  useEffect(() => {
    here.current = isHere
    if (!isHere || hash === told.current) return
    told.current = hash
    setVisit((count) => count + 1)
  }, [hash, isHere])
  const reflect = useCallback(
    (id: string) => {
      if (told.current === id || !here.current) return
      told.current = id
      void navigate({
        to: '/swipe',
        search: true,
        hash: id,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      })
    },
    [navigate],
  )
  return { hash, visit, reflect }
}

function Orders({ label, isSignedIn }: { label: string; isSignedIn: boolean }) {
  const t = useTexts(contentTexts)
  const sorts = [undefined, 'popular', ...(isSignedIn ? (['following'] as const) : [])] as const
  return (
    <nav className={styles.orders} aria-label={label}>
      {sorts.map((sort) => (
        <Link
          key={sort ?? 'latest'}
          to="/swipe"
          search={{ sort }}
          className={styles.order}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {t[sort ?? 'latest']}
        </Link>
      ))}
    </nav>
  )
}

/** Milliseconds for which a slide must be visible to count as viewed. */
const SEEN_MS = 3000
let openings = 0

interface Props {
  sort: Order
  wanted: string | undefined
  onShow: (id: string) => void
}

function Feed({ sort, wanted: asked, onShow }: Props) {
  // Uses only the initial value of `asked`, because later values come from the visible slide.
  const [wanted] = useState(asked)
  const list = useContents(sort, wanted)
  const { contents, feed, isPending } = list
  if (isPending) {
    return (
      <Loading className={styles.state}>
        <div className={styles.bone}>
          <Skeleton height="100%" />
        </div>
      </Loading>
    )
  }
  if (contents.length === 0 && !feed.hasNextPage) {
    return (
      <div className={styles.state}>
        {feed.isError ? (
          <Problem error={feed.error} retry={() => void feed.refetch()} />
        ) : (
          <Nothing isFollowing={sort === 'following'} />
        )}
      </div>
    )
  }
  return <Slides list={list} wanted={wanted} onShow={onShow} />
}

interface SlidesProps extends Pick<Props, 'wanted' | 'onShow'> {
  list: ReturnType<typeof useContents>
}

function Slides({ list, wanted, onShow }: SlidesProps) {
  const t = useTexts(texts)
  const { contents } = list
  const { box, setBox, index, go } = useSlides({ contents, wanted, isCalm: useWantsCalm() })
  useFocusAlong(box, index)
  // Gives each visit a new id, because the router would otherwise restore the scroll position of another slide.
  const [opening] = useState(() => ++openings)
  const [isCommenting, setIsCommenting] = useState(false)
  const sound = useSound()
  const current = contents[index]
  useAhead(list, index)
  useShown(current, onShow)
  useMoves(go)
  return (
    <div
      className={styles.beside}
      data-commenting={(isCommenting && current !== undefined) || undefined}
    >
      <div className={styles.stage}>
        <p className="unseen" aria-live="polite">
          {current && t.shown(current.title, current.creator.display_name)}
        </p>
        <div
          ref={setBox}
          className={styles.feed}
          aria-label={t.contents}
          role="group"
          data-scroll-restoration-id={`swipe-${opening}`}
        >
          {contents.map((content, place) => (
            <Slide
              key={content.id}
              content={content}
              distance={place - index}
              sound={sound}
              isCommenting={isCommenting}
              onComment={() => setIsCommenting(!isCommenting)}
            />
          ))}
          <End
            query={list.feed}
            isShown={index >= contents.length}
            onStart={() => go(-contents.length)}
          />
        </div>
        <Steps hasPrevious={index > 0} hasNext={index < contents.length} go={go} />
      </div>
      {isCommenting && current && (
        <CommentsPanel content={current} onClose={() => setIsCommenting(false)} />
      )}
    </div>
  )
}

function useFocusAlong(box: HTMLElement | null, index: number): void {
  useLayoutEffect(() => {
    const { activeElement } = document
    const slide = box?.children[index]
    if (!box?.contains(activeElement) || !(slide instanceof HTMLElement)) return
    if (!slide.contains(activeElement)) slide.focus({ preventScroll: true })
  }, [box, index])
}

/** Calls `onShow` for each visible content item. Requests the item after SEEN_MS, so that the server counts a view. */
function useShown(content: Content | undefined, onShow: (id: string) => void): void {
  const queries = useQueryClient()
  const told = useRef<string>(undefined)
  const id = content?.id
  useEffect(() => {
    if (!id) return undefined
    onShow(id)
    const timer = setTimeout(() => {
      if (told.current === id) return
      told.current = id
      void queries.prefetchQuery(contentQuery(id))
    }, SEEN_MS)
    return () => clearTimeout(timer)
  }, [id, onShow, queries])
}

function Nothing({ isFollowing }: { isFollowing: boolean }) {
  const t = useTexts(texts)
  if (isFollowing) return <NothingFollowed to="/swipe" />
  return (
    <Empty icon={<Clapperboard />} title={t.nothing} action={t.publish} link={{ to: '/publish' }}>
      {t.nothingHelp}
    </Empty>
  )
}

interface EndProps {
  query: Growing
  isShown: boolean
  onStart: () => void
}

function End({ query, isShown, onStart }: EndProps) {
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

interface StepsProps {
  hasPrevious: boolean
  hasNext: boolean
  go: (steps: number) => void
}

function Steps({ hasPrevious, hasNext, go }: StepsProps) {
  const t = useTexts(texts)
  return (
    <div className={styles.steps}>
      <Turn
        className={styles.step}
        icon={<ChevronUp />}
        label={t.previous}
        isEnd={!hasPrevious}
        onClick={() => go(-1)}
      />
      <Turn
        className={styles.step}
        icon={<ChevronDown />}
        label={t.next}
        isEnd={!hasNext}
        onClick={() => go(1)}
      />
    </div>
  )
}
