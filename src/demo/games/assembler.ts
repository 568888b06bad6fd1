/**
 * Assembles WebAssembly modules (Core Specification 2.0, section 5) from functions built of instructions.
 * Names are resolved here. A function's own names take precedence over globals.
 */

export type Type = 'i32' | 'f64'
/** Encoded instructions. */
export type Code = readonly number[]

export interface Scope {
  get(name: string): Code
  set(name: string, value: Code): Code
  call(name: string, ...args: Code[]): Code
}

interface Signature {
  params: readonly Type[]
  results: readonly Type[]
}

export interface Import extends Signature {
  module: string
  name: string
}

export interface Definition {
  name: string
  params?: Record<string, Type>
  result?: Type
  locals?: Record<string, Type>
  isExported?: boolean
  body(scope: Scope): Code[]
}

export interface Program {
  imports: readonly Import[]
  /** Global variables with their initial values. */
  globals: Record<string, { type: Type; value: number }>
  /** Memory pages of 64 KiB. */
  pages: number
  /** Initial contents of the memory. */
  data: readonly { at: number; bytes: readonly number[] }[]
  functions: readonly Definition[]
}

const TYPES: Record<Type, number> = { i32: 0x7f, f64: 0x7c }
const NOTHING = 0x40
/** Magic number and version. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

export function assemble(program: Program): Buffer {
  const { imports, globals, pages, data, functions } = program
  const signatures: Signature[] = [...imports, ...functions.map(signatureOf)]
  const names = [...imports, ...functions].map(({ name }) => name)
  const types = [...new Set(signatures.map(keyOf))]
  const typeOf = (signature: Signature) => types.indexOf(keyOf(signature))
  const exports = functions.flatMap((one, at) =>
    one.isExported ? [[...text(one.name), 0, ...unsigned(imports.length + at)]] : [],
  )
  return Buffer.from([
    ...MAGIC,
    ...section(
      1,
      types.map((key) => JSON.parse(key) as number[]),
    ),
    ...section(
      2,
      imports.map((one) => [...text(one.module), ...text(one.name), 0, typeOf(one)]),
    ),
    ...section(
      3,
      functions.map((one) => unsigned(typeOf(signatureOf(one)))),
    ),
    ...section(5, [[1, ...unsigned(pages), ...unsigned(pages)]]),
    ...section(
      6,
      Object.values(globals).map(({ type, value }) => [
        TYPES[type],
        1,
        ...(type === 'i32' ? i32.constant(value) : f64.constant(value)),
        0x0b,
      ]),
    ),
    ...section(7, [[...text('memory'), 2, 0], ...exports]),
    ...section(
      10,
      functions.map((one) => sized(bodyOf(one, Object.keys(globals), names))),
    ),
    ...section(
      11,
      data.map(({ at, bytes }) => [0, ...i32.constant(at), 0x0b, ...sized(bytes)]),
    ),
  ])
}

function signatureOf({ params = {}, result }: Definition): Signature {
  return { params: Object.values(params), results: result ? [result] : [] }
}

/** Returns the encoded signature as text, for comparison. */
function keyOf({ params, results }: Signature): string {
  const list = (types: readonly Type[]) => [types.length, ...types.map((type) => TYPES[type])]
  return JSON.stringify([0x60, ...list(params), ...list(results)])
}

function bodyOf(definition: Definition, globals: string[], functions: string[]): number[] {
  const { name, params = {}, locals = {} } = definition
  const own = [...Object.keys(params), ...Object.keys(locals)]
  const index = (list: string[], wanted: string) => {
    const at = list.indexOf(wanted)
    if (at < 0) throw new Error(`${name}: ${wanted} is not defined`)
    return unsigned(at)
  }
  const scope: Scope = {
    get: (wanted) =>
      own.includes(wanted) ? [0x20, ...index(own, wanted)] : [0x23, ...index(globals, wanted)],
    set: (wanted, value) => [
      ...value,
      ...(own.includes(wanted) ? [0x21, ...index(own, wanted)] : [0x24, ...index(globals, wanted)]),
    ],
    call: (wanted, ...args) => [...args.flat(), 0x10, ...index(functions, wanted)],
  }
  const declared = Object.values(locals).map((type) => [1, TYPES[type]])
  return [...counted(declared), ...definition.body(scope).flat(), 0x0b]
}

const binary =
  (code: number) =>
  (one: Code, other: Code): Code => [...one, ...other, code]
const unary =
  (code: number) =>
  (one: Code): Code => [...one, code]

/** Instructions on 32-bit integers, in memory too. */
export const i32 = {
  constant: (value: number): Code => [0x41, ...signed(value | 0)],
  isZero: unary(0x45),
  less: binary(0x48),
  greater: binary(0x4a),
  atLeast: binary(0x4e),
  add: binary(0x6a),
  subtract: binary(0x6b),
  multiply: binary(0x6c),
  divide: binary(0x6d),
  remainder: binary(0x6f),
  and: binary(0x71),
  or: binary(0x72),
  shiftLeft: binary(0x74),
  shiftRight: binary(0x76),
  ofReal: unary(0xaa),
  load: (address: Code, offset = 0): Code => [...address, 0x28, 2, ...unsigned(offset)],
  loadByte: (address: Code, offset = 0): Code => [...address, 0x2d, 0, ...unsigned(offset)],
  store: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    0x36,
    2,
    ...unsigned(offset),
  ],
}

/** Instructions on 64-bit floating-point numbers. */
export const f64 = {
  constant: (value: number): Code => {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(value)
    return [0x44, ...bytes]
  },
  less: binary(0x63),
  absolute: unary(0x99),
  add: binary(0xa0),
  subtract: binary(0xa1),
  multiply: binary(0xa2),
  lesserOf: binary(0xa4),
  greaterOf: binary(0xa5),
  ofWhole: unary(0xb7),
  load: (address: Code, offset = 0): Code => [...address, 0x2b, 3, ...unsigned(offset)],
  store: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    0x39,
    3,
    ...unsigned(offset),
  ],
}

export function when(condition: Code, then: Code[], otherwise: Code[] = []): Code {
  const other = otherwise.length > 0 ? [0x05, ...otherwise.flat()] : []
  return [...condition, 0x04, NOTHING, ...then.flat(), ...other, 0x0b]
}

/** A while loop, which checks the condition first. */
export function during(condition: Code, body: Code[]): Code {
  const again = [...condition, 0x04, NOTHING, ...body.flat(), 0x0c, 1, 0x0b]
  return [0x03, NOTHING, ...again, 0x0b]
}

function section(id: number, items: readonly Code[]): number[] {
  return [id, ...sized(counted(items))]
}

function counted(items: readonly Code[]): number[] {
  return [...unsigned(items.length), ...items.flat()]
}

function sized(bytes: Code): number[] {
  return [...unsigned(bytes.length), ...bytes]
}

function text(value: string): number[] {
  return sized([...Buffer.from(value)])
}

/** Encodes an unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const [low, rest] = [value & 0x7f, value >> 7]
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
  return isLast ? [low] : [low | 0x80, ...signed(rest)]
}
