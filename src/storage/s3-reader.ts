import { Readable } from 'node:stream'
import { type ByteRange, StorageUnavailable } from './store.ts'

const RESUMES = 3

type Get = (range: ByteRange) => Promise<Readable>

/**
 * Reads a range of a file. When the connection to the service breaks, resumes at the current position, up to
 * RESUMES times.
 */
export class S3Reader extends Readable {
  readonly #get: Get
  readonly #end: number
  #position: number
  #left = RESUMES
  #body: Readable
  #source: AsyncIterator<Buffer>

  /** `first` is the body of the first response, which contains the whole range. */
  constructor(get: Get, { start, end }: ByteRange, first: Readable) {
    super()
    this.#get = get
    this.#position = start
    this.#end = end
    this.#body = first
    this.#source = first[Symbol.asyncIterator]()
  }

  override _read(): void {
    this.#next().then(
      (chunk) => {
        this.#position += chunk.length
        this.push(chunk)
        if (this.#position > this.#end) this.push(null)
      },
      (error: Error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#body.destroy()
    done(error)
  }

  async #next(): Promise<Buffer> {
    for (;;) {
      const { value, done } = await this.#source.next().catch(brokenOff)
      if (!done) return value
      if (this.destroyed || this.#left === 0)
        throw new StorageUnavailable('the connection broke while reading a file')
      this.#left -= 1
      this.#body.destroy()
      this.#body = await this.#get({ start: this.#position, end: this.#end })
      this.#source = this.#body[Symbol.asyncIterator]()
      if (this.destroyed) this.#body.destroy()
    }
  }
}

/**
 * Returns the result that reports a broken connection as the end of the body. The reader then requests the
 * remaining bytes.
 */
function brokenOff(): IteratorResult<Buffer> {
  return { done: true, value: undefined }
}
