/** Writes reproducible ZIP archives (PKWARE APPNOTE.TXT, 4.3): equal files give equal bytes. */
import { crc32, deflateRawSync } from 'node:zlib'

/** 1 January 2026 as an MS-DOS date. The time is midnight. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 1
const UTF8_NAMES = 0x800
const DEFLATED = 8
const VERSION = 20

export function zip(files: readonly { name: string; bytes: Buffer }[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const packed = deflateRawSync(bytes, { level: 9 })
    const path = Buffer.from(name)
    const facts = Buffer.concat([
      ...[VERSION, UTF8_NAMES, DEFLATED, 0, DATE].map(u16),
      ...[crc32(bytes), packed.length, bytes.length].map(u32),
      ...[path.length, 0].map(u16),
    ])
    const part = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, path, packed])
    // No comment, first disk, no attributes.
    const rest = Buffer.concat([...[0, 0, 0].map(u16), ...[0, offset].map(u32)])
    const head = Buffer.from('PK\x01\x02', 'latin1')
    directory.push(Buffer.concat([head, u16(VERSION), facts, rest, path]))
    parts.push(part)
    offset += part.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.concat([
    Buffer.from('PK\x05\x06', 'latin1'),
    ...[0, 0, files.length, files.length].map(u16),
    ...[listed.length, offset].map(u32),
    u16(0),
  ])
  return Buffer.concat([...parts, listed, end])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
