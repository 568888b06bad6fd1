/**
 * Tracks the visible page of a box that scrolls sideways and scrolls to others. Each page is as wide as the
 * box.
 */
import { useRef, useState } from 'react'
import { useResized } from './useResized.ts'

/** With `isCalm`, jumps instead of scrolling smoothly. */
export function usePages(count: number, isCalm: boolean) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [at, setAt] = useState(0)
  /** The visible page, and the target of a scroll under way. */
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
      // Snapping is off in calm mode, so the page is aligned here.
      if (isCalm) scrollTo(place.current, 'instant')
    },
  }
}
