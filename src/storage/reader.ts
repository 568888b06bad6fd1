/** Reads a range of an open file and closes it: as many bytes as were asked for, or an error. */
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import type { ByteRange } from './store.ts'

/** Bytes that are read at once, and what a slow reader keeps in memory. */
export const CHUNK = 64 * 1024

/** A range of at most a few chunks. */
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
  #at: number

  constructor(handle: FileHandle, { start, end }: ByteRange) {
    super({ highWaterMark: CHUNK })
    this.#handle = handle
    this.#at = start
    this.#end = end
  }

  override _read(): void {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, this.#end - this.#at + 1))
    readSome(this.#handle, chunk, 0, this.#at).then(
      (count) => {
        this.#at += count
        this.push(chunk.subarray(0, count))
        if (this.#at > this.#end) this.push(null)
      },
      (error: Error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    callbackify(() => this.#handle.close())((failure) => done(error ?? failure))
  }
}

/** Fills a buffer from `filled` on with what stands as far behind `start`, at least one byte of it. */
async function readSome(
  handle: FileHandle,
  buffer: Buffer,
  filled: number,
  start: number,
): Promise<number> {
  const position = start + filled
  const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position)
  if (bytesRead === 0) throw new Error(`the file ends at byte ${position}, before it should`)
  return bytesRead
}
