import { X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTexts } from '../language/texts.ts'
import styles from './Toasts.module.css'
import { freePlace } from './freePlace.ts'
import { texts } from './texts.ts'
import { dismiss, useToast } from './toast.ts'

/** Shows the current notice in a position where it covers no text field. */
export function Toasts() {
  const t = useTexts(texts)
  const toast = useToast()
  const box = useRef<HTMLDivElement>(null)
  useFreePlace(box, toast?.id)
  if (!toast) return null
  const { id, text, isBad, action } = toast
  return (
    <div key={id} ref={box} className={`${styles.toast} ${isBad ? styles.bad : ''}`}>
      <p>{text}</p>
      {action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            dismiss(id)
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className={styles.close}
        aria-label={t.close}
        onClick={() => dismiss(id)}
      >
        <X aria-hidden="true" />
      </button>
    </div>
  )
}

/**
 * Moves the notice above text fields that it would cover, and updates its position when they may have moved.
 */
function useFreePlace(box: { current: HTMLElement | null }, id: number | undefined): void {
  const put = () => {
    const { current } = box
    const place = current?.parentElement
    if (!current || !place) return
    // Removes the previous correction before measuring.
    delete place.dataset['crowded']
    const up = freePlace(current)
    if (up === undefined) place.dataset['crowded'] = ''
    current.style.translate = `0 ${-(up ?? 0)}px`
  }
  useLayoutEffect(put)
  useEffect(() => {
    if (id === undefined) return undefined
    const ended = new AbortController()
    const options = { signal: ended.signal, capture: true, passive: true }
    for (const event of ['scroll', 'resize', 'focusin', 'input', 'transitionend']) {
      addEventListener(event, put, options)
    }
    const changes = new MutationObserver(put)
    changes.observe(document.body, { childList: true, subtree: true })
    return () => {
      ended.abort()
      changes.disconnect()
    }
  }, [id])
}
