/**
 * Tracks the visible page of a box that scrolls sideways, and scrolls to other pages. Each page is as wide as
 * the box.
 */
import { useRef, useState } from 'react'
import { useResized } from './useResized.ts'

/**
 * Returns the index of the visible page and a function to change it. With `isCalm`, it changes without
 * animation.
 */
export function usePages(count: number, isCalm: boolean) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [at, setAt] = useState(0)
  /** Index of the visible page. `goal` is the target of a running scroll animation. */
  const place = useRef(0)
  const goal = useRef<number>(undefined)
  const scrollTo = (page: number, behavior: ScrollBehavior) =>
    box?.scrollTo({ left: page * box.clientWidth, behavior })
  useResized(box, () => scrollTo(place.current, 'instant'))
  return {
    ref: setBox,
    box,
    at,
    go: (steps: number) => {
      const to = Math.min(Math.max((goal.current ?? place.current) + steps, 0), count - 1)
      goal.current = to
      scrollTo(to, isCalm ? 'instant' : 'smooth')
    },
    onScroll: () => {
      if (!box) return
      place.current = Math.round(box.scrollLeft / box.clientWidth)
      if (place.current === goal.current) goal.current = undefined
      setAt(place.current)
    },
    onScrollEnd: () => {
      goal.current = undefined
      // Aligns the page here, because CSS snapping is off in calm mode.
      if (isCalm) scrollTo(place.current, 'instant')
    },
  }
}
