import { Readable } from 'node:stream'
import { type ByteRange, StorageUnavailable } from './store.ts'

/** How often a file that breaks off on its way is taken up again. */
const RESUMES = 3

/** Gives a body of exactly those bytes, which may break off. */
type Get = (range: ByteRange) => Promise<Readable>

/** The bytes of a range, which goes on where the connection to the service broke. */
export class S3Reader extends Readable {
  readonly #get: Get
  readonly #end: number
  #at: number
  #left = RESUMES
  #body: Readable
  #source: AsyncIterator<Buffer>

  /** `first` has the whole range. */
  constructor(get: Get, { start, end }: ByteRange, first: Readable) {
    super()
    this.#get = get
    this.#at = start
    this.#end = end
    this.#body = first
    this.#source = first[Symbol.asyncIterator]()
  }

  override _read(): void {
    this.#next().then(
      (chunk) => {
        this.#at += chunk.length
        this.push(chunk)
        if (this.#at > this.#end) this.push(null)
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
      if (this.destroyed || this.#left === 0) throw new StorageUnavailable('a file broke off')
      this.#left -= 1
      this.#body.destroy()
      this.#body = await this.#get({ start: this.#at, end: this.#end })
      this.#source = this.#body[Symbol.asyncIterator]()
      if (this.destroyed) this.#body.destroy()
    }
  }
}

/** To be taken up again, as where it ends early. */
function brokenOff(): IteratorResult<Buffer> {
  return { done: true, value: undefined }
}
