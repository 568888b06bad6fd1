/**
 * Where files live: whole or not at all, under paths the server makes. A path has the characters
 * `a-z 0-9 . _ - /` and never begins or ends a part with a dot.
 */
import type { Readable } from 'node:stream'

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

export interface Store {
  /**
   * Puts the finished file at `localFile`, which it may take away, under `path`. Once this resolves
   * the file survives a power cut; until then nobody can read any of it. The same path may be put
   * again, with the same bytes.
   * Errors: StorageFull.
   */
  put(path: string, localFile: string, mimeType: string): Promise<void>
  /** Undefined when there is no such file. */
  find(path: string): Promise<StoredFile | undefined>
  /** The bytes, or those of a range within the file. Rejects when there is no such file. */
  read(path: string, range?: ByteRange): Promise<Readable>
  /** Lets `use` work with a file on the local disk that holds the same bytes; it must not change it. */
  withLocalFile<T>(path: string, use: (localFile: string) => Promise<T>): Promise<T>
  /** No error where there is none. */
  remove(path: string): Promise<void>
  /** Every file below a prefix, in no order. */
  list(prefix: string): AsyncIterable<StoredFile & { path: string }>
  close(): Promise<void>
}

/** There is no room left. */
export class StorageFull extends Error {
  override name = 'StorageFull'
}
