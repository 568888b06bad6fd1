/**
 * Reads the directory of a ZIP archive (PKWARE APPNOTE.TXT, 4.3). Rejects archives that two ZIP programs could
 * read differently.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { type Entry, fromBufferPromise } from 'yauzl'
import { BundleRefused, shown } from './bundle.ts'
import { isIgnored, readPath, requireDistinct } from './zip-names.ts'

const MIB = 1024 * 1024
const ZIP_LIMITS = {
  files: 2000,
  /** Maximum number of entries, including folders and ignored files. */
  entries: 10_000,
  totalBytes: 1024 * MIB,
  fileBytes: 512 * MIB,
  /**
   * Maximum ratio of unpacked to packed bytes of the archive, checked only above `ratioFrom` unpacked bytes. Text and
   * game data stay far below this ratio.
   */
  ratio: 100,
  ratioFrom: MIB,
}

const END_BYTES = 22
const LOCATOR_BYTES = 20
const COMMENT_BYTES = 0xffff
const END = Buffer.from('PK\x05\x06', 'latin1')
const ZIP64_LOCATOR = Buffer.from('PK\x06\x07', 'latin1')
/** Maximum size of the directory. Enough for 10,000 entries, and small enough to read in one piece. */
const DIRECTORY_BYTES = 4 * MIB
const HEADER_BYTES = 46
const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1')
const LOCAL_HEADER_BYTES = 30

const ENCRYPTED = 0x1 | 0x40 | 0x2000
const DESCRIPTOR = 0x8
const OPTIONS = { decodeStrings: false, validateEntrySizes: false }
const STORED = 0
const DEFLATED = 8

export interface Packed {
  path: string
  isDeflated: boolean
  start: number
  packedBytes: number
  sizeBytes: number
  crc32: number
}

/** Opens an archive, calls `use` with its files in directory order, and closes it. Errors: BundleRefused. */
export async function withArchive<T>(
  localFile: string,
  use: (files: Packed[], archive: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await open(localFile, 'r')
  try {
    return await use(await readDirectory(handle), handle)
  } finally {
    await handle.close()
  }
}

async function readDirectory(handle: FileHandle): Promise<Packed[]> {
  const { size } = await handle.stat()
  const end = await readEnd(handle, size)
  const entries = await readEntries(handle, end)
  for (const { entry, path } of entries) checkEntry(entry, path)
  const included = entries.filter(({ path }) => !isIgnored(path))
  requireDistinct(included.map(({ path }) => path))
  const files = included.filter(({ path }) => !path.endsWith('/'))
  checkSizes(files, size)
  const starts = await readStarts(handle, entries, end.directoryStart)
  return files.map(({ entry, path }) => ({
    path,
    isDeflated: entry.compressionMethod === DEFLATED,
    start: starts.get(entry) as number,
    packedBytes: entry.compressedSize,
    sizeBytes: entry.uncompressedSize,
    crc32: entry.crc32,
  }))
}

interface End {
  entryCount: number
  directoryStart: number
  directoryBytes: number
}

/**
 * Reads the end record. Requires that the directory ends where the record begins, and that the record's comment
 * ends the file. Rejects ZIP64, split archives, and too many entries.
 */
async function readEnd(handle: FileHandle, size: number): Promise<End> {
  const tailBytes = Math.min(size, LOCATOR_BYTES + END_BYTES + COMMENT_BYTES)
  const tail = await readBytes(handle, size - tailBytes, tailBytes)
  const endOffset = tailBytes < END_BYTES ? -1 : tail.lastIndexOf(END, tailBytes - END_BYTES)
  if (endOffset < 0) throw new BundleRefused('invalid.bundle_zip')
  const record = tail.subarray(endOffset)
  const isZip64 =
    endOffset >= LOCATOR_BYTES &&
    tail.indexOf(ZIP64_LOCATOR, endOffset - LOCATOR_BYTES) === endOffset - LOCATOR_BYTES
  const [disk, directoryDisk, here, entryCount = 0] = [4, 6, 8, 10].map((i) =>
    record.readUInt16LE(i),
  )
  if (isZip64 || disk !== 0 || directoryDisk !== 0 || here !== entryCount) {
    throw new BundleRefused('invalid.bundle_zip_kind')
  }
  if (entryCount > ZIP_LIMITS.entries) {
    throw new BundleRefused('invalid.too_many', { limit: ZIP_LIMITS.entries })
  }
  const [directoryBytes, directoryStart] = [record.readUInt32LE(12), record.readUInt32LE(16)]
  if (
    record.readUInt16LE(20) !== record.length - END_BYTES ||
    directoryStart + directoryBytes !== size - tailBytes + endOffset ||
    directoryBytes > DIRECTORY_BYTES
  ) {
    throw new BundleRefused('invalid.bundle_zip')
  }
  return { entryCount, directoryStart, directoryBytes }
}

async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw new BundleRefused('invalid.bundle_zip')
  return buffer
}

interface Named {
  entry: Entry
  path: string
}

async function readEntries(handle: FileHandle, end: End): Promise<Named[]> {
  const { entryCount, directoryStart, directoryBytes } = end
  const directory = await readBytes(handle, directoryStart, directoryBytes)
  const ending = Buffer.alloc(END_BYTES)
  ending.set(END)
  ending.writeUInt16LE(entryCount, 10)
  const entries: Entry[] = []
  let offset = 0
  try {
    const archive = await fromBufferPromise(Buffer.concat([directory, ending]), OPTIONS)
    for await (const entry of archive.eachEntry()) {
      offset +=
        HEADER_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (offset > directoryBytes) break
      entries.push(entry)
    }
  } catch {
    throw new BundleRefused('invalid.bundle_zip')
  }
  if (entries.length !== entryCount || offset !== directoryBytes) {
    throw new BundleRefused('invalid.bundle_zip')
  }
  return entries.map((entry) => ({ entry, path: readPath(entry) }))
}

function checkEntry(entry: Entry, path: string): void {
  const params = { path: shown(path) }
  const { compressionMethod: method, compressedSize, uncompressedSize } = entry
  if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0) {
    throw new BundleRefused('invalid.bundle_encrypted', params)
  }
  if (method !== STORED && method !== DEFLATED) {
    throw new BundleRefused('invalid.bundle_method', params)
  }
  const isFolder = path.endsWith('/')
  // The upper 16 bits are a Unix file mode, or 0 (APPNOTE.TXT, 4.4.15).
  const type = (entry.externalFileAttributes >>> 16) & 0o170000
  if (type !== 0 && type !== (isFolder ? 0o040000 : 0o100000)) {
    throw new BundleRefused('invalid.bundle_link', params)
  }
  if (isFolder && uncompressedSize !== 0) throw new BundleRefused('invalid.bundle_file', params)
  if (method === STORED && compressedSize !== uncompressedSize) {
    throw new BundleRefused('invalid.bundle_file', params)
  }
}

/** Checks the number of files and their declared sizes. Unpacking later enforces that files have these sizes. */
function checkSizes(files: readonly Named[], archiveBytes: number): void {
  if (files.length > ZIP_LIMITS.files) {
    throw new BundleRefused('invalid.bundle_count', { limit: ZIP_LIMITS.files })
  }
  let total = 0
  for (const { entry, path } of files) {
    total += entry.uncompressedSize
    if (entry.uncompressedSize > ZIP_LIMITS.fileBytes) {
      const params = { path: shown(path), limit: ZIP_LIMITS.fileBytes / MIB }
      throw new BundleRefused('invalid.bundle_file_size', params)
    }
  }
  if (total > ZIP_LIMITS.totalBytes) {
    throw new BundleRefused('invalid.bundle_size', { limit: ZIP_LIMITS.totalBytes / MIB })
  }
  if (total > Math.max(ZIP_LIMITS.ratioFrom, archiveBytes * ZIP_LIMITS.ratio)) {
    throw new BundleRefused('invalid.bundle_ratio')
  }
}

/**
 * Returns where each entry's data starts in the file. Rejects overlapping entries (D. Fifield, A better zip bomb,
 * 2019) and local headers that differ from the directory.
 */
async function readStarts(
  handle: FileHandle,
  entries: readonly Named[],
  limit: number,
): Promise<Map<Entry, number>> {
  const starts = new Map<Entry, number>()
  let taken = 0
  for (const { entry, path } of entries.toSorted((a, b) => offsetOf(a) - offsetOf(b))) {
    const params = { path: shown(path) }
    const offset = offsetOf({ entry })
    if (offset < taken) throw new BundleRefused('invalid.bundle_overlap', params)
    const headerBytes = LOCAL_HEADER_BYTES + entry.fileNameLength
    const fits = offset + headerBytes <= limit
    const header = fits ? await readBytes(handle, offset, headerBytes) : undefined
    if (!header || !isSame(header, entry)) throw new BundleRefused('invalid.bundle_file', params)
    const start = offset + headerBytes + header.readUInt16LE(28)
    taken = start + entry.compressedSize
    if (taken > limit) throw new BundleRefused('invalid.bundle_file', params)
    starts.set(entry, start)
  }
  return starts
}

/** True when a file's local header matches its directory entry (APPNOTE.TXT, 4.3.7). */
function isSame(header: Buffer, entry: Entry): boolean {
  const flags = header.readUInt16LE(6)
  return (
    header.subarray(0, 4).equals(LOCAL_HEADER) &&
    (flags & ENCRYPTED) === 0 &&
    header.readUInt16LE(8) === entry.compressionMethod &&
    ((flags & DESCRIPTOR) !== 0 || header.readUInt32LE(14) === entry.crc32) &&
    header.readUInt16LE(26) === entry.fileNameLength &&
    header.subarray(LOCAL_HEADER_BYTES).equals(entry.fileNameRaw)
  )
}

function offsetOf({ entry }: { entry: Entry }): number {
  return entry.relativeOffsetOfLocalHeader
}
