/** Whether there is a connection, as far as the browser knows, and what waits for one. */
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

/**
 * Loads a part of the client; offline, once there is a connection again. What is asked for without one
 * fails for good, and for a page that failed the router loads everything anew: nothing would be left but
 * the browser's own page, and what was written would be lost.
 */
export async function whenConnected<T>(load: () => Promise<T>): Promise<T> {
  if (!navigator.onLine) {
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
  }
  return load()
}
