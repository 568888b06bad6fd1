/** Restores the focus after a dialog whose opener no longer exists, as after a deletion. */
import { useCallback, useLayoutEffect, useRef } from 'react'

const TAKES_FOCUS = 'a[href], button:not(:disabled), input, textarea, select, [tabindex]'

/**
 * Returns a function to call after the dialog has closed. If the focus was lost, it moves to the closest
 * remaining ancestor of the opener. If the dialog unmounts, this happens automatically.
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
  // Elements removed together with the dialog are gone a moment later.
  useLayoutEffect(() => () => queueMicrotask(end), [end])
  return end
}

/** Returns the element and its ancestors. A menu item counts as the button that opened the menu. */
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
