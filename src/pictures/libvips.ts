import type { Metadata, Sharp } from 'sharp'

/** Maximum number of pixels in a decoded picture, over all frames. */
export const PIXELS_MAX = 100_000_000
const TIMEOUT_S = 60

/**
 * Formats that libvips may read. SVG is allowed only from memory, for drawings of this server, because a
 * malicious SVG can occupy a processor indefinitely.
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

/**
 * Opens a picture with sharp, which is loaded on first use. Processing the picture fails when it is damaged.
 */
export async function openPicture(source: string | Buffer): Promise<Sharp> {
  loading ??= load()
  const sharp = await loading
  return sharp(source, { failOn: 'error', limitInputPixels: PIXELS_MAX }).timeout({
    seconds: TIMEOUT_S,
  })
}

let encoding: Promise<boolean> | undefined

export function encodesAvif(): Promise<boolean> {
  loading ??= load()
  encoding ??= loading.then((sharp) => {
    const drawn = sharp({ create: { width: 16, height: 16, channels: 3, background: 'black' } })
    const encoded = drawn.avif().toBuffer()
    return encoded.then(
      () => true,
      () => false,
    )
  })
  return encoding
}

export async function readHeader(localFile: string): Promise<Metadata> {
  loading ??= load()
  const sharp = await loading
  return sharp(localFile, { limitInputPixels: false }).metadata()
}
