import { type ComponentType, createElement, type FunctionComponent, use } from 'react'
import { isServerThere, whenConnected } from './connected.ts'

const PAUSE_MS = 3000

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
