/** Reads the sections of WebAssembly modules (WebAssembly Core Specification 2.0, section 5.5). */
import { BundleRefused, shown } from './bundle.ts'
import {
  type Cursor,
  F64,
  I32,
  type Limits,
  readByte,
  readCount,
  readLimits,
  readName,
  readReferenceType,
  readU32,
  readValueType,
  refuseFeature,
  refuseModule,
  requireWithin,
  skip,
  skipSigned,
} from './wasm-bytes.ts'
import { type HostType, WASM_ENTRIES, WASM_IMPORTS } from './wasm-contract.ts'

export interface Contents {
  /** Offset of each function type in the module, after its form byte. */
  types: number[]
  /** Type index of each function. Imported functions come first. */
  functions: number[]
  imports: number
  tables: (Limits & { type: number })[]
  memories: Limits[]
  globals: number
  exports: number
  hasEntry: boolean
  elementEntries: number
  bodies: number
  locals: number
  dataCount: number | undefined
  dataSegments: number
  customSections: number
}

export function emptyContents(): Contents {
  return {
    types: [],
    functions: [],
    imports: 0,
    tables: [],
    memories: [],
    globals: 0,
    exports: 0,
    hasEntry: false,
    elementEntries: 0,
    bodies: 0,
    locals: 0,
    dataCount: undefined,
    dataSegments: 0,
    customSections: 0,
  }
}

type SectionReader = (c: Cursor, m: Contents) => void

export const SECTIONS: readonly SectionReader[] = [
  readCustom,
  readTypes,
  readImports,
  readFunctions,
  readTables,
  readMemories,
  readGlobals,
  readExports,
  readStart,
  readElements,
  readCode,
  readData,
  readDataCount,
]
/** Required order of section ids. Custom sections may appear anywhere. */
export const ORDER: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11]

function readCustom(c: Cursor, m: Contents): void {
  requireWithin('max_custom_sections', ++m.customSections)
  readName(c)
  c.offset = c.end
}

const FUNCTION_TYPE = 0x60

function readTypes(c: Cursor, m: Contents): void {
  const count = readCount(c, 'max_types')
  for (let i = 0; i < count; i++) {
    const form = readByte(c)
    if (form !== FUNCTION_TYPE) {
      c.offset -= 1
      // Structures, arrays and recursive groups are newer than version 2.0.
      if (form >= 0x4e && form <= 0x5f) refuseFeature(c)
      refuseModule(c)
    }
    m.types.push(c.offset)
    for (const name of ['max_params', 'max_results'] as const) {
      for (let left = readCount(c, name); left > 0; left--) readValueType(c)
    }
  }
}

const offered = new Map(WASM_IMPORTS.map((host) => [`${host.module}\n${host.name}`, host]))

function readImports(c: Cursor, m: Contents): void {
  m.imports = readCount(c, 'max_imports')
  for (let i = 0; i < m.imports; i++) {
    const module = readName(c)
    const name = readName(c)
    const found = module.includes('\n') ? undefined : offered.get(`${module}\n${name}`)
    const kind = readByte(c)
    if (kind > 4) refuseModule(c)
    if (!found || kind !== 0) refuseImport(module, name)
    const type = readTypeIndex(c, m)
    if (!isType(c, m.types[type] as number, found)) refuseImport(module, name)
    m.functions.push(type)
  }
}

function refuseImport(module: string, name: string): never {
  throw new BundleRefused('invalid.bundle_wasm_import', { name: shown(`${module}.${name}`) })
}

const VALUE_TYPES: Record<HostType, number> = { i32: I32, f64: F64 }

function isType(
  { bytes, end }: Cursor,
  offset: number,
  { params, results }: { params: HostType[]; results: HostType[] },
): boolean {
  const c = { bytes, offset, end }
  return [params, results].every(
    (types) => readU32(c) === types.length && types.every((t) => readByte(c) === VALUE_TYPES[t]),
  )
}

function readTypeIndex(c: Cursor, m: Contents): number {
  return readIndex(c, m.types.length)
}

function readIndex(c: Cursor, count: number): number {
  const index = readU32(c)
  if (index >= count) refuseModule(c)
  return index
}

function readFunctions(c: Cursor, m: Contents): void {
  const count = readCount(c, 'max_functions')
  for (let i = 0; i < count; i++) m.functions.push(readTypeIndex(c, m))
}

function readTables(c: Cursor, m: Contents): void {
  const count = readCount(c, 'max_tables')
  for (let i = 0; i < count; i++) {
    const type = readReferenceType(c)
    m.tables.push({ type, ...readLimits(c, 'max_table_elements') })
  }
}

function readMemories(c: Cursor, m: Contents): void {
  const count = readCount(c, 'max_memories')
  for (let i = 0; i < count; i++) m.memories.push(readLimits(c, 'max_memory_pages'))
}

function readGlobals(c: Cursor, m: Contents): void {
  const count = readCount(c, 'max_globals')
  for (let i = 0; i < count; i++) {
    readValueType(c)
    if (readByte(c) > 1) refuseModule(c)
    skipConstant(c, m)
    m.globals += 1
  }
}

const CONSTANT_INSTRUCTIONS = 100
/** Maximum instructions in an element's expression: the one that creates a reference, and `end`. */
const REFERENCE_INSTRUCTIONS = 2

/**
 * Reads a constant expression of at most `most` instructions (section 3.3.10). Also accepts integer arithmetic
 * (the extended-const proposal), as current browsers do.
 */
function skipConstant(c: Cursor, m: Contents, most = CONSTANT_INSTRUCTIONS): void {
  for (let i = 0; i < most; i++) {
    const code = readByte(c)
    if (code === 0x0b) return
    if (code === 0x41) skipSigned(c, 32)
    else if (code === 0x42) skipSigned(c, 64)
    else if (code === 0x43) skip(c, 4)
    else if (code === 0x44) skip(c, 8)
    else if (code === 0x23) readIndex(c, m.globals)
    else if (code === 0xd0) readReferenceType(c)
    else if (code === 0xd2) readIndex(c, m.functions.length)
    else if (code === 0xfd) skipVector(c)
    else if (code === 0xfb) refuseFeature(c)
    else if (!(code >= 0x6a && code <= 0x6c) && !(code >= 0x7c && code <= 0x7e)) refuseModule(c)
  }
  refuseModule(c)
}

/** Skips the rest of `v128.const`, the only constant vector instruction. */
function skipVector(c: Cursor): void {
  if (readU32(c) !== 12) refuseModule(c)
  skip(c, 16)
}

const FUNCTION_KIND = 0

function readExports(c: Cursor, m: Contents): void {
  m.exports = readCount(c, 'max_exports')
  const names = new Set<string>()
  const counts = [m.functions.length, m.tables.length, m.memories.length, m.globals]
  for (let i = 0; i < m.exports; i++) {
    const name = readName(c)
    names.add(name)
    const kind = readByte(c)
    if (kind === FUNCTION_KIND && WASM_ENTRIES.includes(name)) m.hasEntry = true
    if (kind === 4) refuseFeature(c)
    readIndex(c, counts[kind] ?? 0)
  }
  if (names.size !== m.exports) refuseModule(c)
}

function readStart(c: Cursor, m: Contents): void {
  const type = m.functions[readIndex(c, m.functions.length)] as number
  if (!isType(c, m.types[type] as number, { params: [], results: [] })) refuseModule(c)
  m.hasEntry = true
}

function readElements(c: Cursor, m: Contents): void {
  const count = readCount(c, 'max_element_segments')
  for (let i = 0; i < count; i++) {
    const flags = readU32(c)
    if (flags > 7) refuseModule(c)
    const isActive = (flags & 1) === 0
    const hasTable = (flags & 2) !== 0
    const areExpressions = (flags & 4) !== 0
    if (isActive) {
      const table = hasTable ? readU32(c) : 0
      if (table >= m.tables.length) refuseModule(c)
      skipConstant(c, m)
    }
    if (hasTable || !isActive) {
      if (areExpressions) readReferenceType(c)
      else if (readByte(c) !== 0) refuseModule(c)
    }
    const entries = readCount(c, 'max_element_entries')
    requireWithin('max_element_entries', (m.elementEntries += entries))
    for (let left = entries; left > 0; left--) {
      if (areExpressions) skipConstant(c, m, REFERENCE_INSTRUCTIONS)
      else readIndex(c, m.functions.length)
    }
  }
}

/** Reads the sizes and locals of functions. Skips their instructions, which the browser validates. */
function readCode(c: Cursor, m: Contents): void {
  m.bodies = readCount(c, 'max_functions')
  const end = c.end
  for (let i = 0; i < m.bodies; i++) {
    const size = readU32(c)
    requireWithin('max_function_bytes', size)
    if (size > end - c.offset) refuseModule(c)
    c.end = c.offset + size
    skipLocals(c, m)
    if (c.offset >= c.end || c.bytes[c.end - 1] !== 0x0b) refuseModule(c)
    c.offset = c.end
    c.end = end
  }
}

function skipLocals(c: Cursor, m: Contents): void {
  let locals = 0
  for (let left = readU32(c); left > 0; left--) {
    const count = readU32(c)
    requireWithin('max_function_locals', (locals += count))
    // Counts an empty group as one local, because reading the group also takes time.
    requireWithin('max_locals', (m.locals += Math.max(count, 1)))
    readValueType(c)
  }
}

function readData(c: Cursor, m: Contents): void {
  m.dataSegments = readCount(c, 'max_data_segments')
  for (let i = 0; i < m.dataSegments; i++) {
    const flags = readU32(c)
    if (flags > 2) refuseModule(c)
    if (flags !== 1) {
      const memory = flags === 2 ? readU32(c) : 0
      if (memory >= m.memories.length) refuseModule(c)
      skipConstant(c, m)
    }
    skip(c, readU32(c))
  }
}

function readDataCount(c: Cursor, m: Contents): void {
  m.dataCount = readU32(c)
}
