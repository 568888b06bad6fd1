import { PictureRefused } from './refused.ts'
import { FRAMES_MAX, type Scan } from './scan.ts'

/** Chunks that belong to the picture (RFC 9649, section 2.7). */
const ALLOWED = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const CHUNKS_MAX = FRAMES_MAX + 100
const EXIF_AND_XMP = 0x0c

interface Chunk {
  name: string
  start: number
  /** Offset of the end of the chunk, including its padding byte. */
  end: number
}

/**
 * Records in `scan` the parts to keep: all except metadata and data after the picture. Returns the number of animation
 * frames (0 for a still picture), and whether the picture is lossless. Errors: PictureRefused.
 */
export async function scanWebp(scan: Scan): Promise<{ frames: number; isLossless: boolean }> {
  const header = Buffer.from(await scan.read(12))
  const end = header.readUInt32LE(4) + 8
  const chunks = await listChunks(scan, end)
  const allowed = chunks.filter(({ name }) => ALLOWED.has(name))
  if (allowed.length === chunks.length && scan.offset === scan.size) {
    scan.keep(0)
  } else {
    header.writeUInt32LE(4 + allowed.reduce((sum, chunk) => sum + chunk.end - chunk.start, 0), 4)
    scan.put(header)
    for (const chunk of allowed) await keepChunk(scan, chunk)
  }
  const count = (wanted: string) => allowed.filter(({ name }) => name === wanted).length
  return { frames: count('ANMF'), isLossless: count('VP8L') > 0 }
}

async function listChunks(scan: Scan, end: number): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  while (scan.offset < end) {
    const start = scan.offset
    const head = await scan.read(8)
    const length = head.readUInt32LE(4)
    scan.skip(length)
    if (length % 2 === 1 && scan.offset < end) scan.skip(1)
    chunks.push({ name: head.toString('latin1', 0, 4), start, end: scan.offset })
    if (chunks.length > CHUNKS_MAX) {
      throw new PictureRefused('invalid.picture_frames', { limit: FRAMES_MAX })
    }
  }
  return chunks
}

async function keepChunk(scan: Scan, { name, start, end }: Chunk): Promise<void> {
  scan.offset = start
  if (name === 'VP8X') {
    const head = Buffer.from(await scan.read(9))
    head.writeUInt8(head.readUInt8(8) & ~EXIF_AND_XMP, 8)
    scan.put(head)
  }
  const rest = scan.offset
  scan.offset = end
  scan.keep(rest)
}
