/** Writes a file to the local disk as it comes, and tells what it is. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '../errors.ts'
import { HEAD_BYTES, sniff } from './sniff.ts'

/** Bytes that wait for a slow disk. */
const WAITING_MAX = 1024 * 1024

export interface Hashed {
  sha256: string
  sizeBytes: number
}

/**
 * Writes the bytes to a new file, of which nothing is left but what the caller removes.
 * Errors: 415 UNSUPPORTED_MEDIA_TYPE as soon as enough is there to tell; those of `bytes`.
 */
export async function stageFile(
  bytes: Readable,
  target: string,
): Promise<Hashed & { mimeType: string }> {
  const digest = createHash('sha256')
  let head = Buffer.alloc(0)
  let mimeType: string | undefined
  let sizeBytes = 0
  const tell = () => {
    mimeType = sniff(head)
    if (!mimeType) throw new ApiError('UNSUPPORTED_MEDIA_TYPE')
  }
  async function* look(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length
      if (!mimeType) {
        head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
        if (head.length === HEAD_BYTES) tell()
      }
      digest.update(chunk)
      yield chunk
    }
    if (!mimeType) tell()
  }
  const file = createWriteStream(target, { flags: 'wx', mode: 0o600, highWaterMark: WAITING_MAX })
  await pipeline(bytes, look, file)
  return { mimeType: mimeType as unknown as string, sha256: digest.digest('hex'), sizeBytes }
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
