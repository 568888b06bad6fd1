import type { FileHandle } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { toStorageError } from '../storage/store.ts'
import { type Bundle, type BundleFile, BundleRefused, type OnUnpack, shown } from './bundle.ts'
import { findEntry } from './entry.ts'
import { isText, mediaTypeOf } from './media-types.ts'
import { findWarnings } from './warnings.ts'
import { type Packed, withArchive } from './zip-directory.ts'

const CHUNK = 64 * 1024

/**
 * Unpacks an archive into `folder`, but no nested archives. Calls `onUnpack` first. Names each file on disk by its
 * position, because names in the archive are untrusted.
 * Errors: BundleRefused, StorageFull.
 */
export function inspectZip(localFile: string, folder: string, onUnpack: OnUnpack): Promise<Bundle> {
  return withArchive(localFile, async (packed, archive) => {
    const entry = findEntry(packed.map(({ path }) => path))
    if (entry === undefined) throw new BundleRefused('invalid.bundle_no_page')
    const bytes = packed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    onUnpack({ bytes, files: packed.length })
    const files: BundleFile[] = []
    for (const [position, file] of packed.entries()) {
      files.push(await unpack(archive, file, join(folder, String(position))))
    }
    const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const facts = { files: files.length, total_bytes: total }
    return { runtime: 'html5', entry, facts, warnings: await findWarnings(files), files }
  })
}

async function unpack(archive: FileHandle, file: Packed, localFile: string): Promise<BundleFile> {
  const { path, sizeBytes } = file
  const counted = new Counted(sizeBytes, isText(path))
  const inflate = file.isDeflated ? createInflateRaw({ chunkSize: CHUNK }) : undefined
  const target = createWriteStream(localFile, { flags: 'wx', mode: 0o600 })
  try {
    const source = bytesOf(archive, file)
    if (inflate) await pipeline(source, inflate, counted, target)
    else await pipeline(source, counted, target)
  } catch (error) {
    // Only decoder errors and wrong sizes mean that the archive is invalid. Other errors come from the system.
    if (error instanceof Mismatch || isDecoderError(error)) refuse(path)
    throw toStorageError(error)
  }
  const isWhole = !inflate || inflate.bytesWritten === file.packedBytes
  if (!isWhole || counted.sizeBytes !== sizeBytes || counted.crc32 !== file.crc32) refuse(path)
  const type = mediaTypeOf(path)
  const mimeType = counted.isUtf8 ? `${type}; charset=utf-8` : type
  return { path, mimeType, sizeBytes, localFile }
}

async function* bytesOf(archive: FileHandle, { start, packedBytes }: Packed) {
  for (let position = start; position < start + packedBytes; ) {
    const length = Math.min(CHUNK, start + packedBytes - position)
    const { buffer, bytesRead } = await archive.read(
      Buffer.allocUnsafe(length),
      0,
      length,
      position,
    )
    if (bytesRead === 0) throw new Mismatch('fewer bytes than announced')
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

function refuse(path: string): never {
  throw new BundleRefused('invalid.bundle_file', { path: shown(path) })
}

function isDecoderError(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('Z_')
}

class Mismatch extends Error {
  override name = 'Mismatch'
}

/** Passes bytes through, counts them and computes their CRC-32. Fails above the declared size. */
class Counted extends Transform {
  sizeBytes = 0
  crc32 = 0
  /** True if the content is valid UTF-8. Always false for binary formats. */
  isUtf8: boolean
  readonly #limit: number
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })

  constructor(limit: number, mayBeUtf8: boolean) {
    super()
    this.#limit = limit
    this.isUtf8 = mayBeUtf8
  }

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error?: Error, chunk?: Buffer) => void,
  ): void {
    this.sizeBytes += chunk.length
    if (this.sizeBytes > this.#limit) return done(new Mismatch('more bytes than announced'))
    this.crc32 = crc32(chunk, this.crc32)
    this.#look(chunk, true)
    done(undefined, chunk)
  }

  override _flush(done: () => void): void {
    this.#look(new Uint8Array(), false)
    done()
  }

  #look(chunk: Uint8Array, stream: boolean): void {
    if (!this.isUtf8) return
    try {
      this.#decoder.decode(chunk, { stream })
    } catch {
      this.isUtf8 = false
    }
  }
}
