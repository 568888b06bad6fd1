import {
  bufferFeature,
  controlsFeature,
  createPlayer,
  fullscreenFeature,
  pipFeature,
  playbackFeature,
  playbackRateFeature,
  textTrackFeature,
  timeFeature,
  volumeFeature,
} from '@videojs/react'
import { useEffect, useState } from 'react'
import { useKeys } from '../keys.ts'
import { keepPoint, loadPoint, loadSettings, saveSettings } from './settings.ts'

/** Seconds to skip with the buttons and the J and L keys. */
export const SKIP_S = 10
/** Seconds to skip with the arrow keys. */
export const STEP_S = 5
/** Keys that repeat while held down. Other keys act once per press. */
const GOES_ON = new Set(['j', 'l', 'ArrowLeft', 'ArrowRight'])

/** Handles the player's keyboard shortcuts. `?` works even when the viewer has turned shortcuts off. */
export function usePlayerKeys(isVideo: boolean, help: { usesKeys: boolean; open: () => void }) {
  const player = usePlayer()
  useKeys((key, isHeld) => {
    if (!player.target) return false
    if (key === '?') {
      help.open()
      return true
    }
    if (!help.usesKeys) return false
    const skip = (seconds: number) => void player.seek(player.state.currentTime + seconds)
    const hasCaptions = player.state.textTrackList.some(({ kind }) =>
      /captions|subtitles/.test(kind),
    )
    const acts: Record<string, (() => unknown) | undefined> = {
      ' ': player.togglePaused,
      k: player.togglePaused,
      j: () => skip(-SKIP_S),
      l: () => skip(SKIP_S),
      ArrowLeft: () => skip(-STEP_S),
      ArrowRight: () => skip(STEP_S),
      m: player.toggleMuted,
      f: isVideo ? player.toggleFullscreen : undefined,
      c: hasCaptions ? () => player.toggleSubtitles() : undefined,
    }
    const act = acts[key]
    if (!act) return false
    if (!isHeld || GOES_ON.has(key)) act()
    // Shows the controls, because Video.js shows them only for keys that are pressed inside the player.
    if (!player.state.controlsVisible) player.toggleControls()
    return true
  })
}

export function useVolume(media: HTMLMediaElement | null): void {
  useEffect(() => {
    if (!media) return undefined
    const { volume, isMuted } = loadSettings()
    media.volume = volume
    media.muted = isMuted
    const save = () => saveSettings({ volume: media.volume, isMuted: media.muted })
    media.addEventListener('volumechange', save)
    return () => media.removeEventListener('volumechange', save)
  }, [media])
}

interface Named {
  title: string
  artist: string
  poster: string | null
}

export function useNowPlaying({ title, artist, poster }: Named): void {
  const isPaused = usePlayer(({ paused }) => paused)
  useEffect(() => {
    if (isPaused || !('mediaSession' in navigator)) return
    const artwork = poster ? [{ src: poster }] : []
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist, artwork })
  }, [isPaused, title, artist, poster])
}

const STORED_EVERY_S = 5

/** Returns the playback position in seconds from the last visit, or 0. Stores the current position during playback. */
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
    const noteAtTimes = () => Math.abs(media.currentTime - last) >= STORED_EVERY_S && note()
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

export const { Player: PlayerStore, usePlayer } = createPlayer({
  features: [
    bufferFeature,
    controlsFeature,
    fullscreenFeature,
    pipFeature,
    playbackFeature,
    playbackRateFeature,
    textTrackFeature,
    timeFeature,
    volumeFeature,
  ],
})
