/** Makes of an uploaded picture what is stored and shown. */
import { join } from 'node:path'
import type { Metadata } from 'sharp'
import { Budget } from '../budget.ts'
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

/** Bytes of memory for all pictures that are decoded at once, and for one at least. */
const MEMORY = 512 * 1024 * 1024
const MEMORY_LEAST = MEMORY / 2
const budget = new Budget(MEMORY)

/**
 * Bytes for each pixel, measured. All else is decoded line by line: pictures that are turned,
 * those whose lines come in several passes, and AVIF have to be in memory as a whole.
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
  /** The file to store: the one that came where it has no metadata. */
  localFile: string
  width: number
  height: number
  /** A WebP. */
  thumbnail: string
}

/**
 * Takes the metadata away from a picture of this type and makes its thumbnail, with new files in
 * `folder` alone. The file that came stays as it is.
 * Errors: PictureRefused for one that is too large, before it is decoded, or cannot be decoded;
 * StorageFull.
 */
export async function preparePicture(
  localFile: string,
  mimeType: string,
  folder: string,
): Promise<PreparedPicture> {
  try {
    const scanned = await scanPicture(localFile, mimeType)
    const opened = await writeOpened(localFile, mimeType, join(folder, 'opened'), scanned)
    const header = await budget.spend(MEMORY_LEAST, () => readHeader(opened))
    const cost = costOf(header, mimeType, scanned)
    return await budget.spend(cost, () => prepare({ localFile, opened }, folder, scanned, header))
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

/** Bytes of memory that work on a picture takes. Errors: PictureRefused where that is too much. */
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

/** What the library says of a picture it cannot decode; it tells of a full disk by its words alone. */
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
