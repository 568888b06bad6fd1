/** Where the focus goes when a dialog closes whose opener is gone by then, as with what was deleted. */
import { useCallback, useLayoutEffect, useRef } from 'react'

const TAKES_FOCUS = 'a[href], button:not(:disabled), input, textarea, select, [tabindex]'

/**
 * Moves a focus that would be nowhere to the nearest of what stood around the opener. Gives what is to
 * be called when the dialog has closed; one that goes with its opener does it by itself.
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
  // What goes together with the dialog has gone a moment later.
  useLayoutEffect(() => () => queueMicrotask(end), [end])
  return end
}

/** The element, and all it is in. Of an entry of a menu, the button that opened the menu. */
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
