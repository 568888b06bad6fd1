/** Files are stored completely or not at all, under paths that the server creates (see `isPath`). */
import { Readable } from 'node:stream'

export interface StoredFile {
  sizeBytes: number
  /** Epoch milliseconds. */
  modifiedAt: number
}

/** Offsets of the first and the last byte, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** An open file. The caller must call either `read` or `close` exactly once. */
export interface OpenFile extends StoredFile {
  /**
   * Returns the bytes of the range as a stream. A small range may be a buffer instead. The stream fails when it cannot
   * return all bytes. Errors: FileMissing, StorageUnavailable.
   */
  read(range: ByteRange): Promise<Buffer | Readable>
  close(): Promise<void>
}

/**
 * Removes the file that was just put, unless the path existed before or was put again later. Does nothing on S3, which
 * cannot detect these cases.
 */
export type TakeBack = () => Promise<void>

export interface Store {
  /**
   * Moves the finished file at `localFile` to `path` and syncs it to the disk. Putting the same bytes again renews
   * `modifiedAt`. After an error, the caller must remove `localFile` if it still exists. Errors: StorageFull,
   * StorageUnavailable.
   */
  put(path: string, localFile: string, mimeType: string): Promise<TakeBack>
  /** Returns the size and time of a file, or undefined when it does not exist. */
  find(path: string): Promise<StoredFile | undefined>
  /** Opens a file for one read. Returns undefined when the file does not exist. */
  open(path: string): Promise<OpenFile | undefined>
  /** Returns the bytes of a file, or of a range of it, as a stream. Errors: FileMissing. */
  read(path: string, range?: ByteRange): Promise<Readable>
  /**
   * Calls `use` with a local file that has the bytes of the stored file. `use` must not change the local
   * file. Returns the result of `use`. Errors: FileMissing.
   */
  withLocalFile<T>(path: string, use: (localFile: string) => Promise<T>): Promise<T>
  remove(path: string): Promise<void>
  /** Removes the file if its last `put` is older than `before` (epoch milliseconds). Returns true if it was removed. */
  removeOlder(path: string, before: number): Promise<boolean>
  /** Yields the files whose path starts with the prefix, in no particular order. */
  list(prefix: string): AsyncIterable<StoredFile & { path: string }>
  /** True when the store responds and a local disk has free space. Cheap enough to call frequently. */
  isHealthy(): Promise<boolean>
  /** Space of the local disk. Null when the files are stored elsewhere or the disk's size is unknown. */
  findSpace(): Promise<{ free_bytes: number; total_bytes: number } | null>
  close(): Promise<void>
}

export class StorageFull extends Error {
  override name = 'StorageFull'
}

/** The storage is unreachable, does not respond or rejects a request. Retrying later is safe. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
}

export class FileMissing extends Error {
  override name = 'FileMissing'
  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is not in the store`, options)
  }
}

const PATH = /^(?=.{1,255}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?:\/[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)*$/

/**
 * True for a path of at most 255 characters whose segments contain only `a-z 0-9 _ -` and single inner dots. Such a
 * path stays inside the store and names no hidden file.
 */
export function isPath(path: string): boolean {
  return PATH.test(path)
}

/** Checks a path. Errors: a TypeError for an invalid path, which is a programming error. */
export function checkPath(path: string): void {
  if (!isPath(path)) throw new TypeError(`invalid store path: ${JSON.stringify(path)}`)
}

/**
 * Returns the bytes of an open file, or of a range of it, as a stream. The stream closes the file when it
 * ends.
 */
export async function readAsStream(file: OpenFile, range?: ByteRange): Promise<Readable> {
  if (file.sizeBytes === 0) {
    await file.close()
    return Readable.from([])
  }
  const bytes = await file.read(range ?? { start: 0, end: file.sizeBytes - 1 })
  return bytes instanceof Readable ? bytes : Readable.from([bytes])
}

/** Converts the error for a full disk to StorageFull. Returns other errors unchanged. */
export function toStorageError(error: unknown): unknown {
  const { code } = error as { code?: unknown }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new StorageFull('the disk is full', { cause: error })
}
