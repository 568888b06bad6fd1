/**
 * Inspects WebAssembly games. The server parses modules but never compiles them. Browsers validate them again
 * before running them.
 */
import { open, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toStorageError } from '../storage/store.ts'
import { type Bundle, BundleRefused, linkFile } from './bundle.ts'
import {
  type Cursor,
  type Limits,
  readByte,
  readU32,
  refuseFeature,
  refuseModule,
  requireWithin,
  writeU32,
} from './wasm-bytes.ts'
import { WASM_LIMITS } from './wasm-contract.ts'
import { type Contents, emptyContents, ORDER, SECTIONS } from './wasm-sections.ts'

const MIME_TYPE = 'application/wasm'
const MAGIC = Buffer.from('\0asm', 'latin1')
const TABLES = 4
const MEMORIES = 5
const TAGS = 13

interface Section {
  id: number
  start: number
  end: number
}

export interface Module {
  contents: Contents
  sections: Section[]
}

/** Parses a module in linear time and checks its imports and limits. Errors: BundleRefused. */
export function readModule(bytes: Buffer): Module {
  requireWithin('max_module_bytes', bytes.length)
  const c: Cursor = { bytes, offset: 0, end: bytes.length }
  if (bytes.length < 8 || !bytes.subarray(0, 4).equals(MAGIC)) refuseModule(c)
  if (bytes.readUInt32LE(4) !== 1) throw new BundleRefused('invalid.bundle_wasm_version')
  c.offset = 8
  const contents = emptyContents()
  const sections: Section[] = []
  let place = -1
  while (c.offset < bytes.length) {
    const start = c.offset
    const id = readByte(c)
    if (id === TAGS) refuseFeature(c)
    const read = SECTIONS[id]
    if (!read) refuseModule(c)
    if (id !== 0) {
      const next = ORDER.indexOf(id)
      if (next <= place) refuseModule(c)
      place = next
    }
    const size = readU32(c)
    if (size > bytes.length - c.offset) refuseModule(c)
    c.end = c.offset + size
    read(c, contents)
    if (c.offset !== c.end) refuseModule(c)
    sections.push({ id, start, end: c.end })
    c.end = bytes.length
  }
  const { functions, imports, bodies, dataCount, dataSegments } = contents
  if (functions.length - imports !== bodies) refuseModule(c)
  if (dataCount !== undefined && dataCount !== dataSegments) refuseModule(c)
  return { contents, sections }
}

/**
 * Returns the module in chunks. Memories and tables without a maximum get that of WASM_LIMITS. The second parameter
 * must be the result of `readModule(bytes)`.
 */
export function boundModule(bytes: Buffer, { contents, sections }: Module): Buffer[] {
  const pieces: Buffer[] = []
  let copied = 0
  for (const { id, start, end } of sections) {
    const body = id === TABLES || id === MEMORIES ? boundedBody(id, contents) : undefined
    if (!body) continue
    pieces.push(bytes.subarray(copied, start), Buffer.from([id, ...writeU32(body.length), ...body]))
    copied = end
  }
  return [...pieces, bytes.subarray(copied)]
}

function boundedBody(id: number, { tables, memories }: Contents): number[] | undefined {
  const limits: readonly Limits[] = id === TABLES ? tables : memories
  if (limits.every(({ max }) => max !== undefined)) return undefined
  const parts =
    id === TABLES
      ? tables.map((table) => [table.type, ...bounded(table, WASM_LIMITS.max_table_elements)])
      : memories.map((memory) => bounded(memory, WASM_LIMITS.max_memory_pages))
  return [...writeU32(parts.length), ...parts.flat()]
}

function bounded({ min, max }: Limits, limit: number): number[] {
  return [1, ...writeU32(min), ...writeU32(max ?? limit)]
}

/** Returns a bundle with the original and the playable version of a module. Errors: BundleRefused, StorageFull. */
export async function inspectWasm(localFile: string, folder: string): Promise<Bundle> {
  const { size } = await stat(localFile)
  requireWithin('max_module_bytes', size)
  const bytes = await readWhole(localFile, size)
  const module = readModule(bytes)
  if (!module.contents.hasEntry) throw new BundleRefused('invalid.bundle_wasm_entry')
  const pieces = boundModule(bytes, module)
  const original = join(folder, '0')
  const played = join(folder, '1')
  await linkFile(localFile, original)
  try {
    await writeFile(played, pieces, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw toStorageError(error)
  }
  const { contents } = module
  return {
    runtime: 'wasm',
    entry: null,
    facts: {
      memory_pages: contents.memories[0]?.min ?? 0,
      functions: contents.functions.length - contents.imports,
      imports: contents.imports,
      exports: contents.exports,
    },
    warnings: [],
    files: [
      { path: 'module.wasm', mimeType: MIME_TYPE, sizeBytes: size, localFile: original },
      {
        path: PLAYED_MODULE,
        mimeType: MIME_TYPE,
        sizeBytes: pieces.reduce((sum, piece) => sum + piece.length, 0),
        localFile: played,
      },
    ],
  }
}

export const PLAYED_MODULE = 'bounded.wasm'

async function readWhole(localFile: string, size: number): Promise<Buffer> {
  const handle = await open(localFile, 'r')
  try {
    const bytes = Buffer.alloc(size)
    for (let filled = 0; filled < size; ) {
      const { bytesRead } = await handle.read(bytes, filled, size - filled, filled)
      if (bytesRead === 0) throw new Error(`${localFile} became shorter`)
      filled += bytesRead
    }
    return bytes
  } finally {
    await handle.close()
  }
}
