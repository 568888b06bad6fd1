import { useEffect } from 'react'
import { useKeys } from '../keys.ts'
import { loadSettings } from './settings.ts'
import { type Playing, SKIP_S, seekTo, togglePlaying } from './playing.ts'
import { setMuted } from './Volume.tsx'

const STEP_S = 5
/** Keys that repeat while held down. Other keys act once per press. */
const GOES_ON = new Set(['j', 'l', 'ArrowLeft', 'ArrowRight'])

interface Keyed {
  media: HTMLMediaElement | null
  playing: Playing
  fullScreen: { toggle: () => void }
  captions: { toggle: () => void } | undefined
  help: { usesKeys: boolean; open: () => void }
}

/** Handles the player's keyboard shortcuts. `?` works even when the viewer has turned shortcuts off. */
export function usePlayerKeys({ media, playing, fullScreen, captions, help }: Keyed): void {
  useKeys((key, isHeld) => {
    if (!media) return false
    if (key === '?') {
      help.open()
      return true
    }
    if (!help.usesKeys) return false
    const acts: Record<string, (() => void) | undefined> = {
      ' ': () => togglePlaying(media),
      k: () => togglePlaying(media),
      j: () => seekTo(media, playing.time - SKIP_S),
      l: () => seekTo(media, playing.time + SKIP_S),
      ArrowLeft: () => seekTo(media, playing.time - STEP_S),
      ArrowRight: () => seekTo(media, playing.time + STEP_S),
      m: () => setMuted(media, !media.muted),
      f: media instanceof HTMLVideoElement ? fullScreen.toggle : undefined,
      c: captions?.toggle,
    }
    const act = acts[key]
    if (!isHeld || GOES_ON.has(key)) act?.()
    return act !== undefined
  })
}

/** Applies the stored volume to a media element. */
export function useLoudness(media: HTMLMediaElement | null): void {
  useEffect(() => {
    if (!media) return
    const { volume, isMuted } = loadSettings()
    media.volume = volume
    media.muted = isMuted
  }, [media])
}

interface Named {
  title: string
  artist: string
  poster: string | null
}

/** Sets the title, artist and picture that the device shows on its lock screen. */
export function useNowPlaying(isPaused: boolean, { title, artist, poster }: Named): void {
  useEffect(() => {
    if (isPaused || !('mediaSession' in navigator)) return
    const artwork = poster ? [{ src: poster }] : []
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist, artwork })
  }, [isPaused, title, artist, poster])
}
