/** Whether there is a connection, as far as the browser knows, and the parts of the client that come by it. */
import { useSyncExternalStore } from 'react'

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

/** A part of the client did not come: the server cannot be reached, or has another client by now. */
export class PartLost extends Error {}

const PAUSE_MS = 3000
const attempts = new EventTarget()

/** Looks at once whether the server answers, for whatever waits for it. */
export function tryNow(): void {
  attempts.dispatchEvent(new Event('now'))
}

/** The time until the next look. */
function untilNext(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS)
    attempts.addEventListener('now', () => resolve(), { once: true })
  })
}

/**
 * Once there is a connection, or the server answers without one: the browser does not count everything
 * as a connection by which a server of one's own house or device is reached.
 */
async function untilThere(isServerThere: () => Promise<boolean>): Promise<void> {
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
 * Loads a part of the client; offline, once the server is within reach. What is asked for without one
 * fails for good in some browsers: everything has to be loaded anew, and what was written would be lost.
 * Fails with PartLost.
 */
export async function whenConnected<T>(
  load: () => Promise<T>,
  isServerThere: () => Promise<boolean>,
): Promise<T> {
  await untilThere(isServerThere)
  try {
    await Promise.all([...lostStyles].map(fetchAgain))
    return await load()
  } catch (cause) {
    throw new PartLost('A part of the client did not come.', { cause })
  }
}

/** Styles that did not come. What loads the parts asks for each file once, whatever becomes of it. */
const lostStyles = new Set<HTMLLinkElement>()
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    // Extensions put styles of others into pages, which the server's policy refuses.
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
