import { createStore, useStore } from './store.ts'

const used = createStore(false)
const listening = new AbortController()

for (const event of ['pointermove', 'pointerdown', 'keydown', 'wheel']) {
  addEventListener(event, noteUse, { signal: listening.signal, passive: true })
}

function noteUse(event: Event): void {
  // Ignores pointer events without movement, which browsers send when the page changes below the pointer.
  const isMove = event instanceof PointerEvent && event.type === 'pointermove'
  if (isMove && event.movementX === 0 && event.movementY === 0) return
  used.set(true)
  listening.abort()
}

/**
 * True after the viewer has moved the pointer, touched or scrolled the page, or pressed a key. Only then do components
 * load the code for user actions.
 */
export function useIsUsed(): boolean {
  return useStore(used)
}
