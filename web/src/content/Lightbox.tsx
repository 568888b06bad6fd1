import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { Media } from '#sdk'
import { useBackCloses } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import { containedIn, pictureSources } from '../ui/sources.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import styles from './Gallery.module.css'
import { texts } from './texts.ts'

const SWIPE_PX = 48

interface Props {
  picture: Media
  alt: string
  /** Moves by `steps` pictures, backwards if negative. Undefined for a single picture. */
  go: ((steps: number) => void) | undefined
  close: () => void
  /** Buttons for the previous and the next picture. */
  children: ReactNode
}

/**
 * Shows one picture in the whole window. A click toggles between the window's size and the picture's natural size. At
 * natural size, the browser loads the original file.
 */
export function Lightbox({ picture, alt, go, close, children }: Props) {
  const t = useTexts(texts)
  const words = useTexts(uiTexts)
  const dialog = useRef<HTMLDialogElement>(null)
  const [zoomed, setZoomed] = useState<string>()
  const [start, setStart] = useState<number>()
  const isZoomed = zoomed === picture.upload_id
  useBackCloses(true, close)
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  const press = (event: KeyboardEvent) => {
    const steps = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (steps === 0 || isZoomed || !go) return
    event.preventDefault()
    go(steps)
  }
  const release = (x: number) => {
    if (start === undefined || isZoomed || !go || Math.abs(x - start) < SWIPE_PX) return
    go(x < start ? 1 : -1)
  }
  return (
    <dialog
      ref={dialog}
      // The role is explicit, because shortcuts of the page ignore keys inside `[role=dialog]`.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="dialog"
      className={styles.lightbox}
      aria-label={alt}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onKeyDown={press}
    >
      <button
        type="button"
        className={styles.picture}
        aria-label={isZoomed ? t.fit : t.zoom}
        aria-pressed={isZoomed}
        onClick={() => setZoomed(isZoomed ? undefined : picture.upload_id)}
        onTouchStart={({ touches }) => setStart(touches[0]?.clientX)}
        onTouchEnd={({ changedTouches }) => release(changedTouches[0]?.clientX ?? 0)}
      >
        <img
          key={picture.upload_id}
          srcSet={isZoomed ? undefined : pictureSources(picture)}
          sizes={containedIn(picture, '100vw', '100vh')}
          src={picture.url ?? undefined}
          alt={alt}
          width={picture.width ?? undefined}
          height={picture.height ?? undefined}
          data-zoomed={isZoomed || undefined}
        />
      </button>
      <button type="button" className={styles.close} aria-label={words.close} onClick={close}>
        <X />
      </button>
      {go && !isZoomed && children}
    </dialog>
  )
}
