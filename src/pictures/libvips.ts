/** Loads sharp, which decodes and encodes pictures, when it is first needed. */
import type { Metadata, Sharp } from 'sharp'

/** Maximum number of pixels in a decoded picture, all frames together. */
export const PIXELS_MAX = 100_000_000
/** Maximum time in seconds for processing one picture. */
const TIMEOUT_S = 60

/**
 * Allowed decoders: the accepted upload types, and SVG from memory for the server's own drawings.
 *
 * SVG from files is blocked, since a malicious SVG can occupy a processor for any length of time.
 */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'SvgBuffer']

type Library = typeof import('sharp')['default']
let loading: Promise<Library> | undefined

async function load(): Promise<Library> {
  const { default: sharp } = await import('sharp')
  // One thread per picture. Callers limit how many pictures are processed at once.
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) })
  return sharp
}

/** Opens a picture from a file or from bytes. Any defect in it makes its processing fail. */
export async function openPicture(source: string | Buffer): Promise<Sharp> {
  loading ??= load()
  const sharp = await loading
  return sharp(source, { failOn: 'error', limitInputPixels: PIXELS_MAX }).timeout({
    seconds: TIMEOUT_S,
  })
}

/** Reads the header of a picture, whatever its size. */
export async function readHeader(localFile: string): Promise<Metadata> {
  loading ??= load()
  const sharp = await loading
  return sharp(localFile, { limitInputPixels: false }).metadata()
}
