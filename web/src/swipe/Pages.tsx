import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useLayoutEffect } from 'react'
import type { Media } from '#sdk'
import { useKeys } from '../contents/keys.ts'
import { useWantsCalm } from '../device/wishes.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Pages.module.css'
import { texts } from './texts.ts'
import { usePages } from './usePages.ts'

/** More dots than these nobody counts. */
const DOTS = 8

interface Props {
  /** Of the work. */
  id: string
  title: string
  media: readonly Media[]
  isShown: boolean
  /** Draws one of them, with how many pages it is from the one that is seen. */
  children: (medium: Media, distance: number) => ReactNode
}

/** What a work shows, one to a page, turned sideways. */
export function Pages({ id, title, media, isShown, children }: Props) {
  const t = useTexts(texts)
  const all = media.length
  const { box, at, go, ...scrolling } = usePages(all, useWantsCalm())
  useFocusAlong(box, at)
  useKeys((key) => {
    if (!isShown || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false
    go(key === 'ArrowLeft' ? -1 : 1)
    return true
  })
  return (
    <>
      <div
        {...scrolling}
        className={styles.pages}
        // What scrolls must be reachable by keyboard.
        tabIndex={0}
        role="group"
        aria-label={t.pagesOf(title)}
        data-scroll-restoration-id={`pages-${id}`}
      >
        {media.map((medium, place) => (
          <div key={medium.upload_id} className={styles.page} inert={place !== at}>
            {Math.abs(place - at) <= 1 && children(medium, place - at)}
          </div>
        ))}
      </div>
      <Turns {...{ media, at, go }} />
    </>
  )
}

/** Whoever had the focus in a page that was turned has it in what it was turned in. */
function useFocusAlong(box: HTMLElement | null, at: number): void {
  useLayoutEffect(() => {
    const { activeElement } = document
    if (!box || activeElement === box || !box.contains(activeElement)) return
    if (!box.children[at]?.contains(activeElement)) box.focus({ preventScroll: true })
  }, [box, at])
}

interface TurnsProps {
  media: readonly Media[]
  at: number
  go: (steps: number) => void
}

/** To the pages before and after, for who does not swipe, and which of them it is. */
function Turns({ media, at, go }: TurnsProps) {
  const t = useTexts(texts)
  const all = media.length
  return (
    <div className={styles.turns}>
      <Turn
        icon={<ChevronLeft aria-hidden="true" />}
        label={t.previousPage}
        isEnd={at === 0}
        onClick={() => go(-1)}
      />
      <p className={styles.at} role="status">
        <span className="unseen">{t.pageOf(at + 1, all)}</span>
        {all > DOTS ? (
          <span aria-hidden="true">
            {at + 1} / {all}
          </span>
        ) : (
          media.map(({ upload_id }, place) => (
            <span key={upload_id} className={styles.dot} data-shown={place === at || undefined} />
          ))
        )}
      </p>
      <Turn
        icon={<ChevronRight aria-hidden="true" />}
        label={t.nextPage}
        isEnd={at === all - 1}
        onClick={() => go(1)}
      />
    </div>
  )
}

interface TurnProps {
  icon: ReactNode
  label: string
  isEnd: boolean
  onClick: () => void
}

function Turn({ icon, label, isEnd, onClick }: TurnProps) {
  return (
    <button
      type="button"
      className={styles.turn}
      aria-label={label}
      title={label}
      // Not disabled, so that the focus stays on it at either end.
      aria-disabled={isEnd}
      onClick={() => !isEnd && onClick()}
    >
      {icon}
    </button>
  )
}
