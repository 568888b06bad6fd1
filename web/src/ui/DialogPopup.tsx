import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useCallback, useLayoutEffect, useRef } from 'react'
import { useBackCloses } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import type { DialogProps } from './Dialog.tsx'
import styles from './Dialog.module.css'
import { texts } from './texts.ts'

/** Selector of editable text fields. */
const WRITTEN =
  'input:not([type=radio], [type=checkbox], [type=file], [type=hidden], [readonly]), textarea:not([readonly])'

export function DialogPopup(props: DialogProps) {
  const { isOpen, onClose, title, description, isToRead = false, children, actions } = props
  const t = useTexts(texts)
  const popup = useRef<HTMLDivElement>(null)
  // Focuses the first text field, unless the dialog is only to read. After a touch, focuses the dialog itself, because
  // the on-screen keyboard would cover the dialog.
  const first = (openedBy: string) => {
    if (openedBy === 'touch') return popup.current
    return (!isToRead && popup.current?.querySelector<HTMLElement>(WRITTEN)) || true
  }
  const returnFocus = useWayBack(isOpen)
  useBackCloses(isOpen, onClose)
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      onOpenChangeComplete={(open) => !open && returnFocus()}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          ref={popup}
          className={styles.popup}
          initialFocus={first}
          // Stops the event. In React, it would bubble through the portal and submit a surrounding form.
          onSubmit={(event) => event.stopPropagation()}
        >
          <div className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close className={styles.close} aria-label={t.close}>
              <X />
            </Base.Close>
          </div>
          {description && (
            <Base.Description className={styles.description}>{description}</Base.Description>
          )}
          {children}
          {actions && <div className={styles.actions}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const TAKES_FOCUS = 'a[href], button:not(:disabled), input, textarea, select, [tabindex]'

/**
 * Returns a function to call when the dialog has closed. If no element has the focus, the function focuses the opener
 * or its closest remaining ancestor. Unmounting also calls the function.
 */
function useWayBack(isOpen: boolean): () => void {
  const way = useRef<readonly HTMLElement[]>([])
  useLayoutEffect(() => {
    if (isOpen) way.current = wayTo(document.activeElement)
  }, [isOpen])
  const end = useCallback(() => {
    goBack(way.current)
    way.current = []
  }, [])
  // Calls `end` in a microtask, after the removal of all elements that unmount together with the dialog.
  useLayoutEffect(() => () => queueMicrotask(end), [end])
  return end
}

/** Returns an element and its ancestors. For a menu item, returns the menu's button and the button's ancestors. */
function wayTo(element: Element | null): HTMLElement[] {
  const menu = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const way: HTMLElement[] = []
  let ancestor = menu ? document.getElementById(menu) : element
  for (; ancestor && ancestor !== document.body; ancestor = ancestor.parentElement) {
    if (ancestor instanceof HTMLElement) way.push(ancestor)
  }
  return way
}

function goBack(way: readonly HTMLElement[]): void {
  if (document.activeElement !== document.body) return
  for (const element of way) {
    const found = element.matches(TAKES_FOCUS)
      ? element
      : element.querySelector<HTMLElement>(TAKES_FOCUS)
    if (!element.isConnected || !found) continue
    found.focus({ preventScroll: true })
    return
  }
}
