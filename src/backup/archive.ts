/**
 * Reads and writes backups. A backup is a tar archive with these parts:
 *
 * - `tables/`: rows as compressed JSON lines
 * - `files/`: the stored files that the rows name
 * - `lists/`: path, MIME type, position, size and SHA-256 of each of these files
 * - `secrets.json`: the secrets of the settings
 * - `manifest.json`: position, size and SHA-256 of the tables, lists and secrets
 * - `end.json`: position, size and SHA-256 of the manifest
 *
 * A reader can read each part without the rest of the archive. An archive without `end.json` is not a backup.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { toStorageError } from '../storage/store.ts'
import { syncFolderNow } from '../storage/sync.ts'
import { FORMAT, type LinesPart, type Manifest, type Part } from './manifest.ts'
import { textOf, type Line } from './rows.ts'
import { BLOCK, padded, readHeader, writeHeader } from './tar.ts'

const MANIFEST = 'manifest.json'
const END = 'end.json'
/** Size of the archive's last part: header and data of `end.json`, one block each, and tar's two empty end blocks. */
const END_BYTES = 4 * BLOCK
/**
 * Maximum bytes of a part that is read, which limits the memory used. Valid parts are smaller: a batch of rows has about
 * a million characters.
 */
const PART_BYTES_MAX = 512 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** The file is missing, is not a complete and unmodified backup, or has a format this version cannot read. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged'
}

/**
 * Writes a backup with file mode 600. The file is named `FILE.partial` until it is complete and synced. When several
 * processes write the same file, only the one that started last succeeds.
 */
export class BackupWriter {
  readonly #file: string
  readonly #handle: FileHandle
  readonly #time: number
  #end = 0

  private constructor(file: string, handle: FileHandle, time: number) {
    this.#file = file
    this.#handle = handle
    this.#time = time
  }

  /**
   * Starts a backup, and deletes the partial file of an earlier attempt. Errors: an Error when the file exists.
   */
  static async create(file: string, now: number): Promise<BackupWriter> {
    const path = resolve(file)
    requireFree(path)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await rm(partialOf(path), { force: true })
    const handle = await open(partialOf(path), 'wx+', 0o600)
    return new BackupWriter(path, handle, Math.floor(now / 1000))
  }

  async writeLines(path: string, lines: readonly Line[]): Promise<LinesPart> {
    const bytes = await compress(textOf(lines), {
      params: { [constants.ZSTD_c_compressionLevel]: 3 },
    })
    return { ...(await this.write(path, bytes.length, [bytes])), lines: lines.length }
  }

  /**
   * Writes a part. Parts can be written concurrently. Errors: an Error unless `bytes` has exactly `size` bytes;
   * StorageFull.
   */
  async write(
    path: string,
    size: number,
    bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<Part> {
    const offset = this.#end + BLOCK
    this.#end = offset + padded(size)
    const hash = createHash('sha256')
    let written = 0
    await pipeline(bytes, async (chunks: AsyncIterable<Buffer>) => {
      await this.#put(writeHeader({ name: path, size }, this.#time), offset - BLOCK)
      for await (const chunk of chunks) {
        if (written + chunk.length > size) throw new Error(`${path} has more than ${size} bytes`)
        hash.update(chunk)
        await this.#put(chunk, offset + written)
        written += chunk.length
      }
    })
    if (written < size) throw new Error(`${path} has ${written} bytes, not ${size}`)
    return { path, offset, size, sha256: hash.digest('hex') }
  }

  readLines(part: LinesPart): Promise<Line[]> {
    return readLines(this.#handle, part)
  }

  /**
   * Writes the manifest and renames `FILE.partial` to its final name. Errors: an Error when that file exists, or
   * another process has started a backup to it.
   */
  async finish(manifest: Omit<Manifest, 'format'>): Promise<void> {
    const text = Buffer.from(`${JSON.stringify({ format: FORMAT, ...manifest }, null, 1)}\n`)
    const end = Buffer.from(`${JSON.stringify(await this.write(MANIFEST, text.length, [text]))}\n`)
    await this.write(END, end.length, [end])
    await this.#handle.truncate(this.#end + 2 * BLOCK)
    await this.#handle.sync()
    if (!(await this.#owned())) {
      throw new Error(`another backup to ${this.#file} has started: stopping this one`)
    }
    requireFree(this.#file)
    await rename(partialOf(this.#file), this.#file)
    syncFolderNow(dirname(this.#file))
    await this.#handle.close()
  }

  async abandon(): Promise<void> {
    if (await this.#owned()) await rm(partialOf(this.#file), { force: true })
    await this.#handle.close()
  }

  /** True unless another process has replaced the partial file. */
  async #owned(): Promise<boolean> {
    const own = await this.#handle.stat({ bigint: true })
    const existing = await stat(partialOf(this.#file), { bigint: true }).catch(() => undefined)
    return existing?.ino === own.ino && existing.dev === own.dev
  }

  async #put(bytes: Buffer, position: number): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      try {
        written += (
          await this.#handle.write(bytes, written, bytes.length - written, position + written)
        ).bytesWritten
      } catch (error) {
        throw toStorageError(error)
      }
    }
  }
}

function partialOf(file: string): string {
  return `${file}.partial`
}

function requireFree(file: string): void {
  if (existsSync(file)) throw new Error(`${file} already exists: choose a new file name`)
}

/** A complete backup, open for reading. Reading a part verifies its hash, except with `stream`. */
export class Backup {
  readonly file: string
  readonly manifest: Manifest
  readonly #handle: FileHandle

  private constructor(file: string, handle: FileHandle, manifest: Manifest) {
    this.file = file
    this.#handle = handle
    this.manifest = manifest
  }

  /** Opens a backup and reads its manifest. Errors: BackupDamaged. */
  static async open(file: string): Promise<Backup> {
    const path = resolve(file)
    const handle = await openExisting(path)
    try {
      return new Backup(path, handle, await readManifest(path, handle))
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Returns the content of a part. Errors: BackupDamaged. */
  read(part: Part): Promise<Buffer> {
    return readPart(this.#handle, part)
  }

  /** Returns the lines of a part. Errors: BackupDamaged. */
  readLines(part: LinesPart): Promise<Line[]> {
    return readLines(this.#handle, part)
  }

  /** Checks a part's name and size without reading its content. Errors: BackupDamaged. */
  find(part: Part): Promise<void> {
    return find(this.#handle, part)
  }

  /** Yields the bytes of a part without verifying them. */
  async *stream({ offset, size }: Part): AsyncGenerator<Buffer> {
    for (let start = 0; start < size; start += CHUNK_BYTES) {
      yield readAt(this.#handle, offset + start, Math.min(CHUNK_BYTES, size - start))
    }
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}

async function openExisting(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error
    throw new BackupDamaged(`${file} does not exist`)
  }
}

async function readManifest(file: string, handle: FileHandle): Promise<Manifest> {
  const stats = await handle.stat()
  if (!stats.isFile() || !readHeader(await readAt(handle, 0, BLOCK))) {
    throw new BackupDamaged(`${file} is not a backup`)
  }
  const last = await readAt(handle, Math.max(stats.size - END_BYTES, 0), END_BYTES)
  const end = readHeader(last.subarray(0, BLOCK))
  const after = BLOCK + (end?.size ?? 0)
  const isEnd =
    end?.name === END &&
    last.length === END_BYTES &&
    !last.some((b, index) => index >= after && b !== 0)
  if (!isEnd) {
    throw new BackupDamaged(
      `${file} is not a complete backup: it is truncated, or data follows its end`,
    )
  }
  const part = parse(END, last.subarray(BLOCK, after)) as Part
  const manifest = parse(MANIFEST, await readPart(handle, part)) as Manifest
  if (manifest.format === FORMAT) return manifest
  throw new BackupDamaged(`${file} has format ${manifest.format}, this version reads ${FORMAT}`)
}

function isWithin({ offset, size }: Part, bytes: number): boolean {
  return (
    Number.isSafeInteger(offset) &&
    offset >= BLOCK &&
    Number.isSafeInteger(size) &&
    size >= 0 &&
    offset + size <= bytes
  )
}

function parse(name: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw damaged(`${name} has changed since it was written`)
  }
}

async function readLines(handle: FileHandle, part: LinesPart): Promise<Line[]> {
  const bytes = await decompress(await readPart(handle, part), {
    maxOutputLength: PART_BYTES_MAX,
  })
  const lines = bytes.toString('utf8').split('\n')
  lines.pop()
  if (lines.length === part.lines) return lines
  throw damaged(`${part.path} has ${lines.length} lines`)
}

async function readPart(handle: FileHandle, part: Part): Promise<Buffer> {
  await find(handle, part)
  const bytes = await readAt(handle, part.offset, part.size)
  if (createHash('sha256').update(bytes).digest('hex') === part.sha256) return bytes
  throw damaged(`${part.path} has changed since it was written`)
}

async function find(handle: FileHandle, part: Part): Promise<void> {
  const { path, offset, size } = part
  if (isWithin(part, (await handle.stat()).size)) {
    const header = readHeader(await readAt(handle, offset - BLOCK, BLOCK))
    if (header?.name === path && header.size === size) return
  }
  throw damaged(`${path} is not at its recorded position`)
}

/** Reads `length` bytes, or fewer at the end of the file. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

function damaged(what: string): BackupDamaged {
  return new BackupDamaged(`the backup is damaged: ${what}`)
}
