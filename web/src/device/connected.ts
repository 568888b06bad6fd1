/** Whether there is a connection, as far as the browser knows, and the parts of the client that wait for one. */
import { type ComponentType, type LazyExoticComponent, lazy, useSyncExternalStore } from 'react'

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
 * fails for good, and for a page that failed everything is loaded anew: what was written would be lost.
 */
export async function whenConnected<T>(load: () => Promise<T>): Promise<T> {
  if (!navigator.onLine) {
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
  }
  return load()
}

/** A component that is loaded when it is first shown. */
export function lazyPart<Props, Name extends string>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await whenConnected(load))[name] }))
}
