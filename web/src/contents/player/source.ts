/** Loads the chosen source at the previous position. If a source fails, loads another one. */
import { useEffect, useRef, useState } from 'react'
import { defaultOf, type Source } from './sources.ts'

interface Start {
  /** Position in seconds. */
  time: number
  isPlaying: boolean
}

export function useSource(
  media: HTMLMediaElement | null,
  sources: readonly Source[] | undefined,
  start: Start,
) {
  const [chosen, setChosen] = useState<Source>()
  const [hasFailed, setHasFailed] = useState(false)
  const carried = useRef(start)
  const failed = useRef(new Set<string>())
  // Does not switch to a better rendition that appears later.
  if (!chosen && sources) setChosen(defaultOf(sources))

  useEffect(() => {
    if (!media) return undefined
    const goOn = () => {
      const { time, isPlaying } = carried.current
      if (time > 0) media.currentTime = time
      if (isPlaying) void media.play().catch(() => {})
    }
    const tryNext = () => {
      const time = media.currentTime || carried.current.time
      carried.current = { ...carried.current, time }
      if (chosen) failed.current.add(chosen.url)
      const next = sources?.find(({ url }) => !failed.current.has(url))
      if (next) setChosen(next)
      setHasFailed(!next)
    }
    // After a failure, tries renditions that have appeared since.
    if (hasFailed && sources?.some(({ url }) => !failed.current.has(url))) tryNext()
    media.addEventListener('loadedmetadata', goOn)
    media.addEventListener('error', tryNext)
    return () => {
      media.removeEventListener('loadedmetadata', goOn)
      media.removeEventListener('error', tryNext)
    }
  }, [media, sources, chosen, hasFailed])

  return {
    chosen,
    hasFailed,
    choose: (source: Source) => {
      if (media) carried.current = { time: media.currentTime, isPlaying: !media.paused }
      setChosen(source)
    },
    retry: () => {
      failed.current.clear()
      setHasFailed(false)
      media?.load()
    },
  }
}
