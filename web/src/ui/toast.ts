/** Short notices about completed actions. Notices disappear, so they must not contain essential information. */
import { createStore, useStore } from '../device/store.ts'
import { history } from '../device/history.ts'

interface More {
  isBad?: boolean
  action?: { label: string; run: () => void }
  isForNextPage?: boolean
  /** Suppresses error notices while this notice is visible, because the reported problem causes other errors. */
  isCause?: boolean
}

interface Toast extends More {
  id: number
  text: string
}

const SHOWN_MS = 6000
/** Milliseconds for which a notice with an action is shown, so that viewers have time to press the button. */
const ACTION_MS = 10_000
const shown = createStore<Toast | null>(null)
let made = 0
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Shows a notice instead of the previous one: for six seconds, or for ten if the notice has an action. Navigation
 * removes the notice unless `isForNextPage` is set.
 */
export function toast(text: string, more: More = {}): void {
  if (shown.get()?.isCause && more.isBad) return
  shown.set({ ...more, id: ++made, text })
  letGo()
}

/** Keeps the notice until `letGo` is called. Used while the pointer or the focus is on the notice. */
export function hold(): void {
  clearTimeout(timer)
}

/** Restarts the time after which the notice disappears. */
export function letGo(): void {
  hold()
  const current = shown.get()
  if (!current) return
  timer = setTimeout(() => dismiss(current.id), current.action ? ACTION_MS : SHOWN_MS)
}

export function dismiss(id: number): void {
  if (shown.get()?.id === id) shown.set(null)
}

let page = pageOf(history.location)
history.subscribe(({ location }) => {
  const next = pageOf(location)
  if (next === page) return
  page = next
  const current = shown.get()
  if (current?.isForNextPage) current.isForNextPage = false
  else if (current) shown.set(null)
})

function pageOf({ pathname, search }: { pathname: string; search: string }): string {
  return pathname + search
}

export function useToast(): Toast | null {
  return useStore(shown)
}
