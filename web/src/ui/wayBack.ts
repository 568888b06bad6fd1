/** Restores the focus after a dialog whose opener no longer exists, for example after a deletion. */
import { useCallback, useLayoutEffect, useRef } from 'react'

const TAKES_FOCUS = 'a[href], button:not(:disabled), input, textarea, select, [tabindex]'

/**
 * Returns a function to call when the dialog has closed. If no element has the focus, it focuses the closest
 * remaining ancestor of the opener. Unmounting the dialog also calls it.
 */
export function useWayBack(isOpen: boolean): () => void {
  const way = useRef<readonly HTMLElement[]>([])
  useLayoutEffect(() => {
    if (isOpen) way.current = wayTo(document.activeElement)
  }, [isOpen])
  const end = useCallback(() => {
    goBack(way.current)
    way.current = []
  }, [])
  // The microtask runs after elements that unmount together with the dialog are removed.
  useLayoutEffect(() => () => queueMicrotask(end), [end])
  return end
}

/**
 * Returns the element and its ancestors. For a menu item, returns the button that opened the menu and its
 * ancestors.
 */
function wayTo(element: Element | null): HTMLElement[] {
  const menu = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const way: HTMLElement[] = []
  let at = menu ? document.getElementById(menu) : element
  for (; at && at !== document.body; at = at.parentElement) {
    if (at instanceof HTMLElement) way.push(at)
  }
  return way
}

function goBack(way: readonly HTMLElement[]): void {
  if (document.activeElement !== document.body) return
  for (const at of way) {
    const found = at.matches(TAKES_FOCUS) ? at : at.querySelector<HTMLElement>(TAKES_FOCUS)
    if (!at.isConnected || !found) continue
    found.focus({ preventScroll: true })
    return
  }
}
