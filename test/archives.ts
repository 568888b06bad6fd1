/** Builds ZIP archives byte by byte, including malformed ones (PKWARE APPNOTE.TXT, 4.3). */
import { crc32, deflateRawSync } from 'node:zlib'

/** Entry of an archive. Optional fields override the values that a correct archive would have. */
export interface Entry {
  name: string | Buffer
  content?: Buffer | string
  /** Whether to compress with deflate. Default: true. */
  deflated?: boolean
  method?: number
  flags?: number
  /** Unix file mode, stored in the upper 16 bits of the external attributes. */
  mode?: number
  size?: number
  packedSize?: number
  crc?: number
  extra?: Buffer
  /** Name, method and flags (three fields) of the local header, if they differ from the central directory. */
  localName?: string | Buffer
  localMethod?: number
  localFlags?: number
  /** Bytes stored in place of the compressed content. */
  packed?: Buffer
  /** Offset of the local header. Set it to an earlier entry's offset to share that entry's bytes. */
  offset?: number
}

interface Ending {
  /** Bytes before the first entry. The offsets do not include them. */
  prefix?: Buffer
  gap?: Buffer
  count?: number
  directorySize?: number
  directoryStart?: number
  disk?: number
  comment?: Buffer
  before?: Buffer
  after?: Buffer
}

export const UTF8 = 0x800

export function archive(entries: readonly Entry[], ending: Ending = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { local, central } = headersOf(entry, entry.offset ?? offset)
    if (entry.offset === undefined) {
      parts.push(local)
      offset += local.length
    }
    directory.push(central)
  }
  const gap = ending.gap ?? Buffer.alloc(0)
  const central = Buffer.concat(directory)
  const comment = ending.comment ?? Buffer.alloc(0)
  const count = ending.count ?? entries.length
  const end = Buffer.concat([
    Buffer.from('PK\x05\x06', 'latin1'),
    u16(ending.disk ?? 0, ending.disk ?? 0, count, count),
    u32(ending.directorySize ?? central.length, ending.directoryStart ?? offset + gap.length),
    u16(comment.length),
    comment,
  ])
  const none = Buffer.alloc(0)
  const { prefix = none, before = none, after = none } = ending
  return Buffer.concat([prefix, ...parts, gap, central, before, end, after])
}

function headersOf(entry: Entry, offset: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(entry.name)
  const localName = Buffer.from(entry.localName ?? entry.name)
  const content = Buffer.from(entry.content ?? '')
  const isDeflated = entry.deflated !== false && content.length > 0
  const packed = entry.packed ?? (isDeflated ? deflateRawSync(content) : content)
  const method = entry.method ?? (isDeflated ? 8 : 0)
  const flags = entry.flags ?? UTF8
  const more = entry.extra ?? Buffer.alloc(0)
  const sizes = u32(
    entry.crc ?? crc32(content),
    entry.packedSize ?? packed.length,
    entry.size ?? content.length,
  )
  const local = Buffer.concat([
    Buffer.from('PK\x03\x04', 'latin1'),
    u16(20, entry.localFlags ?? flags, entry.localMethod ?? method, 0, 0),
    sizes,
    u16(localName.length, 0),
    localName,
    packed,
  ])
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02', 'latin1'),
    u16((3 << 8) | 20, 20, flags, method, 0, 0),
    sizes,
    u16(name.length, more.length, 0, 0, 0),
    u32((entry.mode ?? 0) * 65536, offset),
    name,
    more,
  ])
  return { local, central }
}

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, i * 2)
  return bytes
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, i * 4)
  return bytes
}

export function u64(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [i, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), i * 8)
  return bytes
}

export function extra(id: number, data: Buffer): Buffer {
  return Buffer.concat([u16(id, data.length), data])
}
