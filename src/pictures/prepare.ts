import { join } from 'node:path'
import type { Metadata } from 'sharp'
import { Semaphore } from '../semaphore.ts'
import { toStorageError } from '../storage/store.ts'
import { PIXELS_MAX, readHeader } from './libvips.ts'
import {
  isTurned,
  scanPicture,
  type Scanned,
  writeAsStill,
  writeClean,
  writeOpened,
} from './metadata.ts'
import { PictureRefused } from './refused.ts'
import { writeThumbnail } from './thumbnail.ts'

/**
 * Maximum bytes for all pictures that are decoded simultaneously (MEMORY), and minimum bytes reserved for each
 * (MEMORY_LEAST).
 */
const MEMORY = 512 * 1024 * 1024
const MEMORY_LEAST = MEMORY / 2
const semaphore = new Semaphore(MEMORY)

/**
 * Measured bytes per pixel of pictures that must be in memory completely: rotated (TURNED), progressive (IN_PASSES) and
 * AVIF. Other pictures are decoded line by line.
 */
const TURNED: Record<string, number> = { jpeg: 4, png: 4, webp: 21 }
const IN_PASSES: Record<string, number> = { jpeg: 7, png: 8 }
const AVIF = 20

const FORMATS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'heif',
}

interface PreparedPicture {
  /** Path of the picture without metadata. The original's path if the original has no metadata. */
  localFile: string
  width: number
  height: number
  thumbnail: string
}

/**
 * Removes the metadata of a picture and makes a thumbnail. Writes only into `folder`. Errors: StorageFull;
 * PictureRefused for a picture that is too large or cannot be decoded.
 */
export function preparePicture(
  localFile: string,
  mimeType: string,
  folder: string,
): Promise<PreparedPicture> {
  return withPicture(localFile, mimeType, folder, (opened, scanned, header) =>
    prepare({ localFile, opened }, folder, scanned, header),
  )
}

/**
 * Reserves memory for decoding and calls `use` with a file that sharp can open safely. Writes only into `folder`.
 * Errors: StorageFull; PictureRefused for a picture that is too large or cannot be decoded.
 */
export async function withPicture<T>(
  localFile: string,
  mimeType: string,
  folder: string,
  use: (opened: string, scanned: Scanned, header: Metadata) => Promise<T>,
): Promise<T> {
  try {
    const scanned = await scanPicture(localFile, mimeType)
    const opened = await writeOpened(localFile, mimeType, join(folder, 'opened'), scanned)
    const header = await semaphore.run(MEMORY_LEAST, () => readHeader(opened))
    const cost = costOf(header, mimeType, scanned)
    return await semaphore.run(cost, () => use(opened, scanned, header))
  } catch (error) {
    throw toRefusal(error)
  }
}

async function prepare(
  files: { localFile: string; opened: string },
  folder: string,
  scanned: Scanned,
  header: Metadata,
): Promise<PreparedPicture> {
  const clean = join(folder, 'clean')
  const isChanged = await writeClean(files, clean, scanned, header)
  const stored = isChanged ? clean : files.localFile
  const thumbnail = join(folder, 'thumbnail')
  const shown = scanned.isSequence ? await writeAsStill(stored, join(folder, 'still')) : stored
  await writeThumbnail(shown, thumbnail)
  const { width, height, pageHeight } = isChanged ? await readHeader(shown) : header
  return { localFile: stored, width, height: pageHeight ?? height, thumbnail }
}

/**
 * Returns the bytes to reserve for decoding a picture. Errors: PictureRefused when the picture is too large or is not
 * of the type `mimeType`.
 */
function costOf(header: Metadata, mimeType: string, scanned: Scanned): number {
  if (header.format !== FORMATS[mimeType]) throw new PictureRefused('invalid.picture')
  const { format, isProgressive } = header
  const cost =
    (format === 'heif' ? AVIF : 0) +
    (isProgressive ? (IN_PASSES[format] ?? 0) : 0) +
    (isTurned(header, scanned) ? (TURNED[format] ?? 0) : 0)
  const most = cost === 0 ? PIXELS_MAX : Math.min(PIXELS_MAX, MEMORY / cost)
  const canvas = Math.max(header.width * (header.pageHeight ?? header.height), scanned.canvas)
  if (canvas * Math.max(1, scanned.frames) > most) {
    throw new PictureRefused('invalid.picture_size', { limit: Math.floor(most / 1_000_000) })
  }
  return Math.max(MEMORY_LEAST, canvas * cost)
}

/**
 * Converts an error to PictureRefused or a storage error, except a TypeError, which is a bug. A full disk is recognised
 * by the message, because sharp sets no error code.
 */
function toRefusal(error: unknown): unknown {
  if (error instanceof PictureRefused || error instanceof TypeError) return error
  const { message, code } = error as { message: string; code?: string }
  if (/no space left|quota exceeded/i.test(message)) {
    return toStorageError(Object.assign(new Error(message, { cause: error }), { code: 'ENOSPC' }))
  }
  return code === undefined
    ? new PictureRefused('invalid.picture', {}, { cause: error })
    : toStorageError(error)
}
