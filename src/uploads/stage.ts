/** Writes a file to the local disk as it comes, and tells what it is. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { ApiError } from '../errors.ts'
import { HEAD_BYTES, sniff } from './sniff.ts'

/** Bytes that are hashed and written at once. */
const BLOCK = 256 * 1024

export interface Hashed {
  sha256: string
  sizeBytes: number
}

/**
 * Writes the bytes to a new file. Whatever happens, the file is the caller's to remove.
 * Errors: 415 UNSUPPORTED_MEDIA_TYPE as soon as enough is there to tell; those of `bytes`; ENOSPC.
 */
export async function stageFile(
  bytes: Readable,
  target: string,
): Promise<Hashed & { mimeType: string }> {
  const handle = await open(target, 'wx', 0o600)
  const writer = new BlockWriter(handle)
  let mimeType: string | undefined
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      await writer.write(chunk, () => (mimeType ??= requireType(writer.head)))
      release(chunk)
    }
    mimeType ??= requireType(writer.head)
    return { mimeType, ...(await writer.end()) }
  } finally {
    await writer.settle()
    await handle.close()
  }
}

function requireType(head: Buffer): string {
  const type = sniff(head)
  if (!type) throw new ApiError('UNSUPPORTED_MEDIA_TYPE')
  return type
}

/**
 * Frees the memory of a chunk that has been copied. The collector would do so too, but only after
 * dozens of megabytes: it sees how small the objects are, not what they hold.
 */
function release(chunk: Buffer): void {
  const { buffer } = chunk
  if (chunk.length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Writes one block while the next one fills. */
class BlockWriter {
  readonly #handle: FileHandle
  readonly #digest = createHash('sha256')
  #block = Buffer.allocUnsafeSlow(BLOCK)
  #spare = Buffer.allocUnsafeSlow(BLOCK)
  #filled = 0
  #written = 0
  #writing: Promise<unknown> = Promise.resolve()

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** The start of the file, as far as it is here; until the first block is full. */
  get head(): Buffer {
    return this.#block.subarray(0, Math.min(this.#filled, HEAD_BYTES))
  }

  /** Copies a chunk; `check` may look at the head before any of it is written. */
  async write(chunk: Buffer, check: () => unknown): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(this.#block, this.#filled, at)
      at += copied
      this.#filled += copied
      if (this.#written === 0 && this.#filled >= HEAD_BYTES) check()
      if (this.#filled === BLOCK) await this.#flush()
    }
  }

  /** Writes what is left. */
  async end(): Promise<Hashed> {
    if (this.#filled > 0) await this.#flush()
    await this.#writing
    return { sha256: this.#digest.digest('hex'), sizeBytes: this.#written }
  }

  /** Resolves once nothing is written any more, well or not. */
  async settle(): Promise<void> {
    await this.#writing.catch(() => {})
  }

  async #flush(): Promise<void> {
    const block = this.#block.subarray(0, this.#filled)
    this.#digest.update(block)
    await this.#writing
    this.#writing = this.#writeAll(block)
    // Whoever waits for it next hears of a failure.
    this.#writing.catch(() => {})
    this.#written += block.length
    this.#filled = 0
    ;[this.#block, this.#spare] = [this.#spare, this.#block]
  }

  async #writeAll(block: Buffer): Promise<void> {
    for (let at = 0; at < block.length; ) {
      at += (await this.#handle.write(block, at)).bytesWritten
    }
  }
}

/** Of a file that is there. */
export async function hashFile(localFile: string): Promise<Hashed> {
  const digest = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(localFile) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    digest.update(chunk)
  }
  return { sha256: digest.digest('hex'), sizeBytes }
}
