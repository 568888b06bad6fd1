import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError, type Problem } from '../errors.ts'
import { FILE_FIELD } from './schema.ts'
import { HEAD_BYTES, sniff, TAKEN } from './sniff.ts'

const BLOCK = 256 * 1024
/**
 * Bytes after which the upload of an unsupported file is cancelled with 415. A smaller file gets 415 at its end. If the
 * size limit is lower, a file over the limit gets 413.
 */
const UNKNOWN_MAX = 8 * 1024 * 1024

export interface Hashed {
  sha256: string
  sizeBytes: number
}

/**
 * Writes `bytes` to `target`, and returns size, hash and type. The caller must remove `target`, even after an error.
 * Calls `onBytes` with the received size before each write. `onBytes` can throw to cancel. Errors: those of `bytes` and
 * `onBytes`; 415 UNSUPPORTED_MEDIA_TYPE at the end of the file or after UNKNOWN_MAX bytes; ENOSPC.
 */
export async function stageFile(
  bytes: Readable,
  target: string,
  onBytes: (received: number) => void = () => {},
): Promise<Hashed & { mimeType: string }> {
  const handle = await open(target, 'wx', 0o600)
  const file = new StagedFile(handle, onBytes)
  try {
    await pipeline(bytes, file)
    return file.facts
  } finally {
    await file.settled
    await handle.close()
  }
}

/**
 * Returns the error for an unsupported file type. Its status is 415, although the Content-Type of the request
 * itself is supported.
 */
function notTaken(): ApiError {
  const problem: Problem = { field: FILE_FIELD, key: 'invalid.file', params: { choices: TAKEN } }
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', { problems: [problem] })
}

/** Writes data in blocks. One block is written while the next one fills. */
class StagedFile extends Writable {
  readonly #handle: FileHandle
  readonly #onBytes: (received: number) => void
  readonly #digest = createHash('sha256')
  #block = Buffer.allocUnsafeSlow(BLOCK)
  #spare = Buffer.allocUnsafeSlow(BLOCK)
  #filled = 0
  #sizeBytes = 0
  #mimeType: string | undefined
  #sha256 = ''
  #writing: Promise<void> = Promise.resolve()

  constructor(handle: FileHandle, onBytes: (received: number) => void) {
    super()
    this.#handle = handle
    this.#onBytes = onBytes
  }

  /** Size, hash and type. Valid only when the file is complete. */
  get facts(): Hashed & { mimeType: string } {
    if (!this.#mimeType) throw new Error('the file has not been written completely')
    return { mimeType: this.#mimeType, sha256: this.#sha256, sizeBytes: this.#sizeBytes }
  }

  /** Resolves when no write is in progress. Never rejects. */
  get settled(): Promise<void> {
    return this.#writing.catch(() => {})
  }

  override _write(chunk: Buffer, _encoding: string, acknowledge: (error?: Error) => void): void {
    try {
      this.#onBytes(this.#sizeBytes + this.#filled + chunk.length)
    } catch (error) {
      return acknowledge(error as Error)
    }
    const copied = this.#copy(chunk, 0)
    if (this.#filled < BLOCK) {
      release(chunk)
      acknowledge()
    } else {
      this.#goOn(chunk, copied).then(() => acknowledge(), acknowledge)
    }
  }

  override _final(acknowledge: (error?: Error) => void): void {
    this.#end().then(() => acknowledge(), acknowledge)
  }

  /** Copies as much of the chunk as fits into the block. Returns the offset of the chunk's remaining bytes. */
  #copy(chunk: Buffer, from: number): number {
    const copied = chunk.copy(this.#block, this.#filled, from)
    this.#filled += copied
    return from + copied
  }

  async #goOn(chunk: Buffer, from: number): Promise<void> {
    for (let offset = from; this.#filled === BLOCK; offset = this.#copy(chunk, offset))
      await this.#flush()
    release(chunk)
  }

  async #end(): Promise<void> {
    if (this.#filled > 0) await this.#flush()
    if (!this.#mimeType) throw notTaken()
    await this.#writing
    this.#sha256 = this.#digest.digest('hex')
  }

  async #flush(): Promise<void> {
    const block = this.#block.subarray(0, this.#filled)
    if (this.#sizeBytes === 0) this.#mimeType = sniff(block.subarray(0, HEAD_BYTES))
    this.#sizeBytes += block.length
    if (!this.#mimeType) {
      // Discards the bytes of an unknown type, because the upload is rejected at its end or at `UNKNOWN_MAX`.
      if (this.#sizeBytes > UNKNOWN_MAX) throw notTaken()
      this.#filled = 0
      return
    }
    this.#digest.update(block)
    await this.#writing
    this.#writing = this.#writeAll(block)
    // Prevents an unhandled rejection. The next `await this.#writing` reports the error.
    this.#writing.catch(() => {})
    this.#filled = 0
    ;[this.#block, this.#spare] = [this.#spare, this.#block]
  }

  async #writeAll(block: Buffer): Promise<void> {
    for (let written = 0; written < block.length; ) {
      written += (await this.#handle.write(block, written)).bytesWritten
    }
  }
}

/**
 * Frees the chunk's memory now, because the garbage collector would free it late. Does nothing when the chunk
 * is only a part of its buffer.
 */
function release(chunk: Buffer): void {
  const { buffer } = chunk
  if (chunk.length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

export async function hashFile(localFile: string): Promise<Hashed> {
  const digest = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(localFile) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    digest.update(chunk)
  }
  return { sha256: digest.digest('hex'), sizeBytes }
}
