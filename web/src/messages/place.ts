/** Scroll position of a message log, which grows at both ends. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Maximum distance from the end, in pixels, that counts as the end. */
const NEAR_PX = 80

interface Growing {
  /** Keys of the first and the last entry. They change when the log grows. */
  first: string | undefined
  last: string | undefined
  /** True when the viewer wrote the last entry. The log then scrolls to it. */
  isLastOwn: boolean
}

interface Place {
  box: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  toEnd: () => void
}

/**
 * Preserves the position of visible entries while older ones load above. While the end is visible, scrolls to
 * new entries. Initially scrolls to `[data-unread]`, or to the end if there is none.
 */
export function useKeptPlace({ first, last, isLastOwn }: Growing): Place {
  const box = useRef<HTMLDivElement>(null)
  const seen = useRef({ first, last, isPlaced: false, isAtEnd: true, fromEnd: 0 })
  const [isAtEnd, setIsAtEnd] = useState(false)
  const remember = useCallback(() => {
    const { current } = box
    if (!current) return
    const fromEnd = current.scrollHeight - current.scrollTop
    const isNear = fromEnd - current.clientHeight < NEAR_PX
    Object.assign(seen.current, { fromEnd, isAtEnd: isNear })
    setIsAtEnd(isNear)
  }, [])
  const toEnd = useCallback(() => {
    const { current } = box
    if (current) current.scrollTop = current.scrollHeight
    remember()
  }, [remember])

  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const was = seen.current
    const hasGrownOwn = isLastOwn && was.last !== last
    if (!was.isPlaced) open(current)
    else if (was.isAtEnd || hasGrownOwn) current.scrollTop = current.scrollHeight
    else if (was.first !== first) current.scrollTop = current.scrollHeight - was.fromEnd
    Object.assign(was, { first, last, isPlaced: true })
    remember()
  }, [first, last, isLastOwn, remember])

  useEffect(() => {
    const { current } = box
    if (!current) return undefined
    const observer = new ResizeObserver(() => seen.current.isAtEnd && toEnd())
    observer.observe(current)
    for (const child of current.children) observer.observe(child)
    current.addEventListener('scroll', remember, { passive: true })
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', remember)
    }
  }, [toEnd, remember])
  return { box, isAtEnd, toEnd }
}

function open(box: HTMLElement): void {
  box.scrollTop = box.scrollHeight
  const mark = box.querySelector('[data-unread]')
  if (!mark) return
  const above = box.getBoundingClientRect().top - mark.getBoundingClientRect().top
  if (above > 0) box.scrollTop -= above + 16
}
