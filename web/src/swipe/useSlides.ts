/** Scrolling from slide to slide. Each slide is as high as the scrolling box. */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Content } from '#sdk'

/** Maximum milliseconds between two wheel events of one gesture. */
const GESTURE_MS = 200

interface Options {
  contents: readonly Content[]
  wanted: string | undefined
  isCalm: boolean
}

export function useSlides({ contents, wanted, isCalm }: Options) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  // Starts with the wanted slide, so that screen readers do not announce another slide first.
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      contents.findIndex(({ id }) => id === wanted),
    ),
  )
  const shown = useRef(wanted)
  /** Index of the visible slide. */
  const place = useRef(0)
  /** Index of the slide to which a scroll animation is moving. Undefined without an animation. */
  const goal = useRef<number>(undefined)

  useLayoutEffect(() => {
    const now = contents.findIndex(({ id }) => id === shown.current)
    if (!box || now < 0 || now === place.current) return
    // Scrolls to the visible slide again, because new slides precede it.
    place.current = now
    box.scrollTop = now * box.clientHeight
    setIndex(now)
  }, [contents, box])

  const go = (steps: number) => {
    if (!box) return
    const last = Math.round(box.scrollHeight / box.clientHeight) - 1
    const to = Math.min(Math.max((goal.current ?? place.current) + steps, 0), last)
    goal.current = to
    // Jumps over several slides without an animation, because an animation would load every slide in between.
    const jumps = isCalm || Math.abs(steps) > 1
    box.scrollTo({ top: to * box.clientHeight, behavior: jumps ? 'instant' : 'smooth' })
  }
  const look = () => {
    if (!box) return
    const now = Math.max(0, Math.round(box.scrollTop / box.clientHeight))
    if (now === goal.current) goal.current = undefined
    place.current = now
    shown.current = contents[now]?.id ?? shown.current
    setIndex(now)
  }
  const align = () => {
    goal.current = undefined
    // Aligns the slide by script, because CSS snapping is off when the viewer prefers reduced motion.
    if (box && isCalm) box.scrollTop = place.current * box.clientHeight
  }
  useScrolling(box, look, align)
  useWheel(box, go)
  // Preserves the visible slide when the height changes.
  useResized(box, () => {
    if (box) box.scrollTop = place.current * box.clientHeight
  })
  return { box, setBox, index, go }
}

function useScrolling(box: HTMLElement | null, look: () => void, onEnd: () => void): void {
  const moved = useEffectEvent(look)
  const stopped = useEffectEvent(onEnd)
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

/**
 * Moves one slide per wheel gesture. Native scrolling would need a long turn of the wheel, and would skip slides on a
 * touchpad.
 */
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
