import { useQuery } from '@tanstack/react-query'
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
import type { Media } from '#sdk'
import { savesData } from '../../device/viewing.ts'
import { useKeys } from '../keys.ts'
import { keepPoint, loadPoint, loadSettings, saveSettings } from './playback.ts'

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

/** Maximum size in bytes of a file whose waveform is drawn. Decoding needs several times as much memory. */
const BYTES_MAX = 10_000_000
const BARS = 120
/**
 * Samples per second of the decoded sound. It is the lowest rate that all browsers support, so that the sound needs
 * little memory.
 */
const SAMPLE_RATE = 8000

/**
 * Returns a CSS mask of bars that show the loudness along a sound. Returns undefined until the file is decoded, for
 * large or undecodable files, and when the browser's data saver is on.
 */
export function useWaveform({ url, size_bytes, mime_type }: Media): string | undefined {
  const { data } = useQuery({
    queryKey: ['waveform', url],
    queryFn: async ({ signal }) => maskOf(await loadPeaks(url ?? '', signal)),
    enabled:
      url !== null && mime_type.startsWith('audio/') && size_bytes <= BYTES_MAX && !savesData(),
    staleTime: Infinity,
  })
  return data
}

async function loadPeaks(url: string, signal: AbortSignal): Promise<number[]> {
  // Waits until the browser is idle. Safari has no idle callbacks, so a timer replaces them there.
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve))
  const response = await fetch(url, { signal, priority: 'low' })
  const decoder = new OfflineAudioContext(1, 1, SAMPLE_RATE)
  const sound = await decoder.decodeAudioData(await response.arrayBuffer())
  const samples = sound.getChannelData(0)
  const size = samples.length / BARS
  const levels = Array.from({ length: BARS }, (_, bar) =>
    levelOf(samples.subarray(Math.floor(bar * size), Math.ceil((bar + 1) * size))),
  )
  const loudest = Math.max(...levels)
  return levels.map((level) => (loudest > 0 ? level / loudest : 0))
}

/** Returns the root mean square of the samples. Their peaks would be nearly equal throughout most music. */
function levelOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / Math.max(samples.length, 1))
}

function maskOf(peaks: readonly number[]): string {
  const bars = peaks.map((peak, bar) => {
    const height = Math.max(4, Math.round(peak * 100))
    return `M${bar * 5} ${50 - height / 2}h3v${height}h-3z`
  })
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${BARS * 5 - 2} 100" preserveAspectRatio="none"><path d="${bars.join('')}"/></svg>`
  return `url("data:image/svg+xml,${encodeURIComponent(drawing)}") 0 0 / 100% 100%`
}
