import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher, request } from 'undici'
import type { Bucket } from './s3-url.ts'
import { type ByteRange, StorageFull, StorageUnavailable } from './store.ts'

const ATTEMPTS = 3
const CONNECT_MS = 5000
/** Milliseconds to wait for more data of a response. */
const IDLE_MS = 30_000
/**
 * Milliseconds to wait for a response after sending a request: STORE_MS for PUT and POST, ANSWER_MS for other
 * methods.
 */
const ANSWER_MS = 10_000
const STORE_MS = 60_000
/** Errors that are not retried, because another attempt could take as long again. */
const TIMEOUTS: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])
/** Maximum bytes to read of an error response or a listing. */
const TEXT_LIMIT = 8 * 1024 * 1024
/** Error codes that services return when the storage is full or a file is too large. */
const FULL: ReadonlySet<string> = new Set([
  'EntityTooLarge',
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioStorageFull',
])

export interface FilePart extends ByteRange {
  localFile: string
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Key without a leading slash; empty for the bucket itself. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: string | FilePart
  expects?: readonly number[]
  attempts?: number
  /** Time limit of each attempt in milliseconds, including reading the response. */
  timeoutMs?: number
}

export interface S3Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The caller must read the body to the end or destroy it. */
  body: Readable
}

export class S3Client {
  readonly #bucket: Bucket
  readonly #pauseMs: number
  readonly #agent = new Agent({
    connect: { timeout: CONNECT_MS },
    bodyTimeout: IDLE_MS,
  })

  /**
   * `pauseMs` is the average pause before the second attempt, in milliseconds. It doubles before each further
   * attempt.
   */
  constructor(bucket: Bucket, pauseMs: number) {
    this.#bucket = bucket
    this.#pauseMs = pauseMs
  }

  /**
   * Sends a request and returns the response. Retries temporary failures, except timeouts. Errors:
   * StorageFull, StorageUnavailable.
   */
  async send(asked: S3Request): Promise<S3Answer> {
    const { body } = asked
    const hash = await hashOf(body)
    for (let attempt = 1; ; attempt++) {
      const failure = await this.#attempt(asked, hash).catch((error: Error) => {
        if (error instanceof Refused) throw error.meaning
        return error
      })
      if (!(failure instanceof Error)) return failure
      const isSlow = TIMEOUTS.has((failure as { code?: unknown }).code)
      if (isSlow || attempt >= (asked.attempts ?? ATTEMPTS)) {
        throw new StorageUnavailable(`the storage is unavailable: ${failure.message}`, {
          cause: failure,
        })
      }
      await pause(this.#pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

  async sendForText(asked: S3Request): Promise<Omit<S3Answer, 'body'> & { text: string }> {
    const { status, body, headers } = await this.send(asked)
    return { status, headers, text: await textOf(body) }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #attempt(asked: S3Request, hash: string): Promise<S3Answer> {
    const { method, body, expects = [], timeoutMs } = asked
    const { url, headers } = await this.#sign(asked, hash)
    const answer = await request(url, {
      method: method as Dispatcher.HttpMethod,
      headers,
      body: typeof body === 'object' ? readPart(body) : (body ?? null),
      dispatcher: this.#agent,
      headersTimeout: method === 'PUT' || method === 'POST' ? STORE_MS : ANSWER_MS,
      ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
    })
    // Destroying an unfinished body emits an error, which would crash the process without a listener.
    answer.body.on('error', () => {})
    const status = answer.statusCode
    if ((status >= 200 && status < 300) || expects.includes(status)) {
      return { status, headers: answer.headers, body: answer.body }
    }
    const code = /<Code>(\w{1,64})<\/Code>/.exec(await textOf(answer.body))?.[1] ?? ''
    const message = `status ${status} ${code}`.trim()
    if (status === 507 || FULL.has(code)) throw new Refused(new StorageFull(message))
    if (status >= 500 || status === 429 || status === 408) throw new Error(message)
    throw new Refused(new StorageUnavailable(`the storage is unavailable: ${message}`))
  }

  async #sign({ method, key, query = {}, headers = {}, body }: S3Request, hash: string) {
    const { accessKeyId, secretAccessKey, region, url: root } = this.#bucket
    const url = new URL(key === '' ? root : `${root}/${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': hash },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
    })
    const signed = await signer.sign()
    return {
      url: signed.url,
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(body !== undefined && { 'content-length': String(lengthOf(body)) }),
      },
    }
  }
}

/** An error response that a retry would not change. */
class Refused extends Error {
  readonly meaning: Error

  constructor(meaning: Error) {
    super(meaning.message)
    this.meaning = meaning
  }
}

function lengthOf(body: string | FilePart): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.end - body.start + 1
}

function readPart({ localFile, start, end }: FilePart): Readable {
  return createReadStream(localFile, { start, end, highWaterMark: 256 * 1024 })
}

/**
 * Returns the SHA-256 hash of the body in hex. The service compares the hash with the received bytes, and rejects a
 * damaged upload.
 */
async function hashOf(body: S3Request['body']): Promise<string> {
  const hash = createHash('sha256')
  if (typeof body === 'string') hash.update(body)
  else if (body && lengthOf(body) > 0) for await (const chunk of readPart(body)) hash.update(chunk)
  return hash.digest('hex')
}

async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > TEXT_LIMIT) break
  }
  return Buffer.concat(chunks).toString()
}
