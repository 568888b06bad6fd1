import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useLayoutEffect } from 'react'
import type { Media } from '#sdk'
import { useKeys } from '../contents/keys.ts'
import { useWantsCalm } from '../device/viewing.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Medium.module.css'
import { useSnapping } from './slides.ts'
import { texts } from './texts.ts'

/** Maximum number of pages for which dots are shown. For more pages, a page number replaces the dots. */
const DOTS = 8

interface Props {
  id: string
  title: string
  media: readonly Media[]
  isShown: boolean
  /** Renders a medium. `distance` is the index of the medium minus that of the visible page. */
  children: (medium: Media, distance: number) => ReactNode
}

export function Pages({ id, title, media, isShown, children }: Props) {
  const t = useTexts(texts)
  const { box, setBox, index, go } = useSnapping({ side: 'Width', isCalm: useWantsCalm() })
  useFocusAlong(box, index)
  useKeys((key) => {
    if (!isShown || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false
    go(key === 'ArrowLeft' ? -1 : 1)
    return true
  })
  return (
    <>
      <div
        ref={setBox}
        className={styles.pages}
        // Makes the scrolling box reachable by keyboard.
        tabIndex={0}
        role="group"
        aria-label={t.pagesOf(title)}
        data-scroll-restoration-id={`pages-${id}`}
      >
        {media.map((medium, place) => (
          <div key={medium.upload_id} className={styles.page} inert={place !== index}>
            {Math.abs(place - index) <= 1 && children(medium, place - index)}
          </div>
        ))}
      </div>
      <Turns {...{ media, index, go }} />
    </>
  )
}

function useFocusAlong(box: HTMLElement | null, index: number): void {
  useLayoutEffect(() => {
    const { activeElement } = document
    if (!box || activeElement === box || !box.contains(activeElement)) return
    if (!box.children[index]?.contains(activeElement)) box.focus({ preventScroll: true })
  }, [box, index])
}

interface TurnsProps {
  media: readonly Media[]
  index: number
  go: (steps: number) => void
}

function Turns({ media, index, go }: TurnsProps) {
  const t = useTexts(texts)
  const count = media.length
  return (
    <div className={styles.turns}>
      <Turn
        className={styles.turn}
        icon={<ChevronLeft />}
        label={t.previousPage}
        isEnd={index === 0}
        onClick={() => go(-1)}
      />
      <p className={styles.at} role="status">
        <span className="unseen">{t.pageOf(index + 1, count)}</span>
        {count > DOTS ? (
          <span aria-hidden="true">
            {index + 1} / {count}
          </span>
        ) : (
          media.map(({ upload_id }, place) => (
            <span
              key={upload_id}
              className={styles.dot}
              data-shown={place === index || undefined}
            />
          ))
        )}
      </p>
      <Turn
        className={styles.turn}
        icon={<ChevronRight />}
        label={t.nextPage}
        isEnd={index === count - 1}
        onClick={() => go(1)}
      />
    </div>
  )
}

interface TurnProps {
  className: string | undefined
  icon: ReactNode
  label: string
  isEnd: boolean
  onClick: () => void
}

/** Button that moves to the next or the previous page or slide. */
export function Turn({ className, icon, label, isEnd, onClick }: TurnProps) {
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      title={label}
      // Uses `aria-disabled`, because a disabled button would lose the focus.
      aria-disabled={isEnd}
      onClick={() => !isEnd && onClick()}
    >
      {icon}
    </button>
  )
}
