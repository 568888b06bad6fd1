import { PictureRefused } from './refused.ts'
import { FRAMES_MAX, type Range, type Scan } from './scan.ts'

/** The chunks that make the picture (PNG, third edition, sections 11.2 and 11.3): no text, time or Exif. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM cICP cLLI gAMA iCCP mDCV sBIT sRGB bKGD pHYs acTL fcTL fdAT'.split(
    ' ',
  ),
)

/** All together, many times what the largest pictures have. */
const CHUNKS_MAX = 200_000
/** Texts and the like, of which the library sees none. */
const OTHERS_MAX = 1000

/** What a PNG has beside what makes it. */
export interface PngFacts {
  /** 0 where it is no animation. */
  frames: number
  /** The chunk that says how to turn it; null where there is none. */
  exif: Range | null
}

/** Leaves out texts, times, Exif, and all that follows the picture. */
export async function scanPng(scan: Scan): Promise<PngFacts> {
  scan.skip(8)
  scan.keep(0)
  const facts: PngFacts = { frames: 0, exif: null }
  const seen = new Set<string>()
  for (let chunks = 1, others = 0; ; chunks++) {
    const start = scan.at
    const head = await scan.read(8)
    const name = head.toString('latin1', 4)
    // The bytes are followed by a checksum.
    scan.skip(head.readUInt32BE(0) + 4)
    if (start === 8 && name !== 'IHDR') throw new PictureRefused('invalid.picture')
    // A profile is packed, and each one is unpacked; a picture has one (section 5.6).
    if (KEPT.has(name) && !(name === 'iCCP' && seen.has(name))) scan.keep(start)
    else others++
    if (name === 'eXIf') facts.exif ??= { start, end: scan.at }
    if (name === 'fcTL' && seen.has('acTL')) facts.frames++
    // One that comes after pixels makes no animation (section 11.3.6.1).
    if (KEPT.has(name) && !(name === 'acTL' && seen.has('IDAT'))) seen.add(name)
    if (facts.frames > FRAMES_MAX) {
      throw new PictureRefused('invalid.picture_frames', { limit: FRAMES_MAX })
    }
    if (chunks > CHUNKS_MAX || others > OTHERS_MAX) throw new PictureRefused('invalid.picture')
    if (name === 'IEND') return facts
  }
}
