import { PictureRefused } from './refused.ts'
import { FRAMES_MAX, type Scan } from './scan.ts'

/** Names of the application extensions that contain the repeat count of an animation. */
const ALLOWED_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])
/** Maximum number of extensions. A normal file has one or two per frame. */
const EXTENSIONS_MAX = 20_000
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff

/**
 * Records in `scan` the parts to keep: all except extensions that do not change the animation, such as comments and
 * XMP, and data after the picture. `canvas` is the number of pixels of a frame. Errors: PictureRefused.
 */
export async function scanGif(scan: Scan): Promise<{ frames: number; canvas: number }> {
  const screen = await scan.read(13)
  const canvas = screen.readUInt16LE(6) * screen.readUInt16LE(8)
  scan.skip(paletteLength(screen.readUInt8(10)))
  scan.keep(0)
  for (let frames = 0, extensions = 0; ; ) {
    const start = scan.offset
    const kind = (await scan.read(1)).readUInt8()
    if (kind === TRAILER) {
      scan.keep(start)
      return { frames, canvas }
    }
    if (kind === IMAGE) {
      const descriptor = await scan.read(9)
      scan.skip(paletteLength(descriptor.readUInt8(8)) + 1)
      await passBlocks(scan)
      scan.keep(start)
      frames++
      if (frames > FRAMES_MAX) {
        throw new PictureRefused('invalid.picture_frames', { limit: FRAMES_MAX })
      }
    } else if (kind === EXTENSION && extensions < EXTENSIONS_MAX) {
      extensions++
      if (await passExtension(scan)) scan.keep(start)
    } else {
      throw new PictureRefused('invalid.picture')
    }
  }
}

/** Reads an extension. Returns true if the picture needs it: for frame timing, transparency or the repeat count. */
async function passExtension(scan: Scan): Promise<boolean> {
  const label = (await scan.read(1)).readUInt8()
  if (label !== APPLICATION) {
    await passBlocks(scan)
    return label === GRAPHIC_CONTROL
  }
  const length = (await scan.read(1)).readUInt8()
  const name = (await scan.read(length)).toString('latin1')
  if (length > 0) await passBlocks(scan)
  return ALLOWED_APPLICATIONS.has(name)
}

/**
 * Skips blocks up to and including the empty block. Each block has up to 255 bytes and is preceded by its
 * length.
 */
async function passBlocks(scan: Scan): Promise<void> {
  for (;;) {
    const bytes = await scan.window()
    let passed = 0
    while (passed < bytes.length) {
      const length = bytes[passed] as number
      passed += 1 + length
      if (length === 0) return scan.skip(passed)
    }
    scan.skip(passed)
  }
}

function paletteLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}
