import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Content } from '#sdk'
import { contentQuery, type Order } from '../contents/queries.ts'
import { useWantsCalm } from '../device/wishes.ts'
import { useTexts } from '../language/texts.ts'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import { CommentsPanel } from './CommentsPanel.tsx'
import { End, Nothing } from './Ends.tsx'
import { useMoves } from './moves.ts'
import { Slide } from './Slide.tsx'
import { Steps } from './Steps.tsx'
import styles from './Swipe.module.css'
import { useSound } from './sound.ts'
import { texts } from './texts.ts'
import { useSlides } from './useSlides.ts'
import { useAhead, useContents } from './useContents.ts'

/** Time on a slide after which it counts as viewed. */
const SEEN_MS = 3000
let openings = 0

interface Props {
  sort: Order
  /** Id of the first slide to show. */
  wanted: string | undefined
  onShow: (id: string) => void
}

export function Feed({ sort, wanted: asked, onShow }: Props) {
  // Uses only the initial value, because afterwards the URL follows the visible slide.
  const [wanted] = useState(asked)
  const list = useContents(sort, wanted)
  const { works: contents, feed, isPending } = list
  if (isPending) {
    return (
      <Loading className={styles.state}>
        <div className={styles.bone}>
          <Skeleton height="100%" />
        </div>
      </Loading>
    )
  }
  if (contents.length === 0) {
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
  const { works: contents } = list
  const { box, setBox, at, go } = useSlides({ contents, wanted, isCalm: useWantsCalm() })
  useFocusAlong(box, at)
  // A new id per visit prevents the router from restoring the scroll position, which may belong to another
  // slide.
  const [opening] = useState(() => ++openings)
  const [isCommenting, setIsCommenting] = useState(false)
  const sound = useSound()
  const content = contents[at]
  useAhead(list, at)
  useShown(content, onShow)
  useMoves(go)
  return (
    <div
      className={styles.beside}
      data-commenting={(isCommenting && content !== undefined) || undefined}
    >
      <div className={styles.stage}>
        <p className="unseen" aria-live="polite">
          {content && t.shown(content.title, content.creator.display_name)}
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
              distance={place - at}
              sound={sound}
              isCommenting={isCommenting}
              onComment={() => setIsCommenting(!isCommenting)}
            />
          ))}
          <End
            query={list.feed}
            isShown={at >= contents.length}
            onStart={() => go(-contents.length)}
          />
        </div>
        <Steps hasPrevious={at > 0} hasNext={at < contents.length} go={go} />
      </div>
      {isCommenting && content && (
        <CommentsPanel content={content} onClose={() => setIsCommenting(false)} />
      )}
    </div>
  )
}

/** Moves the focus from the previous slide to the visible one. */
function useFocusAlong(box: HTMLElement | null, at: number): void {
  useLayoutEffect(() => {
    const { activeElement } = document
    const slide = box?.children[at]
    if (!box?.contains(activeElement) || !(slide instanceof HTMLElement)) return
    if (!slide.contains(activeElement)) slide.focus({ preventScroll: true })
  }, [box, at])
}

/** Puts the visible slide's id into the URL. After a while it requests the content, which counts a view. */
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
