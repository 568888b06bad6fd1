import { PictureRefused } from './refused.ts'
import type { Scan } from './scan.ts'

/**
 * True for TEM and the restart markers, which have no length (ITU-T T.81, table B.1). SOI and EOI have none either, but
 * `scanJpeg` handles them itself.
 */
const isAlone = (code: number) => code === 0x01 || (code >= 0xd0 && code <= 0xd7)
/** Maximum number of markers outside scans. Cameras and editors write far fewer. */
const MARKERS_MAX = 20_000
const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda

const JFIF = 0xe0
const JFIF_NAME = 'JFIF\0'
/** Number of bytes of the JFIF fields after the name: version, density unit, density, and the size of a preview. */
const JFIF_FIELDS = 9
const JFIF_HEAD = Buffer.from(`\xff\xe0\0\x10${JFIF_NAME}`, 'latin1')

const ALLOWED_APPLICATIONS: Record<number, string> = {
  [JFIF]: JFIF_NAME,
  0xe2: 'ICC_PROFILE\0',
  0xee: 'Adobe',
}

const DQT = 0xdb
/** Sum of the standard luminance table, which has quality 50 (ITU-T T.81, table K.1). */
const LUMINANCE_SUM = 3688

/**
 * Records in `scan` the parts to keep: all except metadata, previews and data after the picture. Returns the
 * quality on libjpeg's scale, or 0 when it is unknown. Errors: PictureRefused.
 */
export async function scanJpeg(scan: Scan): Promise<{ quality: number }> {
  scan.skip(2)
  scan.keep(0)
  let quality = 0
  for (let markers = 0; ; markers++) {
    if (markers === MARKERS_MAX) throw new PictureRefused('invalid.picture')
    // Skips the meaningless bytes before a marker.
    await scan.find(0xff)
    const start = scan.offset
    const code = await readMarker(scan)
    if (code === SOI || code === 0) continue
    if (code === EOI) {
      scan.keep(start)
      return { quality }
    }
    if (code === DQT) quality ||= await peekQuality(scan)
    if (!isAlone(code)) await passSegment(scan, code, start)
    else scan.keep(start)
    if (code === SOS) await passPixels(scan)
  }
}

async function readMarker(scan: Scan): Promise<number> {
  for (;;) {
    const bytes = await scan.window()
    const index = bytes.findIndex((byte) => byte !== 0xff)
    scan.offset += index < 0 ? bytes.length : index + 1
    if (index >= 0) return bytes.readUInt8(index)
  }
}

/** Estimates the quality from the first quantisation table, without moving the position. */
async function peekQuality(scan: Scan): Promise<number> {
  const start = scan.offset
  const head = await scan.read(3)
  const isWide = head.readUInt8(2) >> 4 === 1
  const table = await scan.read(isWide ? 128 : 64)
  scan.offset = start
  let sum = 0
  for (let offset = 0; offset < table.length; offset += isWide ? 2 : 1) {
    sum += isWide ? table.readUInt16BE(offset) : table.readUInt8(offset)
  }
  const scale = (100 * sum) / LUMINANCE_SUM
  return Math.max(1, Math.min(100, Math.round(scale <= 100 ? 100 - scale / 2 : 5000 / scale)))
}

async function passSegment(scan: Scan, code: number, start: number): Promise<void> {
  const length = (await scan.read(2)).readUInt16BE() - 2
  const name = ALLOWED_APPLICATIONS[code] ?? ''
  const head = await scan.read(Math.max(0, Math.min(length, name.length)))
  if (code === JFIF && head.toString('latin1') === name) return passJfif(scan, length, start)
  scan.skip(Math.max(0, length) - head.length)
  const isOther = code >= 0xe0 && code !== 0xff
  if (!isOther || (name !== '' && head.toString('latin1') === name)) scan.keep(start)
}

/** Keeps the version and density of the JFIF segment, without the preview (JFIF 1.02, page 5). */
async function passJfif(scan: Scan, length: number, start: number): Promise<void> {
  const rest = length - JFIF_NAME.length
  const fields = Buffer.from(await scan.read(Math.min(rest, JFIF_FIELDS)))
  scan.skip(rest - fields.length)
  if (fields.length < JFIF_FIELDS) return
  const hasPreview = rest > JFIF_FIELDS || fields.readUInt16BE(fields.length - 2) > 0
  if (!hasPreview) return scan.keep(start)
  fields.writeUInt16BE(0, fields.length - 2)
  scan.put(Buffer.concat([JFIF_HEAD, fields]))
}

/**
 * Keeps the compressed pixels of a scan, up to the next marker. Stuffed bytes and restart markers belong to the
 * scan.
 */
async function passPixels(scan: Scan): Promise<void> {
  const start = scan.offset
  /** Offset of the first of the consecutive 0xff bytes before the current byte. */
  let marker: number | undefined
  for (;;) {
    const bytes = await scan.window()
    for (let index = 0; index < bytes.length; index++) {
      const code = bytes[index] as number
      if (code === 0xff) marker ??= scan.offset + index
      else if (marker !== undefined) {
        if (code !== 0 && !isAlone(code)) {
          scan.offset = marker
          return scan.keep(start)
        }
        marker = undefined
      }
    }
    scan.offset += bytes.length
  }
}
