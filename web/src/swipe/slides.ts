/** Slides of the feed: scrolling between slides and pages, contents, and keyboard shortcuts. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Content } from '#sdk'
import { useKeys } from '../contents/keys.ts'
import { loadSettings } from '../contents/player/playback.ts'
import { contentQuery, feedQuery, type Order } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { entriesOf } from '../lists/paging.ts'
import { toast } from '../ui/toast.ts'
import { texts } from './texts.ts'

/** Maximum milliseconds between two wheel events of one gesture. */
const GESTURE_MS = 200

interface Options {
  contents: readonly Content[]
  wanted: string | undefined
  isCalm: boolean
}

/** State of a box whose entries are slides. Keeps the visible slide when other slides are added. */
export function useSlides({ contents, wanted, isCalm }: Options) {
  // Starts with the wanted slide, so that screen readers do not announce another slide first.
  const [first] = useState(() => contents.findIndex(({ id }) => id === wanted))
  const shown = useRef(wanted)
  const { box, show, ...snapping } = useSnapping({
    side: 'Height',
    isCalm,
    first: Math.max(0, first),
    onMove: (index) => {
      shown.current = contents[index]?.id ?? shown.current
    },
  })
  const keep = useEffectEvent(() => {
    const now = contents.findIndex(({ id }) => id === shown.current)
    if (now >= 0) show(now)
  })
  useLayoutEffect(() => {
    if (box) keep()
  }, [contents, box])
  useWheel(box, snapping.go)
  return { box, ...snapping }
}

interface Snapping {
  /** Side of the box along which it scrolls. */
  side: 'Width' | 'Height'
  isCalm: boolean
  first?: number
  onMove?: (index: number) => void
}

/** State of a scrolling box that snaps to its entries. Each entry is as wide and high as the box. */
export function useSnapping({ side, isCalm, first = 0, onMove }: Snapping) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const [index, setIndex] = useState(first)
  /** Index of the visible entry. */
  const place = useRef(0)
  /** Index of the entry to which a scroll animation is moving. Undefined without an animation. */
  const goal = useRef<number>(undefined)
  const scroll = (to: number, behavior: ScrollBehavior) => {
    const start = to * (box?.[`client${side}`] ?? 0)
    box?.scrollTo({ [side === 'Width' ? 'left' : 'top']: start, behavior })
  }
  const go = (steps: number) => {
    if (!box) return
    const last = Math.round(box[`scroll${side}`] / box[`client${side}`]) - 1
    const to = Math.min(Math.max((goal.current ?? place.current) + steps, 0), last)
    goal.current = to
    // Jumps over several entries without an animation, because an animation would load every entry in between.
    scroll(to, isCalm || Math.abs(steps) > 1 ? 'instant' : 'smooth')
  }
  const look = () => {
    if (!box) return
    const start = side === 'Width' ? box.scrollLeft : box.scrollTop
    const now = Math.max(0, Math.round(start / box[`client${side}`]))
    if (now === goal.current) goal.current = undefined
    place.current = now
    onMove?.(now)
    setIndex(now)
  }
  const align = () => {
    goal.current = undefined
    // Aligns the entry by script, because CSS snapping is off when the viewer prefers reduced motion.
    if (isCalm) scroll(place.current, 'instant')
  }
  useScrolling(box, look, align)
  // Preserves the visible entry when the size changes.
  useResized(box, () => scroll(place.current, 'instant'))
  /** Shows an entry without an animation. */
  const show = (now: number) => {
    if (now === place.current) return
    place.current = now
    scroll(now, 'instant')
    setIndex(now)
  }
  return { box, setBox, index, go, show }
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
function useResized(box: HTMLElement | null, act: () => void): void {
  const changed = useEffectEvent(act)
  useEffect(() => {
    if (!box) return undefined
    const resized = new ResizeObserver(() => changed())
    resized.observe(box)
    return () => resized.disconnect()
  }, [box])
}

/** Number of remaining slides at which the next page loads. */
const AHEAD = 5

/**
 * Returns the contents of the feed. Without `wanted`, loads a new list. With the id `wanted`, uses the cached list and
 * adds that content item if it is missing.
 */
export function useContents(sort: Order, wanted: string | undefined) {
  const queries = useQueryClient()
  const options = feedQuery('swipe', { sort })
  useState(() => {
    if (!wanted) queries.removeQueries({ queryKey: options.queryKey, exact: true })
  })
  const feed = useInfiniteQuery({
    ...options,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const first = useFirst(feed.data?.pages, wanted)
  const { data } = feed
  const contents = useMemo(() => {
    const entries = entriesOf(data?.pages, ({ feeds }) => feeds)
    return first.content ? [first.content, ...entries.filter(({ id }) => id !== wanted)] : entries
  }, [data, first.content, wanted])
  return { contents, feed, isPending: feed.isPending || first.isPending }
}

/**
 * Loads the content item `wanted` if the first loaded pages lack it. Returns the item and whether it is loading. Shows
 * a notice if the item cannot be loaded or has another category.
 */
function useFirst(pages: readonly { feeds: Content[] }[] | undefined, wanted: string | undefined) {
  const t = useTexts(texts)
  const [isMissing, setIsMissing] = useState<boolean>()
  if (isMissing === undefined && pages) {
    setIsMissing(
      wanted !== undefined && !pages.some(({ feeds }) => feeds.some(({ id }) => id === wanted)),
    )
  }
  const { data, isError, isLoading } = useQuery({
    ...contentQuery(wanted ?? ''),
    enabled: isMissing === true,
    staleTime: Infinity,
  })
  const isGone = isError || (data !== undefined && data.category !== 'swipe')
  useEffect(() => {
    if (isGone) toast(t.gone)
  }, [isGone, t])
  return {
    content: isMissing && !isGone ? data : undefined,
    // `isLoading` is true even while only `useShown` requests the item, to count a view.
    isPending: isMissing === true && isLoading,
  }
}

export function useAhead(
  { feed, contents }: Pick<ReturnType<typeof useContents>, 'feed' | 'contents'>,
  index: number,
): void {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = feed
  const isNear = index >= contents.length - AHEAD
  useEffect(() => {
    if (isNear && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [isNear, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
}

const MOVES: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 1,
  PageUp: -1,
  'letter j': 1,
  'letter k': -1,
}

/**
 * True unless the viewer has turned off keyboard shortcuts. The media player's setting also applies to the letter
 * shortcuts of this page.
 */
export function usesLetters(): boolean {
  return loadSettings().usesKeys
}

export function useMoves(go: (steps: number) => void): void {
  useKeys((key) => {
    const steps = MOVES[key] ?? (usesLetters() ? MOVES[`letter ${key}`] : undefined)
    if (steps === undefined) return false
    go(steps)
    return true
  })
}
