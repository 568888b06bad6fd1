/** Serves the files of an HTML5 bundle as a static host would. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentEncodingOf, isPage } from '../bundles/media-types.ts'
import { findBundleFile } from '../bundles/queries.ts'
import { bundlePath } from '../bundles/rules.ts'
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { takes } from '../http/encoding.ts'
import { matchesEtag } from '../http/etag.ts'
import { sendFile } from '../http/file.ts'
import { type OpenFile, readAsStream, type Store } from '../storage/store.ts'
import { GAME_POLICY } from './headers.ts'
import { encodePath } from './pages.ts'

/** Runs before anything of a page: what the sandbox takes away and games expect. */
const PRELUDE = '<script src="/players/prelude.js"></script>'
/** How far into a page its doctype is looked for, in bytes. */
const HEAD_BYTES = 1024
/** After this a script may stand; before the doctype it would change how the page is laid out. */
const DOCTYPE = /^(?:\xef\xbb\xbf)?(?:\s|<!--(?:(?!-->)[^])*-->)*<!doctype[^>]*>/i
/** UTF-16, into which no text of one byte a character can be put. */
const WIDE = /^(?:\xff\xfe|\xfe\xff|<\0|\0<)/
/** What a compressed file is to who does not unpack it on the way. */
const PACKED = 'application/octet-stream'

interface Bundle {
  db: Handle
  store: Store
  sha256: string
  /** For browsers: how long and for whom. */
  cache: string
}

/**
 * Sends the file with this path, exactly as the bundle spells it; of a folder its `index.html`.
 * Errors: 404 ROUTE_NOT_FOUND, 416 RANGE_NOT_SATISFIABLE.
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
    // With its slash, so that the page's relative addresses are right.
    const name = path.slice(path.lastIndexOf('/') + 1)
    return reply.redirect(`${encodePath(name)}/`, 308)
  }
  const file = await store.open(bundlePath(sha256, row.position))
  if (!file) throw new ApiError('ROUTE_NOT_FOUND')
  const tag = `${sha256.slice(0, 32)}-${row.position}`
  const headers = {
    'content-type': row.mime_type,
    'cache-control': cache,
    'content-security-policy': GAME_POLICY,
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

/** A page, with the prelude in front of its own scripts; whole, since nobody asks for part of one. */
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
  // What is destroyed before it was first read never starts, and so ends nothing by itself.
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
  // One character for each byte, so that places in the text are places in the bytes.
  const start = head.subarray(0, HEAD_BYTES).toString('latin1')
  if (WIDE.test(start)) return head
  const at = DOCTYPE.exec(start)?.[0].length ?? (start.startsWith('\xef\xbb\xbf') ? 3 : 0)
  return Buffer.concat([head.subarray(0, at), Buffer.from(PRELUDE), head.subarray(at)])
}
