import { PictureRefused } from './refused.ts'
import type { Scan } from './scan.ts'

/** The chunks that make the picture (PNG, third edition, sections 11.2 and 11.3): no text, time or Exif. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM cICP cLLI gAMA iCCP mDCV sBIT sRGB bKGD pHYs acTL fcTL fdAT'.split(
    ' ',
  ),
)

/** All together, many times what the largest pictures have. */
const CHUNKS_MAX = 200_000
/** Texts and the like: the library makes something of each of them. */
const OTHERS_MAX = 1000

/** Leaves out texts, times, Exif, and all that follows the picture. */
export async function scanPng(scan: Scan): Promise<void> {
  scan.skip(8)
  scan.keep(0)
  let others = 0
  for (let chunks = 1; ; chunks++) {
    const start = scan.at
    const head = await scan.read(8)
    const name = head.toString('latin1', 4)
    // The bytes are followed by a checksum.
    scan.skip(head.readUInt32BE(0) + 4)
    if (start === 8 && name !== 'IHDR') throw new PictureRefused('invalid.picture')
    if (KEPT.has(name)) scan.keep(start)
    else others++
    if (chunks > CHUNKS_MAX || others > OTHERS_MAX) throw new PictureRefused('invalid.picture')
    if (name === 'IEND') return
  }
}
