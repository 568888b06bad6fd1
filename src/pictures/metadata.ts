/**
 * Takes a picture's metadata away. Where only its Exif says how to turn it, the pixels are turned,
 * which means encoding them again; else they stay as they are, bit by bit.
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
/** How much larger a turned JPEG may be than it came. */
const GROWTH_MAX = 1.1
const QUALITY_STEP = 6
/** A JPEG in a lower quality than this is turned at that size, whatever it grows by. */
const QUALITY_MIN = 20

/** What a look through the whole of a file tells. */
export interface Scanned {
  /** 0 where it is no animation. */
  frames: number
  isLossless: boolean
  /** True for an animated AVIF, which the library opens by the brand of a still one only. */
  isSequence: boolean
  /** Of a JPEG, as libjpeg counts it; 0 where it is unknown. */
  quality: number
  /** Pixels that the header of an animation claims; 0 where that is left to the library. */
  canvas: number
  /** The bytes that make the picture; null where that is the file as it is. */
  pieces: Scan['pieces'] | null
  /** The chunk of a PNG that says how to turn it. */
  exif: Range | null
}

/** Looks through the parts of a picture, without decoding any. Errors: PictureRefused for a broken one. */
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

/** Whether the pixels have to be turned to look as they do with their metadata. */
export function isTurned({ orientation = 1 }: Metadata, { frames }: Scanned): boolean {
  return orientation > 1 && frames < 2
}

/**
 * The file that the library may open: the library unpacks every text of a PNG, and a small file may
 * have gigabytes of them, so it gets one without, which is `target`. What says how to turn it stays.
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

/** Writes a copy of an animated AVIF that names the brand of a still one: its first picture. */
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

/** The signature of a PNG, and the header with its checksum, in bytes. */
const PNG_HEADER = 33

function insertBehindHeader(pieces: Scan['pieces'], exif: Range): Scan['pieces'] {
  const [first, ...rest] = pieces
  if (!first || Buffer.isBuffer(first)) return pieces
  return [{ start: 0, end: PNG_HEADER }, exif, { start: PNG_HEADER, end: first.end }, ...rest]
}

/**
 * Writes the picture without its metadata; false where it has none and nothing was written. The
 * library opens `opened`.
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

/** Encodes the pixels again, upright, in about the quality they had. */
async function encode(
  localFile: string,
  target: string,
  { isLossless, quality }: Scanned,
  { format, space, chromaSubsampling }: Metadata,
): Promise<void> {
  const picture = (await openPicture(localFile)).autoOrient()
  // What is printed with is not what a screen shows: that is brought to sRGB.
  if (space !== 'cmyk') picture.keepIccProfile()
  switch (format) {
    case 'jpeg': {
      const chroma = chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0'
      const most = (await stat(localFile)).size * GROWTH_MAX
      for (let next = quality || 90; ; next -= QUALITY_STEP) {
        // To look for the best code takes twice the memory.
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
  for (let at = start; at < end; ) {
    const { bytesRead } = await from.read(chunk, 0, Math.min(CHUNK, end - at), at)
    if (bytesRead === 0) throw new Error('a picture became shorter while it was read')
    await to.appendFile(chunk.subarray(0, bytesRead))
    at += bytesRead
  }
}
