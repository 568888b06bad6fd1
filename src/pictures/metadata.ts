/**
 * Takes a picture's metadata away. Where only its Exif says how to turn it, the pixels are turned,
 * which means encoding them again; else they stay as they are, bit by bit.
 */
import { type FileHandle, open } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import { scanAvif } from './avif.ts'
import { scanGif } from './gif.ts'
import { scanJpeg } from './jpeg.ts'
import { openPicture } from './libvips.ts'
import { scanPng } from './png.ts'
import { Scan } from './scan.ts'
import { scanWebp } from './webp.ts'

const CHUNK = 1024 * 1024

/** What a look through the whole of a file tells. */
export interface Scanned {
  /** 0 where it is no animation. */
  frames: number
  isLossless: boolean
  /** Pixels that the header of an animation claims; 0 where that is left to the library. */
  canvas: number
  /** The bytes that make the picture; null where that is the file as it is. */
  pieces: Scan['pieces'] | null
}

/** Looks through the parts of a picture, without decoding any. Errors: PictureRefused for a broken one. */
export async function scanPicture(localFile: string, mimeType: string): Promise<Scanned> {
  const handle = await open(localFile)
  try {
    const scan = new Scan(handle, (await handle.stat()).size)
    const found = { frames: 0, isLossless: true, canvas: 0 }
    switch (mimeType) {
      case 'image/jpeg':
        await scanJpeg(scan)
        break
      case 'image/png':
        await scanPng(scan)
        break
      case 'image/gif':
        Object.assign(found, await scanGif(scan))
        break
      case 'image/webp':
        Object.assign(found, await scanWebp(scan))
        break
      default:
        await scanAvif(scan)
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

/** Writes the picture without its metadata; false where it has none and nothing was written. */
export async function writeClean(
  localFile: string,
  target: string,
  scanned: Scanned,
  header: Metadata,
): Promise<boolean> {
  const { pieces } = scanned
  if (isTurned(header, scanned)) await encode(localFile, target, scanned, header)
  else if (pieces) await writePieces(localFile, target, pieces)
  else return false
  return true
}

/** Encodes the pixels again, upright, in about the quality they had. */
async function encode(
  localFile: string,
  target: string,
  { isLossless }: Scanned,
  { format, space, chromaSubsampling }: Metadata,
): Promise<void> {
  const picture = (await openPicture(localFile)).autoOrient()
  // What is printed with is not what a screen shows: that is brought to sRGB.
  if (space !== 'cmyk') picture.keepIccProfile()
  switch (format) {
    case 'jpeg': {
      const chroma = chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0'
      // To look for the best code takes twice the memory.
      picture.jpeg({ quality: 95, chromaSubsampling: chroma, optimiseCoding: false })
      break
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
      if (Buffer.isBuffer(piece)) await to.write(piece)
      else await copyRange(from, to, piece, chunk)
    }
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}

async function copyRange(
  from: FileHandle,
  to: FileHandle,
  { start, end }: { start: number; end: number },
  chunk: Buffer,
): Promise<void> {
  for (let at = start; at < end; ) {
    const { bytesRead } = await from.read(chunk, 0, Math.min(CHUNK, end - at), at)
    if (bytesRead === 0) throw new Error('a picture became shorter while it was read')
    await to.appendFile(chunk.subarray(0, bytesRead))
    at += bytesRead
  }
}
