/** Reads a file forward and records which bytes to keep. */
import type { FileHandle } from 'node:fs/promises'
import { PictureRefused } from './refused.ts'

const WINDOW = 64 * 1024
export const FRAMES_MAX = 5000
/** Maximum number of kept parts. Files from cameras and editors need far fewer. */
const PIECES_MAX = 20_000

/** Range of bytes in a file. `end` is exclusive. */
export interface Range {
  start: number
  end: number
}

type Piece = Range | Buffer

export class Scan {
  readonly #handle: FileHandle
  readonly size: number
  #window: Buffer = Buffer.alloc(0)
  #windowStart = 0
  offset = 0
  readonly pieces: Piece[] = []

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  /** Reads the next bytes. `length` is at most WINDOW. Errors: PictureRefused when the file is too short. */
  async read(length: number): Promise<Buffer> {
    const bytes = await this.#look(length)
    if (bytes.length < length) throw new PictureRefused('invalid.picture')
    this.offset += length
    return bytes.subarray(0, length)
  }

  /** Moves forward without reading. Errors: PictureRefused when the file is too short. */
  skip(length: number): void {
    this.offset += length
    if (this.offset > this.size) throw new PictureRefused('invalid.picture')
  }

  /** Moves to the next byte with this value. Errors: PictureRefused when there is none. */
  async find(value: number): Promise<void> {
    for (;;) {
      const bytes = await this.window()
      const found = bytes.indexOf(value)
      this.offset += found < 0 ? bytes.length : found
      if (found >= 0) return
    }
  }

  /**
   * Returns at least one buffered byte from the current position, without moving. Parsing many short elements in this
   * buffer is faster than awaiting a read of each. Errors: PictureRefused at the end of the file.
   */
  async window(): Promise<Buffer> {
    const bytes = await this.#look(1)
    if (bytes.length === 0) throw new PictureRefused('invalid.picture')
    return bytes
  }

  /** Keeps the bytes from `start` to the current position. Errors: PictureRefused for too many pieces. */
  keep(start: number): void {
    if (start === this.offset) return
    const last = this.pieces.at(-1)
    if (last && !Buffer.isBuffer(last) && last.end === start) last.end = this.offset
    else this.#add({ start, end: this.offset })
  }

  /** Adds bytes that replace removed ones. Errors: PictureRefused for too many pieces. */
  put(bytes: Buffer): void {
    this.#add(bytes)
  }

  #add(piece: Piece): void {
    if (this.pieces.push(piece) > PIECES_MAX) throw new PictureRefused('invalid.picture')
  }

  /** True when nothing is removed. Valid only after the whole file has been scanned. */
  get isWhole(): boolean {
    const [only, more] = this.pieces
    return !more && only !== undefined && !Buffer.isBuffer(only) && only.end === this.size
  }

  /**
   * Returns the buffered bytes from the current position. Reads a new window when they are fewer than `length`.
   */
  async #look(length: number): Promise<Buffer> {
    const from = this.offset - this.#windowStart
    const here = from >= 0 ? this.#window.subarray(from) : Buffer.alloc(0)
    if (here.length >= length) return here
    const fresh = Buffer.allocUnsafe(WINDOW)
    const { bytesRead } = await this.#handle.read(fresh, 0, WINDOW, this.offset)
    this.#window = fresh.subarray(0, bytesRead)
    this.#windowStart = this.offset
    return this.#window
  }
}
