/**
 * Detects the type of an uploaded file from its first bytes (docs/api.md, Uploads). Ignores the file name and
 * the declared type.
 */

export const TAKEN =
  'PNG, JPEG, GIF, WebP, AVIF, MP4, WebM, QuickTime, MP3, Ogg, WAV, FLAC, ZIP, WebAssembly, SWF'

export const HEAD_BYTES = 4096

/** Major brands of MP4, M4A and AVIF files (ISO/IEC 14496-12, registry at mp4ra.org). */
const MP4_BRAND =
  /^(isom|iso[2-9a-c]|mp4[12]|mp71|avc1|M4V[ HP]|MSNV|XAVC|dash|cmf[2cs]|f4v |mmp4)$/i
const M4A_BRAND = /^(M4A |M4B |M4P |F4A |F4B )$/i
const AVIF_BRAND = /^(avif|avis)$/
/** Major brands of HEIF containers for any picture format. Their compatible brands name the format. */
const HEIF_BRAND = /^(mif1|msf1|miaf)$/

/** Types of the first atom in QuickTime files without an `ftyp` box (QuickTime File Format Specification). */
const QUICKTIME_ATOM = /^(moov|mdat|wide|free|skip|pnot)$/
const QUICKTIME_ATOM_MAX = 2 ** 40

/** Detects the MIME type of a file from its first bytes. Returns undefined for unsupported types. */
export function sniff(head: Buffer): string | undefined {
  return bySignature(head) ?? byContainer(head) ?? (isMpegAudio(head) ? 'audio/mpeg' : undefined)
}

const SIGNATURES: readonly [type: string, bytes: Buffer][] = [
  ['image/png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['image/jpeg', Buffer.from('\xff\xd8\xff', 'latin1')],
  ['image/gif', Buffer.from('GIF87a')],
  ['image/gif', Buffer.from('GIF89a')],
  ['audio/flac', Buffer.from('fLaC')],
  ['audio/mpeg', Buffer.from('ID3')],
  ['application/zip', Buffer.from('PK\x03\x04', 'latin1')],
  // Start of a ZIP archive without entries.
  ['application/zip', Buffer.from('PK\x05\x06', 'latin1')],
  ['application/wasm', Buffer.from('\0asm', 'latin1')],
]

function bySignature(head: Buffer): string | undefined {
  return SIGNATURES.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes))?.[0]
}

function byContainer(head: Buffer): string | undefined {
  const text = (start: number, end: number) => head.toString('latin1', start, end)
  const start = text(0, 4)
  // Byte 0 is the compression: F for none, C for zlib, Z for LZMA. Byte 3 is the version, which is at most 51 in real
  // files. The limit of 64 rejects text such as `FWSA`.
  const version = head[3] ?? 0
  const isFlash = /^[FCZ]WS/.test(start) && version >= 1 && version <= 64
  if (isFlash) return 'application/x-shockwave-flash'
  if (start === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  if ((start === 'RIFF' || start === 'RF64') && text(8, 12) === 'WAVE') return 'audio/wav'
  if (start === 'OggS') return head.includes('\x80theora', 0, 'latin1') ? 'video/ogg' : 'audio/ogg'
  if (start === '\x1a\x45\xdf\xa3') return isWebm(head) ? 'video/webm' : undefined
  if (text(4, 8) === 'ftyp') return byBrand(head)
  return isQuickTime(head) ? 'video/quicktime' : undefined
}

/** True when the EBML header has the document type `webm` (RFC 8794, section 11.2). */
function isWebm(head: Buffer): boolean {
  const offset = head.indexOf(Buffer.from([0x42, 0x82]))
  return offset > 0 && /^[\x80-\xff]webm/.test(head.toString('latin1', offset + 2, offset + 7))
}

/**
 * Returns the MIME type of a file that starts with an `ftyp` box, or undefined for unsupported brands. The
 * box contains the major brand, the version and the compatible brands.
 */
function byBrand(head: Buffer): string | undefined {
  const size = Math.min(head.readUInt32BE(0), head.length)
  const major = head.toString('latin1', 8, 12)
  if (major === 'qt  ') return 'video/quicktime'
  if (M4A_BRAND.test(major)) return 'audio/mp4'
  if (MP4_BRAND.test(major)) return 'video/mp4'
  if (AVIF_BRAND.test(major)) return 'image/avif'
  if (!HEIF_BRAND.test(major)) return undefined
  for (let offset = 16; offset + 4 <= size; offset += 4) {
    if (AVIF_BRAND.test(head.toString('latin1', offset, offset + 4))) return 'image/avif'
  }
  return undefined
}

function isQuickTime(head: Buffer): boolean {
  if (head.length < 16 || !QUICKTIME_ATOM.test(head.toString('latin1', 4, 8))) return false
  const size = head.readUInt32BE(0)
  if (size === 1) return head.readBigUInt64BE(8) < QUICKTIME_ATOM_MAX
  return size >= 8 || size === 0
}

/**
 * Bitrates of layer III in kbit/s, by the index in the frame header. `mpeg2` also applies to MPEG-2.5 (ISO/IEC
 * 11172-3, section 2.4.2.3).
 */
const BITRATES = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const SAMPLE_RATES = [44_100, 48_000, 32_000]

/**
 * True for the start of an MP3 without tags: two consecutive frames, or one frame when `head` ends before the
 * header of the second.
 */
function isMpegAudio(head: Buffer): boolean {
  const length = frameLength(head, 0)
  if (length === undefined) return false
  return head.length < length + 4 || frameLength(head, length) !== undefined
}

function frameLength(head: Buffer, offset: number): number | undefined {
  if (head.length < offset + 4) return undefined
  const header = head.readUInt32BE(offset)
  const version = (header >>> 19) & 3
  const isLayer3 = ((header >>> 17) & 3) === 1
  if (header >>> 21 !== 0x7ff || version === 1 || !isLayer3) return undefined
  const rate = SAMPLE_RATES[(header >>> 10) & 3]
  const kilobits = (version === 3 ? BITRATES.mpeg1 : BITRATES.mpeg2)[(header >>> 12) & 15]
  if (!rate || !kilobits) return undefined
  // MPEG-2 has half and MPEG-2.5 a quarter of MPEG-1's sample rate. Both have half the samples per frame.
  const [slow, samples] = version === 3 ? [1, 144] : [version === 2 ? 2 : 4, 72]
  return Math.floor((samples * kilobits * 1000 * slow) / rate) + ((header >>> 9) & 1)
}
