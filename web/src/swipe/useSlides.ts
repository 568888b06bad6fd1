/** Which slide is seen, and what leads to others. Slides are as high as the box that scrolls. */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Content } from '#sdk'
import { useResized } from './useResized.ts'

/** Of one turn of a wheel or one stroke on a touchpad; later events belong to the next. */
const GESTURE_MS = 200

interface Options {
  works: readonly Content[]
  /** The id of the work to begin with. */
  wanted: string | undefined
  /** Jumps in place of gliding. */
  isCalm: boolean
}

export function useSlides({ works, wanted, isCalm }: Options) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  // From the first on, or what is seen would be told wrongly once.
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      works.findIndex(({ id }) => id === wanted),
    ),
  )
  const shown = useRef(wanted)
  /** Where the box was scrolled to, and where it is on its way to. */
  const place = useRef(0)
  const goal = useRef<number>(undefined)

  useLayoutEffect(() => {
    const now = works.findIndex(({ id }) => id === shown.current)
    if (!box || now < 0 || now === place.current) return
    // Others came before the work that is seen, which stays where it is.
    place.current = now
    box.scrollTop = now * box.clientHeight
    setAt(now)
  }, [works, box])

  const go = (steps: number) => {
    if (!box) return
    const last = Math.round(box.scrollHeight / box.clientHeight) - 1
    const to = Math.min(Math.max((goal.current ?? place.current) + steps, 0), last)
    goal.current = to
    // Nobody wants to see a hundred works fly past.
    const jumps = isCalm || Math.abs(steps) > 1
    box.scrollTo({ top: to * box.clientHeight, behavior: jumps ? 'instant' : 'smooth' })
  }
  const look = () => {
    if (!box) return
    const now = Math.max(0, Math.round(box.scrollTop / box.clientHeight))
    if (now === goal.current) goal.current = undefined
    place.current = now
    shown.current = works[now]?.id ?? shown.current
    setAt(now)
  }
  const settle = () => {
    goal.current = undefined
    // Nothing glides into place, so it is put there.
    if (box && isCalm) box.scrollTop = place.current * box.clientHeight
  }
  useScrolling(box, look, settle)
  useWheel(box, go)
  // In a box of another height the same slide is seen.
  useResized(box, () => {
    if (box) box.scrollTop = place.current * box.clientHeight
  })
  return { box, setBox, at, go }
}

function useScrolling(box: HTMLElement | null, look: () => void, settle: () => void): void {
  const moved = useEffectEvent(look)
  const stopped = useEffectEvent(settle)
  useEffect(() => {
    if (!box) return undefined
    const onScroll = () => moved()
    const onScrollEnd = () => stopped()
    box.addEventListener('scroll', onScroll, { passive: true })
    box.addEventListener('scrollend', onScrollEnd)
    return () => {
      box.removeEventListener('scroll', onScroll)
      box.removeEventListener('scrollend', onScrollEnd)
    }
  }, [box])
}

/** One turn, one work: a browser would need half a screen of turning, and a touchpad would fly past. */
function useWheel(box: HTMLElement | null, go: (steps: number) => void): void {
  const turn = useEffectEvent(go)
  useEffect(() => {
    if (!box) return undefined
    let last = 0
    const onWheel = (event: WheelEvent) => {
      const { deltaX, deltaY, timeStamp, ctrlKey, target } = event
      if (ctrlKey || Math.abs(deltaX) > Math.abs(deltaY)) return
      if (target instanceof Element && target.closest('[data-scrolls]')) return
      event.preventDefault()
      if (timeStamp - last > GESTURE_MS) turn(deltaY > 0 ? 1 : -1)
      last = timeStamp
    }
    box.addEventListener('wheel', onWheel, { passive: false })
    return () => box.removeEventListener('wheel', onWheel)
  }, [box])
}
