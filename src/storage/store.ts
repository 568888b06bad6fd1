/**
 * The file store's interface. Files are stored completely or not at all, under paths that the server
 * creates. A path consists of parts separated by `/`. Each part has the characters `a-z 0-9 _ -`, with
 * single dots in between; see `isPath`.
 */
import { Readable } from 'node:stream'

export interface StoredFile {
  sizeBytes: number
  /** Epoch milliseconds. */
  modifiedAt: number
}

/** First and last byte, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** An open file. Call exactly one of `read` and `close`, once. */
export interface OpenFile extends StoredFile {
  /**
   * Returns exactly the bytes of a range within the file, small ranges as one buffer. If reading fails,
   * the promise or the stream fails.
   */
  read(range: ByteRange): Promise<Buffer | Readable>
  close(): Promise<void>
}

/**
 * Removes the file that was just put, unless the path had a file before or any process has put it again
 * since. An S3-compatible service cannot tell, so it keeps the file.
 */
export type TakeBack = () => Promise<void>

export interface Store {
  /**
   * Moves the finished file at `localFile` to `path`. Once this resolves, the file survives a power
   * loss. Until then no part of it can be read. The same path may be put again with the same bytes,
   * which renews its `modifiedAt`. After an error the caller still owns `localFile`. Errors:
   * StorageFull, StorageUnavailable.
   */
  put(path: string, localFile: string, mimeType: string): Promise<TakeBack>
  /** Returns undefined when there is no such file. */
  find(path: string): Promise<StoredFile | undefined>
  /** Opens a file for one read. Returns undefined when there is no such file. */
  open(path: string): Promise<OpenFile | undefined>
  /** Returns the bytes of the file or of a range within it. Errors: FileMissing. */
  read(path: string, range?: ByteRange): Promise<Readable>
  /** Calls `use` with a local file that has the same bytes. `use` must not change it. */
  withLocalFile<T>(path: string, use: (localFile: string) => Promise<T>): Promise<T>
  /** Removes the file if it exists. */
  remove(path: string): Promise<void>
  /**
   * Removes the file if it was last put before a time (epoch milliseconds). Returns false if it was not
   * removed.
   */
  removeOlder(path: string, before: number): Promise<boolean>
  /** Lists every file below a prefix, in no particular order. */
  list(prefix: string): AsyncIterable<StoredFile & { path: string }>
  /** True when the store responds and, on a local disk, has free space. Cheap enough to call often. */
  isHealthy(): Promise<boolean>
  close(): Promise<void>
}

/** The storage has no space left. */
export class StorageFull extends Error {
  override name = 'StorageFull'
}

/** The storage is unreachable or does not respond. Retrying later is safe. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
}

/** The requested file is not in the store. */
export class FileMissing extends Error {
  override name = 'FileMissing'
  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is not in the store`, options)
  }
}

const PATH = /^(?=.{1,255}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?:\/[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)*$/

/**
 * True when the store accepts this path. Such a path never leaves the store, is never hidden, and means
 * the same on every system. No part is empty, starts or ends with a dot, or contains two dots in a row.
 */
export function isPath(path: string): boolean {
  return PATH.test(path)
}

/** Throws a TypeError for an invalid path, which is a programming error. */
export function checkPath(path: string): void {
  if (!isPath(path)) throw new TypeError(`invalid store path: ${JSON.stringify(path)}`)
}

/** Streams an open file or a range of it. */
export async function readAsStream(file: OpenFile, range?: ByteRange): Promise<Readable> {
  if (file.sizeBytes === 0) {
    await file.close()
    return Readable.from([])
  }
  const bytes = await file.read(range ?? { start: 0, end: file.sizeBytes - 1 })
  return bytes instanceof Readable ? bytes : Readable.from([bytes])
}

/** Converts an error for a full disk to StorageFull; returns other errors unchanged. */
export function toStorageError(error: unknown): unknown {
  const { code } = error as { code?: unknown }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new StorageFull('the disk is full', { cause: error })
}
