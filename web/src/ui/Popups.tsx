/** Open dialogs and open menus. They load together on the first use of the page. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useCallback, useLayoutEffect, useRef } from 'react'
import { useBackCloses } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import type { DialogProps, MenuProps } from './Dialog.tsx'
import fieldStyles from './Field.module.css'
import styles from './Popups.module.css'
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
