import { useEffect, useRef, useState } from 'react'
import type { Conversion, Media } from '#sdk'
import { keep, loadJson } from '../../device/storage.ts'
import { savesData } from '../../device/viewing.ts'

export interface Source {
  url: string
  /** Shorter side of the video, such as `720p`. Null for audio and for the original file. */
  quality: string | null
  /** Shorter side in pixels. 0 for audio and for the original file. */
  side: number
}

type Rendition = Conversion['renditions'][number]

/**
 * Returns the playable sources, best quality first and the original file last. A blocked file has no sources. `isOnly`:
 * the content has no other medium, so all renditions belong to this one. Only the author gets the original of a
 * converted file.
 */
export function sourcesOf(
  medium: Media,
  renditions: readonly Rendition[],
  isOnly: boolean,
): Source[] {
  if (medium.url === null) return []
  // A converted medium has the URL of its best rendition. The other renditions are in the same folder.
  const isConverted = renditions.some(({ url }) => url === medium.url)
  const folder = medium.url.slice(0, medium.url.lastIndexOf('/') + 1)
  const made = renditions
    .filter(
      ({ url, mime_type }) =>
        /^(video|audio)\/mp4$/.test(mime_type) &&
        (isOnly || (isConverted && url.startsWith(folder))),
    )
    .map(({ url, width, height }) => {
      const side = Math.min(width ?? 0, height ?? 0)
      return { url, side, quality: side > 0 ? `${side}p` : null }
    })
    .toSorted((a, b) => b.side - a.side)
  const originals = new Set([medium.url, medium.original_url ?? medium.url])
  if (isConverted) originals.delete(medium.url)
  return [...made, ...[...originals].map((url) => ({ url, quality: null, side: 0 }))]
}

/**
 * Returns the smallest rendition that fills the window, or else the largest. When the
 * browser's data saver is on, returns the smallest one. Without video renditions, returns the first source.
 */
function defaultOf(sources: readonly Source[]): Source | undefined {
  const named = sources.filter(({ quality }) => quality !== null)
  const shown = Math.min(innerWidth, innerHeight) * devicePixelRatio
  const fine = named.filter(({ side }) => side >= shown)
  return (savesData() ? named.at(-1) : (fine.at(-1) ?? named[0])) ?? sources[0]
}

interface StartState {
  /** Position in seconds. */
  time: number
  isPlaying: boolean
}

/**
 * Loads the chosen source at the previous position and speed. After a failure, loads another source. `hasFailed` is
 * true when all sources have failed. `retry` tries all sources again.
 */
export function useSource(
  media: HTMLMediaElement | null,
  sources: readonly Source[] | undefined,
  start: StartState,
) {
  const [chosen, setChosen] = useState<Source>()
  const [hasFailed, setHasFailed] = useState(false)
  const carried = useRef(start)
  const failed = useRef(new Set<string>())
  // Chooses only once, so that playback does not switch to a better rendition that appears later.
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
    // After a failure, tries renditions that have become available since then.
    if (hasFailed && sources?.some(({ url }) => !failed.current.has(url))) tryNext()
    // Makes the current speed the default, because the element resets its speed to the default when another source
    // loads.
    const keepRate = () => {
      media.defaultPlaybackRate = media.playbackRate
    }
    media.addEventListener('ratechange', keepRate)
    media.addEventListener('loadedmetadata', goOn)
    media.addEventListener('error', tryNext)
    return () => {
      media.removeEventListener('ratechange', keepRate)
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

interface Settings {
  volume: number
  isMuted: boolean
  usesKeys: boolean
  /** True when the next video starts automatically. */
  autoplays: boolean
}

const SETTINGS_KEY = 'plaza.player'
const POINTS_KEY = 'plaza.resume'
const POINTS_MAX = 100
/** Seconds at the beginning of a file in which no position is stored. */
const START_S = 5
/** Seconds at the end of a file in which no position is stored. */
const END_S = 10

const DEFAULT_SETTINGS: Settings = { volume: 1, isMuted: false, usesKeys: true, autoplays: true }

export function loadSettings(): Settings {
  return { ...DEFAULT_SETTINGS, ...(loadJson(SETTINGS_KEY) as Partial<Settings> | null) }
}

export function saveSettings(change: Partial<Settings>): void {
  keep(SETTINGS_KEY, JSON.stringify({ ...loadSettings(), ...change }))
}

function loadPoints(): Record<string, unknown> {
  return (loadJson(POINTS_KEY) ?? {}) as Record<string, unknown>
}

/** Returns the stored position in seconds, or 0 when there is none. */
export function loadPoint(id: string): number {
  const point = loadPoints()[id]
  return typeof point === 'number' && Number.isFinite(point) ? point : 0
}

/**
 * Stores the playback position of a media file in seconds, or removes it near the beginning and the end.
 * Retains the latest hundred positions.
 */
export function keepPoint(id: string, time: number, duration: number): void {
  const { [id]: _, ...others } = loadPoints()
  const isBetween = time > START_S && time < duration - END_S
  const points = Object.entries(others).slice(isBetween ? 1 - POINTS_MAX : 0)
  if (isBetween) points.push([id, Math.floor(time)])
  keep(POINTS_KEY, JSON.stringify(Object.fromEntries(points)))
}
