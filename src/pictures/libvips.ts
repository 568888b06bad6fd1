import type { Metadata, Sharp } from 'sharp'

/** Pixels in a decoded picture, in all frames. */
export const PIXELS_MAX = 100_000_000
const TIMEOUT_S = 60

/**
 * Allowed decoders: those of the accepted upload types, and SVG from memory for drawings that the server
 * creates. SVG from files is not allowed, because a malicious SVG can occupy a processor indefinitely.
 */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'SvgBuffer']

type Library = typeof import('sharp')['default']
let loading: Promise<Library> | undefined

async function load(): Promise<Library> {
  const { default: sharp } = await import('sharp')
  // Uses one thread per picture. Callers limit how many pictures are processed simultaneously.
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) })
  return sharp
}

/** Loads sharp on first use. Processing fails on any defect in the picture. */
export async function openPicture(source: string | Buffer): Promise<Sharp> {
  loading ??= load()
  const sharp = await loading
  return sharp(source, { failOn: 'error', limitInputPixels: PIXELS_MAX }).timeout({
    seconds: TIMEOUT_S,
  })
}

/** Accepts a picture of any size. */
export async function readHeader(localFile: string): Promise<Metadata> {
  loading ??= load()
  const sharp = await loading
  return sharp(localFile, { limitInputPixels: false }).metadata()
}
