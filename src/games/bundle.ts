import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentEncodingOf, isMarkup, isPage } from '../bundles/media-types.ts'
import { findBundleFile } from '../bundles/queries.ts'
import { bundlePath } from '../bundles/rules.ts'
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { takes } from '../http/encoding.ts'
import { matchesEtag } from '../http/etag.ts'
import { sendFile } from '../http/file.ts'
import { type OpenFile, readAsStream, type Store } from '../storage/store.ts'
import { GAME_POLICY, MARKUP_POLICY } from './headers.ts'
import { encodePath, PRELUDE } from './pages.ts'

const HEAD_BYTES = 1024
/**
 * Matches the start of a page through its doctype, after which the server inserts `players/prelude.js`. A
 * script before the doctype would switch browsers to quirks mode. Comments must end where browsers end them
 * (HTML standard, section 13.2.5.43 ff.). Otherwise a script of the page could run before the inserted one.
 */
const DOCTYPE = /^(?:\s|<!--(?!-?>)(?:(?!--!?>)[^])*-->)*<!doctype[^>]*>/i
/** Content type of a compressed file when the client does not accept its encoding. */
const PACKED = 'application/octet-stream'

interface Bundle {
  db: Handle
  store: Store
  sha256: string
  cache: string
}

/**
 * Sends a file of a bundle, or `index.html` for a folder. Redirects a folder without a trailing slash. Paths
 * are case-sensitive. Errors: 404 ROUTE_NOT_FOUND, 416 RANGE_NOT_SATISFIABLE.
 */
export async function sendBundleFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, store, sha256, cache }: Bundle,
  path: string,
): Promise<FastifyReply> {
  const isFolder = path === '' || path.endsWith('/')
  const row = await findBundleFile(db, sha256, isFolder ? `${path}index.html` : path)
  if (!row) {
    if (isFolder || !(await findBundleFile(db, sha256, `${path}/index.html`)))
      throw new ApiError('ROUTE_NOT_FOUND')
    // Redirects to the URL with a trailing slash, so that relative URLs in the page resolve correctly.
    const name = path.slice(path.lastIndexOf('/') + 1)
    return reply.redirect(`${encodePath(name)}/`, 308)
  }
  const file = await store.open(bundlePath(sha256, row.position))
  if (!file) throw new ApiError('ROUTE_NOT_FOUND')
  const tag = `${sha256.slice(0, 32)}-${row.position}`
  const headers = {
    'content-type': row.mime_type,
    'cache-control': cache,
    'content-security-policy': isMarkup(row.path) ? MARKUP_POLICY : GAME_POLICY,
  }
  if (isPage(row.path)) {
    return sendPage(request, reply, file, { etag: `"${tag}-page"`, headers })
  }
  const encoding = contentEncodingOf(row.path)
  if (!encoding) return sendFile(request, reply, file, { etag: `"${tag}"`, headers })
  const vary = 'Accept-Encoding'
  return takes(request, encoding)
    ? sendFile(request, reply, file, {
        etag: `"${tag}-${encoding}"`,
        headers: { ...headers, vary, 'content-encoding': encoding },
      })
    : sendFile(request, reply, file, {
        etag: `"${tag}"`,
        headers: { ...headers, vary, 'content-type': PACKED },
      })
}

/** Sends an HTML page with the prelude. Ignores range requests, because the prelude changes the length. */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  { etag, headers }: { etag: string; headers: Record<string, string> },
): Promise<FastifyReply> {
  reply.headers(headers).header('etag', etag)
  const isKnown = matchesEtag(request.headers['if-none-match'], etag)
  if (isKnown || request.method === 'HEAD') {
    await file.close()
    return reply.code(isKnown ? 304 : 200).send()
  }
  const bytes = await readAsStream(file)
  const page = Readable.from(withPrelude(bytes), { objectMode: false })
  // Closes the file when the response is destroyed before its first read, because the generator then never runs its
  // cleanup.
  page.once('close', () => bytes.destroy())
  return reply.send(page)
}

async function* withPrelude(page: Readable): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of page as AsyncIterable<Buffer>) {
    if (!head) yield chunk
    else {
      head = Buffer.concat([head, chunk])
      if (head.length < HEAD_BYTES) continue
      yield addPrelude(head)
      head = undefined
    }
  }
  if (head) yield addPrelude(head)
}

function addPrelude(head: Buffer): Buffer {
  const { mark, encoding } = encodingOf(head)
  const text = encoding.decode(head.subarray(mark, mark + HEAD_BYTES))
  const start = mark + encoding.encode(DOCTYPE.exec(text)?.[0] ?? '').length
  return Buffer.concat([head.subarray(0, start), encoding.encode(PRELUDE), head.subarray(start)])
}

interface Encoding {
  decode(bytes: Buffer): string
  encode(text: string): Buffer
}

/**
 * Maps each byte to one character. This suits all encodings of web pages except UTF-16, because they write
 * markup as ASCII.
 */
const BYTES: Encoding = {
  decode: (bytes) => bytes.toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1'),
}
const UTF16_LE: Encoding = {
  decode: (bytes) => bytes.toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le'),
}
const UTF16_BE: Encoding = {
  decode: (bytes) =>
    Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
}

/**
 * Returns the encoding that a byte order mark declares, and the length of the mark in bytes. Returns BYTES for
 * UTF-8, and BYTES with length 0 without a mark.
 */
function encodingOf(head: Buffer): { mark: number; encoding: Encoding } {
  const start = head.toString('latin1', 0, 3)
  if (start.startsWith('\xff\xfe')) return { mark: 2, encoding: UTF16_LE }
  if (start.startsWith('\xfe\xff')) return { mark: 2, encoding: UTF16_BE }
  return { mark: start === '\xef\xbb\xbf' ? 3 : 0, encoding: BYTES }
}
