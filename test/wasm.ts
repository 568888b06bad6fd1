/** Assembles WebAssembly modules byte by byte (Core Specification 2.0, section 5). */

export type Bytes = number | Buffer | readonly Bytes[]

export function flat(...parts: Bytes[]): Buffer {
  return Buffer.concat(
    parts.map((part) =>
      typeof part === 'number' ? Buffer.of(part) : Buffer.isBuffer(part) ? part : flat(...part),
    ),
  )
}

export const I32 = 0x7f
export const I64 = 0x7e
export const F32 = 0x7d
export const F64 = 0x7c
export const V128 = 0x7b
export const FUNCREF = 0x70
export const EXTERNREF = 0x6f
export const END = 0x0b

export function uleb(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...uleb(Math.floor(value / 128))]
}

export function sleb(value: number): number[] {
  const [low, rest] = [value & 127, value >> 7]
  const isLast = (rest === 0 && !(low & 64)) || (rest === -1 && (low & 64) !== 0)
  return isLast ? [low] : [low | 128, ...sleb(rest)]
}

export const i32 = (value: number): Bytes => [0x41, sleb(value)]
export const f64 = (value: number): Bytes => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return [0x44, bytes]
}

export function text(value: string): Bytes {
  const bytes = Buffer.from(value)
  return [uleb(bytes.length), bytes]
}

export function list(items: readonly Bytes[]): Bytes {
  return [uleb(items.length), items]
}

export function section(id: number, ...parts: Bytes[]): Buffer {
  const bytes = flat(...parts)
  return flat(id, uleb(bytes.length), bytes)
}

export function listOf(id: number, ...items: Bytes[]): Buffer {
  return section(id, list(items))
}

export const MAGIC = Buffer.from('\0asm\x01\0\0\0', 'latin1')

export function module(...sections: Bytes[]): Buffer {
  return flat(MAGIC, ...sections)
}

export function startable(...sections: Buffer[]): Buffer {
  const start = [section(8, 0), listOf(10, body([]))]
  return module(listOf(1, type()), listOf(3, 0), ...sections, ...start)
}

export function type(params: number[] = [], results: number[] = []): Bytes {
  return [0x60, list(params), list(results)]
}

export function imported(from: string, name: string, typeIndex = 0): Bytes {
  return [text(from), text(name), 0, uleb(typeIndex)]
}

export function exported(name: string, kind: number, index = 0): Bytes {
  return [text(name), kind, uleb(index)]
}

export function limits(min: number, max?: number): Bytes {
  return max === undefined ? [0, uleb(min)] : [1, uleb(min), uleb(max)]
}

/** Returns the encoded body of a function. `locals` are pairs of count and type. */
export function body(locals: [number, number][], ...code: Bytes[]): Bytes {
  const bytes = flat(
    list(locals.map(([count, valueType]) => [uleb(count), valueType])),
    ...code,
    END,
  )
  return [uleb(bytes.length), bytes]
}

export function custom(name: string, ...content: Bytes[]): Buffer {
  return section(0, text(name), ...content)
}

export interface ExportedMemory {
  grow(pages: number): number
}
export interface ExportedTable {
  grow(elements: number): number
}

/** Node's WebAssembly, with which tests compare the server's own parser. */
export const webAssembly = (
  globalThis as unknown as {
    WebAssembly: {
      validate(bytes: Uint8Array): boolean
      Module: new (bytes: Uint8Array) => object
      Instance: new (module: object, imports?: object) => { exports: Record<string, unknown> }
    }
  }
).WebAssembly
