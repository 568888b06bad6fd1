/** Connection to the server, and the loading of client code, which waits for the connection and for the first use. */
import {
  type ComponentType,
  createElement,
  type FunctionComponent,
  use,
  useSyncExternalStore,
} from 'react'
import { createStore, useStore } from './store.ts'

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export function useIsConnected(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine)
}

let check = (): Promise<boolean> => Promise.resolve(true)

/**
 * Sets the request that checks whether the server responds. Callers pass the request, because modules in this folder do
 * not import the API client.
 */
export function setServerCheck(request: () => Promise<boolean>): void {
  check = request
}

export function isServerThere(): Promise<boolean> {
  return check()
}

/** Thrown when code of the client cannot be loaded, because the server is unreachable or has a newer client. */
export class PartLost extends Error {}

const PAUSE_MS = 3000
const attempts = new EventTarget()

/** Makes all waiting loads check immediately whether the server responds. */
export function tryNow(): void {
  attempts.dispatchEvent(new Event('now'))
}

function untilNext(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS)
    attempts.addEventListener('now', () => resolve(), { once: true })
  })
}

/**
 * Waits until the browser is online or the server responds. A browser can report that it is offline although a server
 * on the local network is reachable.
 */
async function untilThere(): Promise<void> {
  if (navigator.onLine) return
  const online = new Promise((resolve) => {
    addEventListener('online', resolve, { once: true })
  })
  const asked = async (): Promise<void> => {
    while (!navigator.onLine && !(await isServerThere())) {
      await untilNext()
    }
  }
  await Promise.race([online, asked()])
}

/**
 * Waits for the server, fetches lost style sheets again, and calls `load`. Throws PartLost when loading fails. The wait
 * is necessary because, in some browsers, a failed import keeps failing until reload.
 */
export async function whenConnected<T>(load: () => Promise<T>): Promise<T> {
  await untilThere()
  try {
    await Promise.all([...lostStyles].map(fetchAgain))
    return await load()
  } catch (cause) {
    throw new PartLost('A part of the client could not be loaded.', { cause })
  }
}

/** Style sheets that failed to load. `whenConnected` requests them again, because the bundler's loader does not. */
const lostStyles = new Set<HTMLLinkElement>()
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    // Skips style sheets of other origins, such as those of browser extensions, because the content security policy
    // blocks them.
    if (new URL(target.href).origin === location.origin) lostStyles.add(target)
  },
  { capture: true },
)

function fetchAgain(link: HTMLLinkElement): Promise<void> {
  lostStyles.delete(link)
  return new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', reject)
    link.replaceWith(again)
  })
}

interface LazyPart<Props> extends FunctionComponent<Props> {
  /**
   * Loads the component, so that rendering it does not suspend. Resolves even when loading fails. Rendering then throws
   * the error.
   */
  preload: () => Promise<unknown>
}

/** Returns a component that loads on first use. While the server is unreachable, loading waits. */
export function lazyPart<Props extends object, Name extends string>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const start = async () => {
    try {
      loaded = (await whenConnected(load))[name]
    } catch {
      while (!(await isServerThere())) await new Promise((next) => setTimeout(next, PAUSE_MS))
      loaded = (await whenConnected(load))[name]
    }
  }
  const startOnce = () => (loading ??= start())
  const Part = (props: Props) => {
    if (!loaded) use(startOnce())
    return loaded ? createElement(loaded, props) : null
  }
  return Object.assign(Part, { preload: () => Promise.allSettled([startOnce()]) })
}

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
