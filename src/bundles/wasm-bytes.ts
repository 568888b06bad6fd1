/** Reads and writes the basic values of WebAssembly modules (WebAssembly Core Specification 2.0, section 5.2). */
import { isUtf8 } from 'node:buffer'
import { BundleRefused } from './bundle.ts'
import { WASM_LIMITS } from './wasm-contract.ts'

/** Position in a module. `end` is the end of the section or function that is being read. */
export interface Cursor {
  bytes: Buffer
  offset: number
  end: number
}

export type LimitName = keyof typeof WASM_LIMITS

export function refuseModule(c: Cursor): never {
  throw new BundleRefused('invalid.bundle_wasm', { offset: c.offset })
}

export function refuseFeature(c: Cursor): never {
  throw new BundleRefused('invalid.bundle_wasm_feature', { offset: c.offset })
}

export function requireWithin(name: LimitName, value: number): void {
  const limit = WASM_LIMITS[name]
  if (value > limit) throw new BundleRefused('invalid.bundle_wasm_limit', { name, limit })
}

export function readByte(c: Cursor): number {
  if (c.offset >= c.end) refuseModule(c)
  return c.bytes[c.offset++] as number
}

/** Reads an unsigned 32-bit integer in LEB128, at most five bytes. */
export function readU32(c: Cursor): number {
  let value = 0
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = readByte(c)
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return value
  }
  const last = readByte(c)
  if (last > 0x0f) refuseModule(c)
  return value + last * 2 ** 28
}

export function skipSigned(c: Cursor, bits: 32 | 64): void {
  for (let left = bits - 7; left > 0; left -= 7) if (readByte(c) < 0x80) return
  const last = readByte(c)
  // The last byte of the longest encoding has four bits of an i32 or one bit of an i64. Its continuation bit must be
  // 0, and its unused bits must equal the sign bit.
  const sign = bits === 32 ? 0x08 : 0x01
  const isExtended = last < sign || (last >= 0x80 - sign && last < 0x80)
  if (!isExtended) refuseModule(c)
}

export function skip(c: Cursor, length: number): void {
  if (length > c.end - c.offset) refuseModule(c)
  c.offset += length
}

/** Reads the number of items that follow. Rejects a number above the limit `name` or the number of remaining bytes. */
export function readCount(c: Cursor, name: LimitName): number {
  const count = readU32(c)
  requireWithin(name, count)
  if (count > c.end - c.offset) refuseModule(c)
  return count
}

export function readName(c: Cursor): string {
  const length = readU32(c)
  if (length > c.end - c.offset) refuseModule(c)
  requireWithin('max_name_bytes', length)
  const name = c.bytes.subarray(c.offset, c.offset + length)
  if (!isUtf8(name)) refuseModule(c)
  c.offset += length
  return name.toString()
}

export const I32 = 0x7f
export const F64 = 0x7c
const NUMBERS: ReadonlySet<number> = new Set([I32, 0x7e, 0x7d, F64, 0x7b])
const REFERENCES: ReadonlySet<number> = new Set([0x70, 0x6f])

export function readValueType(c: Cursor): number {
  const type = readByte(c)
  if (!NUMBERS.has(type) && !REFERENCES.has(type)) refuseUnknownType(c, type)
  return type
}

export function readReferenceType(c: Cursor): number {
  const type = readByte(c)
  if (!REFERENCES.has(type)) refuseUnknownType(c, type)
  return type
}

/**
 * Rejects an unknown type. Reports types newer than WebAssembly 2.0 and tables with initializers as unsupported
 * features.
 */
function refuseUnknownType(c: Cursor, type: number): never {
  c.offset -= 1
  if ((type >= 0x62 && type <= 0x74) || type === 0x40) refuseFeature(c)
  refuseModule(c)
}

export interface Limits {
  min: number
  max: number | undefined
}

/**
 * Reads the minimum and maximum of a memory or table. Rejects sizes above the limit `name`, 64-bit sizes and
 * shared memory.
 */
export function readLimits(c: Cursor, name: LimitName): Limits {
  const flags = readByte(c)
  if (flags > 1) {
    c.offset -= 1
    if (flags <= 7) refuseFeature(c)
    refuseModule(c)
  }
  const min = readU32(c)
  const max = flags === 1 ? readU32(c) : undefined
  if (max !== undefined && max < min) refuseModule(c)
  requireWithin(name, max ?? min)
  return { min, max }
}

export function writeU32(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}
