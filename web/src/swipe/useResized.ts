import { useEffect, useEffectEvent } from 'react'

/** Calls `act` when a box changes its size, and once at first. */
export function useResized(box: HTMLElement | null, act: () => void): void {
  const changed = useEffectEvent(act)
  useEffect(() => {
    if (!box) return undefined
    const resized = new ResizeObserver(() => changed())
    resized.observe(box)
    return () => resized.disconnect()
  }, [box])
}
