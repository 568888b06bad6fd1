/** Reads a file forward and notes which of its bytes to keep. */
import type { FileHandle } from 'node:fs/promises'
import { PictureRefused } from './refused.ts'

const WINDOW = 64 * 1024
/** Frames of an animation. */
export const FRAMES_MAX = 5000
/** Pieces of a picture that is taken apart; no camera or editor makes so many. */
const PIECES_MAX = 20_000

/** Bytes of the file from `start` up to `end`. */
export interface Range {
  start: number
  end: number
}

/** Bytes of the file, or others. */
type Piece = Range | Buffer

export class Scan {
  readonly #handle: FileHandle
  /** Of the file, in bytes. */
  readonly size: number
  #window: Buffer = Buffer.alloc(0)
  #windowStart = 0
  /** Where the next byte is read. */
  at = 0
  readonly pieces: Piece[] = []

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  /** The next bytes, at most a window. Refuses a file that has fewer. */
  async read(length: number): Promise<Buffer> {
    const bytes = await this.#look(length)
    if (bytes.length < length) throw new PictureRefused('invalid.picture')
    this.at += length
    return bytes.subarray(0, length)
  }

  /** Passes over bytes. Refuses a file that has fewer. */
  skip(length: number): void {
    this.at += length
    if (this.at > this.size) throw new PictureRefused('invalid.picture')
  }

  /** Goes to the next byte of this value. Refuses a file that has none. */
  async find(value: number): Promise<void> {
    for (;;) {
      const bytes = await this.window()
      const found = bytes.indexOf(value)
      this.at += found < 0 ? bytes.length : found
      if (found >= 0) return
    }
  }

  /**
   * All that is in memory from here on, a byte at least. What a file has millions of is looked for
   * in it, since to wait for each one would take seconds. Refuses a file that has no more.
   */
  async window(): Promise<Buffer> {
    const bytes = await this.#look(1)
    if (bytes.length === 0) throw new PictureRefused('invalid.picture')
    return bytes
  }

  /** Keeps what was passed since `start`. */
  keep(start: number): void {
    if (start === this.at) return
    const last = this.pieces.at(-1)
    if (last && !Buffer.isBuffer(last) && last.end === start) last.end = this.at
    else this.#add({ start, end: this.at })
  }

  /** Puts bytes of its own behind what was kept. */
  put(bytes: Buffer): void {
    this.#add(bytes)
  }

  #add(piece: Piece): void {
    if (this.pieces.push(piece) > PIECES_MAX) throw new PictureRefused('invalid.picture')
  }

  /** True while every byte of the file is kept. */
  get isWhole(): boolean {
    const [only, more] = this.pieces
    return !more && only !== undefined && !Buffer.isBuffer(only) && only.end === this.size
  }

  /** What is left of the window at `at`, read on where that has fewer bytes than are wanted. */
  async #look(length: number): Promise<Buffer> {
    const from = this.at - this.#windowStart
    const here = from >= 0 ? this.#window.subarray(from) : Buffer.alloc(0)
    if (here.length >= length) return here
    const fresh = Buffer.allocUnsafe(WINDOW)
    const { bytesRead } = await this.#handle.read(fresh, 0, WINDOW, this.at)
    this.#window = fresh.subarray(0, bytesRead)
    this.#windowStart = this.at
    return this.#window
  }
}
