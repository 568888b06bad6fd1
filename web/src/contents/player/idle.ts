import { type RefObject, useEffect, useRef, useState } from 'react'

const IDLE_MS = 2500

/**
 * Detects that the viewer has not used the player or moved the pointer over it for a while, so that its
 * controls can hide.
 */
export function useIdle(box: RefObject<HTMLElement | null>, isOn: boolean) {
  const [isIdle, setIsIdle] = useState(false)
  const wokenByPress = useRef(false)
  useEffect(() => {
    const { current } = box
    if (!current || !isOn) {
      setIsIdle(false)
      return undefined
    }
    let isAsleep = false
    const sleep = () => {
      isAsleep = true
      setIsIdle(true)
    }
    let timer = setTimeout(sleep, IDLE_MS)
    const wake = (event: Event) => {
      if (event instanceof PointerEvent && event.type === 'pointerdown') {
        wokenByPress.current = isAsleep && event.pointerType !== 'mouse'
      }
      isAsleep = false
      clearTimeout(timer)
      setIsIdle(false)
      timer = setTimeout(sleep, IDLE_MS)
    }
    const events = ['pointermove', 'pointerdown', 'focusin'] as const
    for (const event of events) current.addEventListener(event, wake)
    // On the window, because shortcuts work wherever the focus is.
    addEventListener('keydown', wake)
    return () => {
      clearTimeout(timer)
      for (const event of events) current.removeEventListener(event, wake)
      removeEventListener('keydown', wake)
      wokenByPress.current = false
    }
  }, [box, isOn])
  return {
    isIdle,
    /** True when the last tap only showed the hidden controls. Such a tap must not also pause the video. */
    wasWoken: () => wokenByPress.current,
  }
}
