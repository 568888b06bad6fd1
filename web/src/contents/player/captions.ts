import { useSyncExternalStore } from 'react'

/**
 * Returns the state of the captions, from separate files or the video itself. Undefined when there are no
 * captions.
 */
export function useCaptions(media: HTMLMediaElement | null) {
  const state = useSyncExternalStore(
    (listener) => {
      const events = ['addtrack', 'removetrack', 'change']
      for (const event of events) media?.textTracks.addEventListener(event, listener)
      return () => {
        for (const event of events) media?.textTracks.removeEventListener(event, listener)
      }
    },
    () => {
      const tracks = tracksOf(media)
      if (tracks.length === 0) return 'none'
      return tracks.some(({ mode }) => mode === 'showing') ? 'shown' : 'hidden'
    },
  )
  if (state === 'none') return undefined
  return {
    areShown: state === 'shown',
    toggle: () => {
      const [first, ...others] = tracksOf(media)
      if (first) first.mode = state === 'shown' ? 'disabled' : 'showing'
      for (const track of others) track.mode = 'disabled'
    },
  }
}

function tracksOf(media: HTMLMediaElement | null): TextTrack[] {
  return [...(media?.textTracks ?? [])].filter(({ kind }) => /captions|subtitles/.test(kind))
}
