import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import type { ByteRange } from './store.ts'

/** Maximum bytes of one read, and thus of the buffer while the client is slow. */
export const CHUNK = 64 * 1024

/** Reads the range into memory and closes the file. Errors: an Error when the file ends early. */
export async function readPiece(handle: FileHandle, range: ByteRange): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(range.end - range.start + 1)
  try {
    let filled = 0
    while (filled < piece.length) filled += await readSome(handle, piece, filled, range.start)
  } finally {
    await handle.close()
  }
  return piece
}

export class FileReader extends Readable {
  readonly #handle: FileHandle
  readonly #end: number
  #position: number

  constructor(handle: FileHandle, { start, end }: ByteRange) {
    super({ highWaterMark: CHUNK })
    this.#handle = handle
    this.#position = start
    this.#end = end
  }

  override _read(): void {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, this.#end - this.#position + 1))
    readSome(this.#handle, chunk, 0, this.#position).then(
      (count) => {
        this.#position += count
        this.push(chunk.subarray(0, count))
        if (this.#position > this.#end) this.push(null)
      },
      (error: Error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    callbackify(() => this.#handle.close())((failure) => done(error ?? failure))
  }
}

/**
 * Reads bytes of the file into `buffer` from index `filled` on. Returns the number of bytes read, at least 1.
 * Errors: an Error at the end of the file.
 */
async function readSome(
  handle: FileHandle,
  buffer: Buffer,
  filled: number,
  start: number,
): Promise<number> {
  const position = start + filled
  const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position)
  if (bytesRead === 0) throw new Error(`the file ends early, at byte ${position}`)
  return bytesRead
}
