import { keep, loadJson } from '../../device/storage.ts'

interface Settings {
  volume: number
  isMuted: boolean
  usesKeys: boolean
  /** True when the next video starts automatically. */
  autoplays: boolean
}

const KEY = 'plaza.player'
const POINTS_KEY = 'plaza.resume'
const POINTS_MAX = 100
/** Seconds at the beginning of a file in which no position is stored. */
const START_S = 5
/** Seconds at the end of a file in which no position is stored. */
const END_S = 10

const AT_FIRST: Settings = { volume: 1, isMuted: false, usesKeys: true, autoplays: true }

export function loadSettings(): Settings {
  return { ...AT_FIRST, ...(loadJson(KEY) as Partial<Settings> | null) }
}

export function saveSettings(change: Partial<Settings>): void {
  keep(KEY, JSON.stringify({ ...loadSettings(), ...change }))
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
