/** The library that decodes and encodes pictures, loaded when the first one comes. */
import type { Metadata, Sharp } from 'sharp'

/** Pixels of a picture that is decoded, all frames together. */
export const PIXELS_MAX = 100_000_000
/** Seconds after which work on one picture is given up. */
const TIMEOUT_S = 60

/**
 * The types that are taken, and what this server draws itself, which is no file: a stranger's SVG
 * keeps a processor busy for as long as its author likes.
 */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'SvgBuffer']

type Library = typeof import('sharp')['default']
let loading: Promise<Library> | undefined

async function load(): Promise<Library> {
  const { default: sharp } = await import('sharp')
  // Each picture has one thread; how many have one at once is the caller's to bound.
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) })
  return sharp
}

/** A picture, of a file or of bytes; anything wrong with it fails the work on it. */
export async function openPicture(source: string | Buffer): Promise<Sharp> {
  loading ??= load()
  const sharp = await loading
  return sharp(source, { failOn: 'error', limitInputPixels: PIXELS_MAX }).timeout({
    seconds: TIMEOUT_S,
  })
}

/** What the header of a picture tells, however large it is. */
export async function readHeader(localFile: string): Promise<Metadata> {
  loading ??= load()
  const sharp = await loading
  return sharp(localFile, { limitInputPixels: false }).metadata()
}
