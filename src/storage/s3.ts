import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { S3Client } from './s3-client.ts'
import { S3Reader } from './s3-reader.ts'
import type { Bucket } from './s3-url.ts'
import { completionOf, elementOf, type Listing, readListing } from './s3-xml.ts'
import type { Staging } from './staging.ts'
import {
  type ByteRange,
  checkPath,
  FileMissing,
  isPath,
  type OpenFile,
  readAsStream,
  type Store,
  type StoredFile,
  type TakeBack,
  StorageUnavailable,
  toStorageError,
} from './store.ts'

/** Size in bytes above which files are uploaded in parts. All parts except the last have at least this size. */
const PART_SIZE = 64 * 1024 * 1024
const PARTS_MAX = 10_000
const PAUSE_MS = 200
const CACHED_SIZES_MAX = 10_000
const HEALTH_MS = 10_000
const HEALTH_TIMEOUT_MS = 5000

interface Options {
  staging: Staging
  partSize?: number
  pauseMs?: number
}

export class S3Store implements Store {
  readonly #client: S3Client
  readonly #prefix: string
  readonly #staging: Staging
  readonly #partSize: number
  /** Cached size and modification time of each file, by path. The oldest entry is evicted first. */
  readonly #known = new Map<string, StoredFile>()
  #isHealthy: boolean | undefined
  #asking = Promise.resolve(true)
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(bucket: Bucket, { staging, partSize = PART_SIZE, pauseMs = PAUSE_MS }: Options) {
    this.#client = new S3Client(bucket, pauseMs)
    this.#prefix = bucket.prefix
    this.#staging = staging
    this.#partSize = partSize
  }

  async put(path: string, localFile: string, mimeType: string): Promise<TakeBack> {
    const key = this.#keyOf(path)
    this.#known.delete(path)
    const { size } = await stat(localFile)
    if (size > this.#partSize) await this.#putInParts(key, localFile, size, mimeType)
    else {
      await this.#client.sendForText({
        method: 'PUT',
        key,
        headers: { 'content-type': mimeType },
        body: size === 0 ? '' : { localFile, start: 0, end: size - 1 },
      })
    }
    await rm(localFile, { force: true })
    return async () => {}
  }

  async find(path: string): Promise<StoredFile | undefined> {
    const { status, headers } = await this.#client.sendForText({
      method: 'HEAD',
      key: this.#keyOf(path),
      expects: [404],
    })
    if (status === 404) {
      this.#known.delete(path)
      return undefined
    }
    const file = {
      sizeBytes: Number(headers['content-length']),
      modifiedAt: Date.parse(String(headers['last-modified'])),
    }
    this.#remember(path, file)
    return file
  }

  async open(path: string): Promise<OpenFile | undefined> {
    const file = this.#known.get(path) ?? (await this.find(path))
    return file && { ...file, read: (range) => this.#read(path, range), close: async () => {} }
  }

  async read(path: string, range?: ByteRange): Promise<Readable> {
    const file = await this.open(path)
    if (!file) throw new FileMissing(path)
    return readAsStream(file, range)
  }

  async withLocalFile<T>(path: string, use: (localFile: string) => Promise<T>): Promise<T> {
    return this.#staging.withFolder(async (folder) => {
      const copy = join(folder, 'copy')
      const bytes = await this.read(path)
      await pipeline(bytes, createWriteStream(copy, { flags: 'wx', mode: 0o600 })).catch(
        (error: unknown) => {
          throw toStorageError(error)
        },
      )
      return use(copy)
    })
  }

  async remove(path: string): Promise<void> {
    this.#known.delete(path)
    const key = this.#keyOf(path)
    await this.#client.sendForText({ method: 'DELETE', key, expects: [404] })
  }

  /**
   * Removes a file that was last put before `before`, and returns true if it was removed. A file that another process
   * puts between HEAD and DELETE is lost. So each upload finally checks that the store has its files.
   */
  async removeOlder(path: string, before: number): Promise<boolean> {
    const file = await this.find(path)
    if (!file || file.modifiedAt >= before) return false
    this.#known.delete(path)
    const key = this.#keyOf(path)
    // Makes only one attempt, because a later one could delete a file that was put in the meantime.
    await this.#client.sendForText({ method: 'DELETE', key, expects: [404], attempts: 1 })
    return true
  }

  async *list(prefix: string): AsyncIterable<StoredFile & { path: string }> {
    let next: string | undefined
    do {
      const listing: Listing = readListing(
        (
          await this.#client.sendForText({
            method: 'GET',
            key: '',
            query: {
              'list-type': '2',
              prefix: this.#prefix + prefix,
              ...(next && { 'continuation-token': next }),
            },
          })
        ).text,
      )
      for (const { key, ...file } of listing.files) {
        const path = key.slice(this.#prefix.length)
        if (isPath(path)) yield { path, ...file }
      }
      next = listing.next
    } while (next)
  }

  async findSpace() {
    return null
  }

  /**
   * True when the latest completed request for the bucket succeeded. Starts a request at most every ten
   * seconds, and waits only for the first one.
   */
  async isHealthy(): Promise<boolean> {
    const now = performance.now()
    if (now - this.#askedAt >= HEALTH_MS) {
      this.#askedAt = now
      this.#asking = this.#client
        .sendForText({ method: 'HEAD', key: '', attempts: 1, timeoutMs: HEALTH_TIMEOUT_MS })
        .then(
          () => (this.#isHealthy = true),
          () => (this.#isHealthy = false),
        )
    }
    return this.#isHealthy ?? this.#asking
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  async #putInParts(key: string, localFile: string, size: number, type: string): Promise<void> {
    const client = this.#client
    const headers = { 'content-type': type }
    const started = await client.sendForText({
      method: 'POST',
      key,
      query: { uploads: '' },
      headers,
    })
    const uploadId = elementOf(started.text, 'UploadId')
    if (!uploadId) throw new StorageUnavailable('the storage returned no upload id')
    try {
      const etags: string[] = []
      const step = Math.max(this.#partSize, Math.ceil(size / PARTS_MAX))
      for (let start = 0; start < size; start += step) {
        const body = { localFile, start, end: Math.min(start + step, size) - 1 }
        const query = { partNumber: String(etags.length + 1), uploadId }
        const part = await client.sendForText({ method: 'PUT', key, query, body })
        etags.push(String(part.headers['etag']))
      }
      const body = completionOf(etags)
      const { text } = await client.sendForText({ method: 'POST', key, query: { uploadId }, body })
      // The service may report a failed completion after it has sent a success status.
      const code = text.includes('<Error>') ? elementOf(text, 'Code') : undefined
      if (code !== undefined)
        throw new StorageUnavailable(`the storage rejected the upload: ${code}`)
    } catch (error) {
      await client
        .sendForText({ method: 'DELETE', key, query: { uploadId }, attempts: 1 })
        .catch(() => {})
      throw error
    }
  }

  async #read(path: string, range: ByteRange): Promise<Readable> {
    const get = (part: ByteRange) => this.#get(path, part)
    return new S3Reader(get, range, await get(range))
  }

  async #get(path: string, { start, end }: ByteRange): Promise<Readable> {
    const { status, headers, body } = await this.#client.send({
      method: 'GET',
      key: this.#keyOf(path),
      headers: { range: `bytes=${start}-${end}` },
      expects: [404],
    })
    if (status !== 404 && Number(headers['content-length']) === end - start + 1) return body
    this.#known.delete(path)
    body.destroy()
    if (status === 404) throw new FileMissing(path)
    throw new StorageUnavailable(`the storage returned a different range of ${path}`)
  }

  #keyOf(path: string): string {
    checkPath(path)
    return this.#prefix + path
  }

  #remember(path: string, file: StoredFile): void {
    this.#known.delete(path)
    this.#known.set(path, file)
    if (this.#known.size > CACHED_SIZES_MAX)
      this.#known.delete(this.#known.keys().next().value as string)
  }
}
