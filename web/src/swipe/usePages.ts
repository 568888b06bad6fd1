/** Which page of a box that scrolls sideways is seen, and what leads to others. Pages are as wide as the box. */
import { useRef, useState } from 'react'
import { useResized } from './useResized.ts'

/** Calm jumps in place of gliding. */
export function usePages(count: number, isCalm: boolean) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [at, setAt] = useState(0)
  /** The page that is seen, and the one it is on its way to. */
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
      // Nothing glides into place, so it is put there.
      if (isCalm) scrollTo(place.current, 'instant')
    },
  }
}
