/**
 * Where files live: whole or not at all, under paths the server makes. A path has parts of the
 * characters `a-z 0-9 _ -`, with single dots between them, separated by `/`: see `isPath`.
 */
import { Readable } from 'node:stream'

export interface StoredFile {
  sizeBytes: number
  /** Epoch milliseconds. */
  modifiedAt: number
}

/** First and last byte, both part of it. */
export interface ByteRange {
  start: number
  end: number
}

/** A file that is open: exactly one of `read` and `close` must be called, once. */
export interface OpenFile extends StoredFile {
  /**
   * The bytes of a range within the file, few of them in one piece. As many as were asked for, or
   * an error, which breaks the stream.
   */
  read(range: ByteRange): Promise<Buffer | Readable>
  close(): Promise<void>
}

/**
 * Removes what was put and makes its room free, unless the path had a file before or was put again
 * since, by whichever process: then it is somebody else's too. An S3-compatible service cannot tell, and
 * keeps it.
 */
export type TakeBack = () => Promise<void>

export interface Store {
  /**
   * Puts the finished file at `localFile`, which it takes away, under `path`. Once this resolves the
   * file survives a power cut; until then nobody can read any of it. The same path may be put
   * again, with the same bytes; that makes its `modifiedAt` new. Where it fails, `localFile` is
   * still the caller's. Errors: StorageFull, StorageUnavailable.
   */
  put(path: string, localFile: string, mimeType: string): Promise<TakeBack>
  /** Undefined when there is no such file. */
  find(path: string): Promise<StoredFile | undefined>
  /** For one reading. Undefined when there is no such file. */
  open(path: string): Promise<OpenFile | undefined>
  /** The bytes, or those of a range within the file. Errors: FileMissing. */
  read(path: string, range?: ByteRange): Promise<Readable>
  /** Lets `use` work with a file on the local disk that holds the same bytes; it must not change it. */
  withLocalFile<T>(path: string, use: (localFile: string) => Promise<T>): Promise<T>
  /** No error where there is none. */
  remove(path: string): Promise<void>
  /** Removes what was last put before a time, in epoch milliseconds; false when it was not. */
  removeOlder(path: string, before: number): Promise<boolean>
  /** Every file below a prefix, in no order. */
  list(prefix: string): AsyncIterable<StoredFile & { path: string }>
  /** Whether it answers, and on a local disk has room. Cheap: may be asked often. */
  isHealthy(): Promise<boolean>
  close(): Promise<void>
}

/** There is no room left. */
export class StorageFull extends Error {
  override name = 'StorageFull'
}

/** The storage cannot be reached or does not answer: safe to try again later. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
}

/** What was asked for is not there. */
export class FileMissing extends Error {
  override name = 'FileMissing'
  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is not in the store`, options)
  }
}

const PATH = /^(?=.{1,255}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?:\/[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)*$/

/**
 * Whether a store takes it as a path. No path leads out of the store, is hidden, or means another
 * thing to another system: no part is empty, or begins or ends with a dot, or holds two in a row.
 */
export function isPath(path: string): boolean {
  return PATH.test(path)
}

/** Throws where the path is none: a mistake of the caller's. */
export function checkPath(path: string): void {
  if (!isPath(path)) throw new TypeError(`not a path of the store: ${JSON.stringify(path)}`)
}

/** The bytes of an open file, all of them or those of a range. */
export async function readAsStream(file: OpenFile, range?: ByteRange): Promise<Readable> {
  if (file.sizeBytes === 0) {
    await file.close()
    return Readable.from([])
  }
  const bytes = await file.read(range ?? { start: 0, end: file.sizeBytes - 1 })
  return bytes instanceof Readable ? bytes : Readable.from([bytes])
}

/** What an error of the file system means to the storage; itself when it means nothing more. */
export function toStorageError(error: unknown): unknown {
  const { code } = error as { code?: unknown }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new StorageFull('there is no room left on the disk', { cause: error })
}
