import { X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTexts } from '../language/texts.ts'
import buttonStyles from './Button.module.css'
import styles from './Toasts.module.css'
import { texts } from './texts.ts'
import { dismiss, hold, letGo, useToast } from './toast.ts'

export function Toasts() {
  const t = useTexts(texts)
  const toast = useToast()
  const box = useRef<HTMLDivElement>(null)
  useFreePlace(box, toast?.id)
  if (!toast) return null
  const { id, text, isBad, action } = toast
  return (
    <div
      key={id}
      ref={box}
      className={`${styles.toast} ${isBad ? styles.badToast : ''}`}
      onPointerEnter={hold}
      onPointerLeave={letGo}
      onFocus={hold}
      onBlur={letGo}
    >
      <p>{text}</p>
      {action && (
        <button
          type="button"
          className={styles.undo}
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
        className={styles.dismiss}
        aria-label={t.close}
        onClick={() => dismiss(id)}
      >
        <X />
      </button>
    </div>
  )
}

function useFreePlace(box: { current: HTMLElement | null }, id: number | undefined): void {
  const put = () => {
    const { current } = box
    const place = current?.parentElement
    if (!current || !place) return
    // Removes the `crowded` state before measuring, because this state moves the notice.
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

/** Selector of the elements that a notice must not cover: text fields, and the main action of the page or dialog. */
const FIELDS = `textarea, input:not([type=radio], [type=checkbox], [type=file], [type=range]), :is(main, [role=dialog]) .${buttonStyles.primary}`
/** Pixels between a notice and a field. */
const GAP = 8
/**
 * Maximum height of forms that notices never cover, as a share of the window's height. In taller forms, notices avoid
 * only the fields.
 */
const FORM_SHARE = 0.4

/**
 * Returns how many pixels a box must move up to cover no field and no main action. Undefined if there is no such
 * position.
 */
function freePlace(box: HTMLElement): number | undefined {
  const { offsetHeight: height } = box
  const { left, right } = box.getBoundingClientRect()
  const around = box.offsetParent?.getBoundingClientRect()
  const start = around ? around.bottom - height : innerHeight - height
  const fields = Array.from(document.querySelectorAll<HTMLElement>(FIELDS), rectOf)
    .filter((field) => field.width > 0 && field.left < right && field.right > left)
    .sort((a, b) => b.bottom - a.bottom)
  let top = start
  for (const field of fields) {
    const isOver = field.bottom > top - GAP && field.top < top + height + GAP
    if (isOver) top = field.top - GAP - height
  }
  return top < 0 ? undefined : Math.round(start - top)
}

function rectOf(field: HTMLElement): DOMRect {
  const form = field.closest('form')?.getBoundingClientRect()
  return form && form.height < innerHeight * FORM_SHARE ? form : field.getBoundingClientRect()
}
