import { PictureRefused } from './refused.ts'
import { FRAMES_MAX, type Range, type Scan } from './scan.ts'

/** Chunks that belong to the picture (PNG, third edition, sections 11.2 and 11.3). */
const ALLOWED = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM cICP cLLI gAMA iCCP mDCV sBIT sRGB bKGD pHYs acTL fcTL fdAT'.split(
    ' ',
  ),
)

/** Maximum number of chunks. The largest pictures have far fewer. */
const CHUNKS_MAX = 200_000
/** Maximum number of removed chunks, such as texts. */
const OTHERS_MAX = 1000

export interface PngFacts {
  frames: number
  exif: Range | null
}

/**
 * Records in `scan` the parts to keep: the signature and the chunks that belong to the picture. `exif` is the first
 * EXIF chunk, which can contain the orientation. Errors: PictureRefused.
 */
export async function scanPng(scan: Scan): Promise<PngFacts> {
  scan.skip(8)
  scan.keep(0)
  const facts: PngFacts = { frames: 0, exif: null }
  const seen = new Set<string>()
  for (let chunks = 1, others = 0; ; chunks++) {
    const start = scan.offset
    const head = await scan.read(8)
    const name = head.toString('latin1', 4)
    // Skips the chunk's content and its checksum of 4 bytes.
    scan.skip(head.readUInt32BE(0) + 4)
    if (start === 8 && name !== 'IHDR') throw new PictureRefused('invalid.picture')
    // Keeps only the first colour profile. A picture may have only one (section 5.6), and sharp decompresses
    // each.
    if (ALLOWED.has(name) && !(name === 'iCCP' && seen.has(name))) scan.keep(start)
    else others++
    if (name === 'eXIf') facts.exif ??= { start, end: scan.offset }
    if (name === 'fcTL' && seen.has('acTL')) facts.frames++
    // Ignores an `acTL` after the pixels, which does not start an animation (section 11.3.6.1).
    if (ALLOWED.has(name) && !(name === 'acTL' && seen.has('IDAT'))) seen.add(name)
    if (facts.frames > FRAMES_MAX) {
      throw new PictureRefused('invalid.picture_frames', { limit: FRAMES_MAX })
    }
    if (chunks > CHUNKS_MAX || others > OTHERS_MAX) throw new PictureRefused('invalid.picture')
    if (name === 'IEND') return facts
  }
}
