import { useEffect, useEffectEvent } from 'react'

/** Calls `act` immediately and whenever the size of a box changes. */
export function useResized(box: HTMLElement | null, act: () => void): void {
  const changed = useEffectEvent(act)
  useEffect(() => {
    if (!box) return undefined
    const resized = new ResizeObserver(() => changed())
    resized.observe(box)
    return () => resized.disconnect()
  }, [box])
}
