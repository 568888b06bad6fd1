/** Reads the header of a Flash file (SWF File Format Specification 19, chapter 2). */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, createInflate } from 'node:zlib'
import { type Bundle, BundleRefused, linkFile } from './bundle.ts'

/** Bytes of signature, version and length, which are always uncompressed. */
const START_BYTES = 8
const PACKED_BYTES = 1024
const UNPACKED_BYTES = 64 * 1024
/** Highest accepted SWF version. The highest version in use is 51. */
const LAST_VERSION = 59
const TWIPS = 20
/** Bytes of the compressed length (4) and the decoder properties (5). */
const LZMA_BYTES = 9
/** Number of valid values of the properties byte: `(pb * 5 + lp) * 9 + lc`, with pb and lp up to 4 and lc up to 8. */
const LZMA_PROPERTIES = 9 * 5 * 5
const FILE_ATTRIBUTES = 69

const COMPRESSIONS: Record<string, 'none' | 'zlib' | 'lzma'> = {
  FWS: 'none',
  CWS: 'zlib',
  ZWS: 'lzma',
}

interface Frame {
  width: number | null
  height: number | null
  frame_rate: number
  frame_count: number
}

/**
 * Returns a Flash file as a bundle, with facts from its header. The size does not come from the header, which may
 * misstate it. For LZMA-compressed games, all facts except the version and the compression are null.
 * Errors: BundleRefused, StorageFull.
 */
export async function inspectSwf(localFile: string, folder: string): Promise<Bundle> {
  const { start, sizeBytes } = await readStart(localFile)
  const facts = await readHeader(start)
  const stored = join(folder, '0')
  await linkFile(localFile, stored)
  const mimeType = 'application/x-shockwave-flash'
  const file = { path: 'movie.swf', mimeType, sizeBytes, localFile: stored }
  return { runtime: 'swf', entry: null, facts, warnings: [], files: [file] }
}

async function readStart(localFile: string): Promise<{ start: Buffer; sizeBytes: number }> {
  const handle = await open(localFile, 'r')
  try {
    const length = START_BYTES + PACKED_BYTES
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0)
    return { start: buffer.subarray(0, bytesRead), sizeBytes: (await handle.stat()).size }
  } finally {
    await handle.close()
  }
}

/**
 * Returns facts from the header of a Flash file. `start` contains the first bytes of the file. Errors:
 * BundleRefused.
 */
export async function readHeader(start: Buffer): Promise<Bundle['facts']> {
  const compression = COMPRESSIONS[start.toString('latin1', 0, 3)]
  const version = start[3] ?? 0
  const rest = start.subarray(START_BYTES)
  if (!compression || version < 1 || version > LAST_VERSION || rest.length === 0) refuse()
  const known = { version, compression }
  if (compression === 'lzma') {
    if (rest.length < LZMA_BYTES + 1 || (rest[4] as number) >= LZMA_PROPERTIES) refuse()
    const frame = { width: null, height: null, frame_rate: null, frame_count: null }
    return { ...known, ...frame, action_script: null, network: null }
  }
  const bytes = compression === 'none' ? rest : await inflateStart(rest)
  const { frame, end } = readFrame(bytes)
  return { ...known, ...frame, ...readAttributes(bytes, end, version) }
}

async function inflateStart(packed: Buffer): Promise<Buffer> {
  // Z_SYNC_FLUSH accepts input that is cut off before the end of the compressed data.
  const inflate = createInflate({ chunkSize: UNPACKED_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
  inflate.end(packed)
  try {
    // Returning from the loop destroys the decoder, so it decompresses no further data.
    for await (const chunk of inflate) return chunk
    return refuse()
  } catch {
    return refuse()
  }
}

/**
 * Reads the frame size (a rectangle in twips), rate (8.8 fixed point) and count. `end` is the offset of the
 * next byte.
 */
function readFrame(bytes: Buffer): { frame: Frame; end: number } {
  const bits = (bytes[0] ?? 0) >> 3
  const end = Math.ceil((5 + 4 * bits) / 8)
  if (bytes.length < end + 4) refuse()
  const [left, right, top, bottom] = [0, 1, 2, 3].map((i) => signedBits(bytes, 5 + i * bits, bits))
  const pixels = (from = 0, to = 0) => (to > from ? Math.round((to - from) / TWIPS) || null : null)
  const frame = {
    width: pixels(left, right),
    height: pixels(top, bottom),
    frame_rate: bytes.readUInt16LE(end) / 256,
    frame_count: bytes.readUInt16LE(end + 2),
  }
  return { frame, end: end + 4 }
}

function signedBits(bytes: Buffer, start: number, count: number): number {
  let value = 0
  for (let i = start; i < start + count; i++) {
    value = value * 2 + (((bytes[i >> 3] as number) >> (7 - (i & 7))) & 1)
  }
  return count > 0 && value >= 2 ** (count - 1) ? value - 2 ** count : value
}

/**
 * Returns the ActionScript version and the network flag from the FileAttributes tag. Without the tag, the network
 * flag is null. Without its ActionScript 3 flag, the ActionScript version follows from the SWF version.
 */
function readAttributes(bytes: Buffer, offset: number, version: number) {
  const hasTag = bytes.length >= offset + 3 && bytes.readUInt16LE(offset) >> 6 === FILE_ATTRIBUTES
  const isShort = hasTag && (bytes.readUInt16LE(offset) & 0x3f) !== 0x3f
  const flags = hasTag ? (bytes[offset + (isShort ? 2 : 6)] ?? 0) : 0
  const isThird = (flags & 0x08) !== 0
  return {
    action_script: isThird ? 3 : version >= 7 ? 2 : 1,
    network: hasTag ? flags & 0x01 : null,
  }
}

function refuse(): never {
  throw new BundleRefused('invalid.bundle_swf')
}
