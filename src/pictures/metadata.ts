/**
 * Removes the metadata of pictures. Rotates and encodes a picture again if only its Exif data contain the
 * rotation. Otherwise the picture data stay bit-identical.
 */
import { copyFile, type FileHandle, open, stat } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import { MAJOR_BRAND, scanAvif } from './avif.ts'
import { scanGif } from './gif.ts'
import { scanJpeg } from './jpeg.ts'
import { openPicture } from './libvips.ts'
import { scanPng } from './png.ts'
import { type Range, Scan } from './scan.ts'
import { scanWebp } from './webp.ts'

const CHUNK = 1024 * 1024
/** Maximum size of a rotated JPEG, as a multiple of the original's size. */
const GROWTH_MAX = 1.1
const QUALITY_STEP = 6
/** Minimum quality when a rotated JPEG is reduced to GROWTH_MAX. A JPEG that is larger even then is accepted. */
const QUALITY_MIN = 20

export interface Scanned {
  frames: number
  isLossless: boolean
  /** True for an animated AVIF. Sharp opens an animated AVIF only with the brand of a still one. */
  isSequence: boolean
  /** Quality of a JPEG on libjpeg's scale. 0 when unknown. */
  quality: number
  /** Number of pixels of one frame of a GIF, according to its header. 0 for other types, whose size sharp reads. */
  canvas: number
  /** Parts of the file to keep. Null when nothing is removed. */
  pieces: Scan['pieces'] | null
  exif: Range | null
}

/** Scans the structure without decoding the picture. Errors: PictureRefused for a damaged file or too many frames. */
export async function scanPicture(localFile: string, mimeType: string): Promise<Scanned> {
  const handle = await open(localFile)
  try {
    const scan = new Scan(handle, (await handle.stat()).size)
    const found = {
      frames: 0,
      isLossless: true,
      isSequence: false,
      quality: 0,
      canvas: 0,
      exif: null,
    }
    switch (mimeType) {
      case 'image/jpeg':
        Object.assign(found, await scanJpeg(scan))
        break
      case 'image/png':
        Object.assign(found, await scanPng(scan))
        break
      case 'image/gif':
        Object.assign(found, await scanGif(scan))
        break
      case 'image/webp':
        Object.assign(found, await scanWebp(scan))
        break
      default:
        Object.assign(found, await scanAvif(scan))
    }
    return { ...found, pieces: scan.isWhole ? null : scan.pieces }
  } finally {
    await handle.close()
  }
}

/**
 * True when the pixels must be rotated, because the metadata with the orientation will be removed. False for
 * animations, which are never rotated.
 */
export function isTurned({ orientation = 1 }: Metadata, { frames }: Scanned): boolean {
  return orientation > 1 && frames < 2
}

/**
 * Returns the path of a file that sharp can open safely: `localFile`, or a copy at `target`. The copy of an
 * animated AVIF shows its first picture. The copy of a PNG has no text, because sharp would decompress
 * gigabytes of it.
 */
export async function writeOpened(
  localFile: string,
  mimeType: string,
  target: string,
  { pieces, exif, isSequence }: Scanned,
): Promise<string> {
  if (isSequence) return writeAsStill(localFile, target)
  if (mimeType !== 'image/png' || !pieces) return localFile
  await writePieces(localFile, target, exif ? insertBehindHeader(pieces, exif) : pieces)
  return target
}

/** Copies an AVIF sequence to `target` with the brand of a still AVIF, so that sharp opens its first picture. */
export async function writeAsStill(localFile: string, target: string): Promise<string> {
  await copyFile(localFile, target)
  const handle = await open(target, 'r+')
  try {
    await handle.write('avif', MAJOR_BRAND, 'latin1')
  } finally {
    await handle.close()
  }
  return target
}

/** Bytes of the PNG signature and the header chunk. */
const PNG_HEADER = 33

function insertBehindHeader(pieces: Scan['pieces'], exif: Range): Scan['pieces'] {
  const [first, ...rest] = pieces
  if (!first || Buffer.isBuffer(first)) return pieces
  return [{ start: 0, end: PNG_HEADER }, exif, { start: PNG_HEADER, end: first.end }, ...rest]
}

/**
 * Writes the picture without its metadata to `target`. Returns false and writes nothing when the picture has no
 * metadata. Copies bytes of `localFile`, or encodes `opened` when the picture must be rotated. Sharp must be
 * able to open `opened` safely.
 */
export async function writeClean(
  { localFile, opened }: { localFile: string; opened: string },
  target: string,
  scanned: Scanned,
  header: Metadata,
): Promise<boolean> {
  const { pieces } = scanned
  if (isTurned(header, scanned)) await encode(opened, target, scanned, header)
  else if (pieces) await writePieces(localFile, target, pieces)
  else return false
  return true
}

async function encode(
  localFile: string,
  target: string,
  { isLossless, quality }: Scanned,
  { format, space, chromaSubsampling }: Metadata,
): Promise<void> {
  const picture = (await openPicture(localFile)).autoOrient()
  // Sharp converts CMYK to sRGB, so the CMYK profile no longer applies.
  if (space !== 'cmyk') picture.keepIccProfile()
  switch (format) {
    case 'jpeg': {
      const chroma = chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0'
      const most = (await stat(localFile)).size * GROWTH_MAX
      for (let next = quality || 90; ; next -= QUALITY_STEP) {
        // Optimised coding would need twice the memory.
        picture.jpeg({
          quality: next,
          chromaSubsampling: chroma,
          optimiseCoding: false,
        })
        const { size } = await picture.toFile(target)
        if (size <= most || next - QUALITY_STEP < QUALITY_MIN) return
      }
    }
    case 'webp':
      picture.webp(isLossless ? { lossless: true, effort: 2 } : { quality: 92, effort: 2 })
      break
    default:
      picture.png()
  }
  await picture.toFile(target)
}

async function writePieces(localFile: string, target: string, pieces: Scan['pieces']) {
  const [from, to] = [await open(localFile), await open(target, 'wx', 0o600)]
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) await to.appendFile(piece)
      else await copyRange(from, to, piece, chunk)
    }
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}

async function copyRange(
  from: FileHandle,
  to: FileHandle,
  { start, end }: Range,
  chunk: Buffer,
): Promise<void> {
  for (let position = start; position < end; ) {
    const { bytesRead } = await from.read(chunk, 0, Math.min(CHUNK, end - position), position)
    if (bytesRead === 0) throw new Error('the picture file became shorter while it was read')
    await to.appendFile(chunk.subarray(0, bytesRead))
    position += bytesRead
  }
}
