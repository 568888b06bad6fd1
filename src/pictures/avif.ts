/**
 * Erases the metadata of AVIF files (ISO/IEC 23008-12, annex A). Metadata items get an unknown type, metadata boxes
 * become free space, and both are filled with zeros, because cutting them out would make file offsets wrong.
 * Bytes after the picture are cut off.
 */
import { PictureRefused } from './refused.ts'
import type { Scan } from './scan.ts'

interface Box {
  type: string
  typeAt: number
  start: number
  end: number
  /** True when the box declares no length and extends to the end of its parent. */
  isOpen: boolean
}

interface Patch {
  start: number
  bytes: Buffer
}

interface Extent {
  start: number
  length: number
}

const METADATA = new Set(['Exif', 'mime', 'uri '])
const UNKNOWN = Buffer.from('none')
const FREE = Buffer.from('free')
/**
 * Types of boxes that belong to the picture, by the type of the parent box. A second box of a type is metadata,
 * except for types in REPEATED.
 */
const ALLOWED: Record<string, ReadonlySet<string>> = {
  file: namesOf('ftyp meta mdat moov'),
  meta: namesOf('hdlr pitm iloc iinf iprp iref idat grpl dinf ipro'),
  moov: namesOf('mvhd trak mvex'),
  trak: namesOf('tkhd edts tref mdia'),
  mdia: namesOf('mdhd hdlr elng minf'),
  minf: namesOf('vmhd smhd nmhd dinf stbl'),
}
const REPEATED = namesOf('mdat trak')
const TEXTS = namesOf('udes uuid')
const BOXES_MAX = 1000
export const MAJOR_BRAND = 8
const BRANDS_BYTES = 4096
const ITEMS_MAX = 10_000
/** Maximum number of extents. An extent can be empty, so the file size does not limit their number. */
const EXTENTS_MAX = 20_000
const METADATA_MAX = 16 * 1024 * 1024

function namesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/**
 * Records in `scan` the parts to keep and the bytes that replace the others. Returns whether the file is
 * animated. Errors: PictureRefused.
 */
export async function scanAvif(scan: Scan): Promise<{ isSequence: boolean }> {
  const { patches, end } = await look(scan)
  let done = 0
  for (const { start, bytes } of patches.sort((a, b) => a.start - b.start)) {
    if (start < done || start + bytes.length > end) throw broken()
    scan.offset = start
    scan.keep(done)
    scan.put(bytes)
    done = start + bytes.length
  }
  scan.offset = end
  scan.keep(done)
  scan.offset = MAJOR_BRAND
  return { isSequence: (await scan.read(4)).toString('latin1') === 'avis' }
}

function broken(): PictureRefused {
  return new PictureRefused('invalid.picture')
}

async function look(scan: Scan): Promise<{ patches: Patch[]; end: number }> {
  const found = await listBoxes(scan, 0, scan.size, { isFile: true })
  const able = firstOfEach(found, 'file')
  const meta = able.find(({ type }) => type === 'meta')
  if (!meta) throw broken()
  // `meta` is a full box, whose content begins with 4 bytes of version and flags.
  const boxes = await listBoxes(scan, meta.start + 4, meta.end)
  const described = firstOfEach(boxes, 'meta')
  const find = (type: string) => described.find((box) => box.type === type)
  const [infos, places] = [find('iinf'), find('iloc')]
  if (!infos || !places) throw broken()
  const extents = await listExtents(scan, places, find('idat')?.start ?? 0)
  const shown = [...extents.values()].flat()
  const isAnimation = await isOfBrand(scan, able[0], 'avis')
  const allowed = isAnimation ? able : able.filter((box) => isOfStill(box, shown))
  const last = allowed.at(-1) ?? meta
  const end = last.isOpen && !isAnimation ? Math.min(last.end, endOf(shown)) : last.end
  const others = [
    ...found.filter((box) => box.end <= end && !allowed.includes(box)),
    ...boxes.filter((box) => !described.includes(box)),
    ...(await listTexts(scan, find('iprp'))),
  ]
  const film = allowed.find(({ type }) => type === 'moov')
  if (film) others.push(...(await listOthersOf(scan, film)))
  const metadata = await listMetadata(scan, infos)
  const blots: Extent[] = [...metadata.keys()].flatMap((id) => extents.get(id) ?? [])
  blots.push(...others.map(({ start, end: to }) => ({ start, length: to - start })))
  const length = blots.reduce((sum, extent) => sum + extent.length, 0)
  if (length > METADATA_MAX) throw broken()
  const patches = [
    ...[...metadata.values()].map((start) => ({ start, bytes: UNKNOWN })),
    ...others.map(({ typeAt }) => ({ start: typeAt, bytes: FREE })),
    ...blots.map((extent) => ({ start: extent.start, bytes: Buffer.alloc(extent.length) })),
  ]
  return { patches: patches.filter(({ bytes }) => bytes.length > 0), end }
}

async function isOfBrand(scan: Scan, ftyp: Box | undefined, brand: string): Promise<boolean> {
  if (ftyp?.type !== 'ftyp') return false
  scan.offset = ftyp.start
  const names = (await scan.read(Math.min(ftyp.end - ftyp.start, BRANDS_BYTES))).toString('latin1')
  // Skips the second field, which is the minor version.
  for (let offset = 0; offset < names.length; offset += 4) {
    if (offset !== 4 && names.startsWith(brand, offset)) return true
  }
  return false
}

/** True for a box of a still picture: any box except `moov`, and an `mdat` box only if an item starts in it. */
function isOfStill({ type, start, end }: Box, shown: readonly Extent[]): boolean {
  if (type !== 'mdat') return type !== 'moov'
  return shown.some((extent) => extent.start >= start && extent.start < end)
}

function endOf(extents: readonly Extent[]): number {
  return extents.reduce((end, { start, length }) => Math.max(end, start + length), 0)
}

function firstOfEach(boxes: readonly Box[], parent: string): Box[] {
  const seen = new Set<string>()
  return boxes.filter(({ type }) => {
    if (!ALLOWED[parent]?.has(type) || (seen.has(type) && !REPEATED.has(type))) return false
    seen.add(type)
    return true
  })
}

async function listOthersOf(scan: Scan, { type, start, end }: Box): Promise<Box[]> {
  if (!ALLOWED[type]) return []
  const boxes = await listBoxes(scan, start, end)
  const allowed = firstOfEach(boxes, type)
  const others = boxes.filter((box) => !allowed.includes(box))
  for (const box of allowed) {
    others.push(...(await listOthersOf(scan, box)))
    if (others.length > BOXES_MAX) throw broken()
  }
  return others
}

async function listTexts(scan: Scan, properties: Box | undefined): Promise<Box[]> {
  if (!properties) return []
  const boxes = await listBoxes(scan, properties.start, properties.end)
  const container = boxes.find(({ type }) => type === 'ipco')
  const found = container && (await listBoxes(scan, container.start, container.end))
  return found?.filter(({ type }) => TEXTS.has(type)) ?? []
}

/**
 * Lists the boxes in a range. With `isFile`, stops where the picture ends, because other data may follow.
 * Errors: PictureRefused for a box that exceeds the range, or for too many boxes.
 */
async function listBoxes(
  scan: Scan,
  from: number,
  end: number,
  { isFile = false } = {},
): Promise<Box[]> {
  const boxes: Box[] = []
  scan.offset = from
  while (scan.offset + 8 <= end) {
    if (boxes.length === BOXES_MAX) throw broken()
    const start = scan.offset
    const head = await scan.read(8)
    const type = head.toString('latin1', 4)
    if (isFile && type === 'ftyp' && boxes.length > 0) break
    let length = head.readUInt32BE(0)
    const isOpen = length === 0
    if (isOpen) length = end - start
    else if (length === 1) {
      if (isFile && scan.offset + 8 > end) break
      length = Number((await scan.read(8)).readBigUInt64BE())
    }
    if (start + length > end || start + length < scan.offset) {
      if (isFile) break
      throw broken()
    }
    boxes.push({ type, typeAt: start + 4, start: scan.offset, end: start + length, isOpen })
    scan.offset = start + length
  }
  return boxes
}

/** Returns the offsets of the type fields of metadata items, by item id. */
async function listMetadata(scan: Scan, infos: Box): Promise<Map<number, number>> {
  scan.offset = infos.start
  const version = (await scan.read(4)).readUInt8()
  const found = new Map<number, number>()
  for (const { type, start } of await listBoxes(
    scan,
    scan.offset + (version === 0 ? 2 : 4),
    infos.end,
  )) {
    if (type !== 'infe') continue
    scan.offset = start
    const isShort = (await scan.read(4)).readUInt8() < 3
    const id = await readNumber(scan, isShort ? 2 : 4)
    scan.skip(2)
    const offset = scan.offset
    if (METADATA.has((await scan.read(4)).toString('latin1'))) found.set(id, offset)
  }
  return found
}

/** Maps item ids to the file ranges of their data (ISO/IEC 14496-12, section 8.11.3). */
async function listExtents(scan: Scan, places: Box, idat: number): Promise<Map<number, Extent[]>> {
  scan.offset = places.start
  const version = (await scan.read(4)).readUInt8()
  const sizes = (await scan.read(2)).readUInt16BE()
  const [offsetSize, lengthSize] = [sizes >> 12, (sizes >> 8) & 15]
  const [baseSize, indexSize] = [(sizes >> 4) & 15, version === 0 ? 0 : sizes & 15]
  const idSize = version < 2 ? 2 : 4
  const count = await readNumber(scan, idSize)
  if (count > ITEMS_MAX) throw broken()
  const items = new Map<number, Extent[]>()
  let total = 0
  for (let item = 0; item < count; item++) {
    const id = await readNumber(scan, idSize)
    const isInside = version > 0 && ((await readNumber(scan, 2)) & 15) === 1
    scan.skip(2)
    const base = (await readNumber(scan, baseSize)) + (isInside ? idat : 0)
    const extents: Extent[] = []
    const extentCount = await readNumber(scan, 2)
    total += extentCount
    if (total > EXTENTS_MAX) throw broken()
    for (let extent = 0; extent < extentCount; extent++) {
      scan.skip(indexSize)
      const start = base + (await readNumber(scan, offsetSize))
      extents.push({ start, length: await readNumber(scan, lengthSize) })
    }
    items.set(id, extents)
  }
  return items
}

/**
 * Reads a number of 2, 4 or 8 bytes. Returns 0 for 0 bytes: the file omits the number. Errors: PictureRefused
 * for other sizes.
 */
async function readNumber(scan: Scan, size: number): Promise<number> {
  switch (size) {
    case 0:
      return 0
    case 2:
      return (await scan.read(2)).readUInt16BE()
    case 4:
      return (await scan.read(4)).readUInt32BE()
    case 8:
      return Number((await scan.read(8)).readBigUInt64BE())
    default:
      throw broken()
  }
}
