import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { ApiError, invalid } from '../errors.ts'
import { hasBody } from './server/body-timeout.ts'
import { discard } from './body.ts'

/** Maximum bytes of the form in addition to the file: headers and other fields, which are ignored. */
export const FORM_OVERHEAD = 1024 * 1024
const PARTS_MAX = 100
const PART_HEADER_MAX = 16 * 1024
/** Maximum bytes to buffer while the reader is slow. */
const WAITING_MAX = 128 * 1024
/** A form's content type with a valid boundary (RFC 2046, section 5.1.1). */
const FORM_TYPE =
  /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;.*)?$/i

interface Expected {
  name: string
  maxBytes: number
}

/**
 * Returns a stream of the file in a multipart/form-data body (RFC 7578). The stream ends after the whole form
 * has arrived and is valid. Destroying the stream discards the remaining body.
 *
 * Throws 415 for another content type or a Content-Encoding, 422 without a body, and 413 when the declared
 * length is too large. The stream fails with
 * - 400 when the client disconnects;
 * - 413 when the file or the form is too large;
 * - 422 when the form is invalid, contains another file, or has no file or an empty one in the expected field.
 */
export function readFilePart(request: IncomingMessage, expected: Expected): Readable {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers
  if (type === undefined && !hasBody(request)) throw noForm(expected)
  const boundary = FORM_TYPE.exec(type ?? '')
  if (!boundary || (encoding !== undefined && encoding !== 'identity')) {
    discard(request)
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE')
  }
  if (Number(request.headers['content-length']) > expected.maxBytes + FORM_OVERHEAD) {
    discard(request)
    throw new ApiError('PAYLOAD_TOO_LARGE')
  }
  return new FilePart(request, expected, boundary[1] ?? (boundary[2] as string))
}

function noForm({ name }: Expected): ApiError {
  return invalid(name, 'invalid.one_file')
}

class FilePart extends Readable {
  readonly #request: IncomingMessage
  readonly #expected: Expected
  readonly #parser: BusboyInstance
  #file: BusboyFileStream | undefined
  #begun = false
  /** Bytes of the file received so far. */
  #size = 0
  /** Bytes of the whole form received so far. */
  #total = 0

  constructor(request: IncomingMessage, expected: Expected, boundary: string) {
    super({ highWaterMark: WAITING_MAX })
    this.#request = request
    this.#expected = expected
    this.#parser = new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      fileHwm: WAITING_MAX,
      // A part is a file if it has a file name, or is the expected field and not plain text (RFC 7578, section
      // 4.4).
      isPartAFile: (name, type, fileName) =>
        fileName !== undefined || (name === expected.name && type !== 'text/plain'),
      limits: {
        parts: PARTS_MAX,
        headerPairs: 20,
        headerSize: PART_HEADER_MAX,
        // Form fields that are not files are ignored, so their values need no buffer.
        fieldSize: 0,
      },
    })
  }

  override _read(): void {
    if (this.#begun) this.#file?.resume()
    else this.#begin()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const request = this.#request
    request.unpipe(this.#parser)
    if (!request.readableEnded) discard(request)
    done(error)
  }

  #begin(): void {
    this.#begun = true
    if (this.#request.destroyed) {
      this.destroy(new ApiError('BAD_REQUEST'))
      return
    }
    const refuse = () => this.destroy(noForm(this.#expected))
    this.#parser
      .on('file', (name, file) => this.#accept(name, file))
      .on('partsLimit', refuse)
      .on('error', refuse)
      .on('finish', () => this.#finish())
    this.#request
      .on('error', (error) => this.destroy(error))
      .on('close', () => {
        if (!this.#request.readableEnded) this.destroy(new ApiError('BAD_REQUEST'))
      })
      .pipe(this.#parser)
    this.#request.on('data', (chunk: Buffer) => {
      this.#total += chunk.length
      if (this.#total > this.#expected.maxBytes + FORM_OVERHEAD) this.#refuseSize()
    })
  }

  #accept(name: string, file: BusboyFileStream): void {
    file.on('error', () => {})
    if (this.#file || name !== this.#expected.name) {
      this.destroy(noForm(this.#expected))
      return
    }
    this.#file = file
    file.on('data', (chunk: Buffer) => {
      if (this.destroyed) return
      this.#size += chunk.length
      if (this.#size > this.#expected.maxBytes) this.#refuseSize()
      else if (!this.push(chunk)) file.pause()
    })
  }

  #refuseSize(): void {
    this.destroy(new ApiError('PAYLOAD_TOO_LARGE'))
  }

  #finish(): void {
    if (this.destroyed) return
    if (!this.#file) this.destroy(noForm(this.#expected))
    else if (this.#size === 0) this.destroy(invalid(this.#expected.name, 'invalid.empty'))
    else this.push(null)
  }
}
