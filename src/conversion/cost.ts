/** How long a conversion will take, as far as the upload tells. */
import type { FileRow, JobQueue } from '../db/media-tables.ts'
import { SHORT_EXPECTED_MS } from '../jobs/limits.ts'

export type FileCost = Pick<
  FileRow,
  'mime_type' | 'size_bytes' | 'width' | 'height' | 'duration_ms'
>

/** Pixels of the source that one second of one processor converts to all sizes. */
const PIXELS_PER_SECOND = 25_000_000
/** Frames a second, which uploads do not tell. */
const FRAME_RATE = 30
/** Milliseconds of sound that one millisecond of one processor converts. */
const SOUND_SPEED = 100
/** Milliseconds for the start of all programs. */
const BASE_MS = 1000
/** Larger files are long: reading them takes time, too. */
const SHORT_BYTES = 64 * 1024 ** 2
/** The same for a file of unknown length or size of picture. */
const UNKNOWN_BYTES = 4 * 1024 ** 2
const MAX_MS = 2 ** 50

/**
 * Expected processor time of a file's conversion, in milliseconds, and its queue. It believes what the
 * file says of itself, so the short queue has limits of its own.
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
