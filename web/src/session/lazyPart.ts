import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { whenConnected } from '../device/connected.ts'
import { isServerThere } from './plaza.ts'

const PAUSE_MS = 3000

/** Returns a component that loads on first use. While the server is unreachable, loading waits. */
export function lazyPart<Props, Name extends string>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: (await whenConnected(load, isServerThere))[name] }
    } catch {
      while (!(await isServerThere())) await new Promise((next) => setTimeout(next, PAUSE_MS))
      return { default: (await whenConnected(load, isServerThere))[name] }
    }
  })
}
