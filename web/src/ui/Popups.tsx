/** Open dialogs, open menus and notices. They load together on the first use of the page. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useBackCloses } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import type { DialogProps, MenuProps } from './Dialog.tsx'
import styles from './Popups.module.css'
import fieldStyles from './Field.module.css'
import { texts } from './texts.ts'
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { useNavigate } from '@tanstack/react-router'
import buttonStyles from './Button.module.css'
import { dismiss, hold, letGo, useToast } from './toast.ts'

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
    <BaseDialog.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      onOpenChangeComplete={(open) => !open && returnFocus()}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup
          ref={popup}
          className={styles.popup}
          initialFocus={first}
          // Stops the event. In React, it would bubble through the portal and submit a surrounding form.
          onSubmit={(event) => event.stopPropagation()}
        >
          <div className={styles.head}>
            <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
            <BaseDialog.Close className={styles.close} aria-label={t.close}>
              <X />
            </BaseDialog.Close>
          </div>
          {description && (
            <BaseDialog.Description className={styles.description}>
              {description}
            </BaseDialog.Description>
          )}
          {children}
          {actions && <div className={fieldStyles.dialogButtons}>{actions}</div>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
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

/** Trigger button and its menu, which is open on the first render. */
export function MenuPopup({ trigger, groups, side = 'bottom', onOpen }: MenuProps) {
  const navigate = useNavigate()
  return (
    <BaseMenu.Root modal={false} defaultOpen onOpenChange={(isOpen) => isOpen && onOpen?.()}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner side={side} align="end" sideOffset={6} className={styles.place}>
          <BaseMenu.Popup className={styles.menuPopup}>
            {groups
              .filter((group) => group.length > 0)
              .map((group, index) => (
                <BaseMenu.Group
                  key={group[0]?.label}
                  className={index > 0 ? styles.apart : undefined}
                >
                  {group.map(({ label, icon, to, onClick, isDangerous }) => (
                    <BaseMenu.Item
                      key={label}
                      className={`${styles.item} ${isDangerous ? styles.danger : ''}`}
                      onClick={() => (to === undefined ? onClick?.() : void navigate({ to }))}
                    >
                      {icon}
                      {label}
                    </BaseMenu.Item>
                  ))}
                </BaseMenu.Group>
              ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

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
