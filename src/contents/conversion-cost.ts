import type { FileRow, JobQueue } from '../db/media-tables.ts'
import { SHORT_EXPECTED_MS } from '../jobs/limits.ts'

export type FileCost = Pick<
  FileRow,
  'mime_type' | 'size_bytes' | 'width' | 'height' | 'duration_ms'
>

/** Source pixels, summed over all frames, that one processor converts to all renditions in one second. */
const PIXELS_PER_SECOND = 25_000_000
/** Frames per second, assumed because the metadata of uploads contains no frame rate. */
const FRAME_RATE = 30
/** Milliseconds of audio that a processor converts per millisecond. */
const SOUND_SPEED = 100
const BASE_MS = 1000
/** Bytes above which every file goes to the long queue, because reading it takes time. */
const SHORT_BYTES = 64 * 1024 ** 2
/** Bytes above which a file with unknown duration or dimensions goes to the long queue. */
const UNKNOWN_BYTES = 4 * 1024 ** 2
const MAX_MS = 2 ** 50

/**
 * Returns the queue for a file's conversion and the expected processor time in milliseconds. Wrong metadata can make
 * the actual time longer, so the short queue limits the actual time too.
 */
export function expectedCost(file: FileCost): { queue: JobQueue; expectedMs: number } {
  const known = knownMs(file)
  const expectedMs = Math.min(MAX_MS, Math.ceil(known ?? SHORT_EXPECTED_MS))
  const bytes = known === undefined ? UNKNOWN_BYTES : SHORT_BYTES
  const isShort = expectedMs <= SHORT_EXPECTED_MS && file.size_bytes <= bytes
  return { queue: isShort ? 'short' : 'long', expectedMs }
}

function knownMs({ mime_type, width, height, duration_ms }: FileCost): number | undefined {
  if (duration_ms === null) return undefined
  if (!mime_type.startsWith('video/')) return BASE_MS + duration_ms / SOUND_SPEED
  if (width === null || height === null) return undefined
  return BASE_MS + (width * height * FRAME_RATE * duration_ms) / PIXELS_PER_SECOND
}
