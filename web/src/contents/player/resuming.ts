import { useEffect, useState } from 'react'
import { keepPoint, loadPoint } from './settings.ts'

const EVERY_S = 5

/**
 * Stores the position every few seconds during playback, on pause and when the page closes. Returns the
 * position stored before, in seconds, to resume from.
 */
export function useResuming(media: HTMLMediaElement | null, id: string): number {
  const [point] = useState(() => loadPoint(id))
  useEffect(() => {
    if (!media) return undefined
    let last = point
    const note = () => {
      last = media.currentTime
      // Before the metadata loads, the element reports position 0, which must not be stored.
      if (media.readyState > 0) keepPoint(id, media.currentTime, media.duration)
    }
    const noteAtTimes = () => Math.abs(media.currentTime - last) >= EVERY_S && note()
    media.addEventListener('timeupdate', noteAtTimes)
    media.addEventListener('pause', note)
    addEventListener('pagehide', note)
    return () => {
      media.removeEventListener('timeupdate', noteAtTimes)
      media.removeEventListener('pause', note)
      removeEventListener('pagehide', note)
      note()
    }
  }, [media, id, point])
  return point
}
