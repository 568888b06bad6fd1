import { useEffect, useState } from 'react'
import { keepPoint, loadPoint } from './kept.ts'

const EVERY_S = 5

/** Keeps how far a file was played, and tells from where it goes on. */
export function useResuming(media: HTMLMediaElement | null, id: string): number {
  const [point] = useState(() => loadPoint(id))
  useEffect(() => {
    if (!media) return undefined
    let last = point
    const note = () => {
      last = media.currentTime
      // Before it is loaded it is at 0, which is not where somebody stopped.
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
