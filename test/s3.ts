/**
 * In-process S3-compatible service for tests. It verifies the AWS Signature Version 4 of every request and
 * rejects wrong signatures.
 */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after } from 'node:test'

const KEY = 'AKIDEXAMPLE'
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const REGION = 'test-region-1'
const BUCKET = 'plaza-files'

interface StoredObject {
  bytes: Buffer
  type: string
  modifiedAt: number
}

export type Fault =
  | { status: number; code?: string }
  /** Bytes of the response body after which the service closes the connection. */
  | { cutAfter: number }
  | 'silence'

export interface TestS3 {
  storageUrl: string
  objects: Map<string, StoredObject>
  /** Multipart uploads that are neither completed nor aborted. */
  pending: Map<string, Map<number, Buffer>>
  requests: string[]
  /** Faults for the next requests, one per request. */
  faults: Fault[]
  pageSize: number
  stop(): Promise<void>
}

class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

export async function startS3(): Promise<TestS3> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => void answer(s3, request, response))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const credentials = `${KEY}:${encodeURIComponent(SECRET)}`
  const s3: TestS3 = {
    storageUrl: `s3+http://${credentials}@127.0.0.1:${port}/${BUCKET}/some/place?region=${REGION}`,
    objects: new Map(),
    pending: new Map(),
    requests: [],
    faults: [],
    pageSize: 1000,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      if (server.listening) await new Promise((closed) => server.close(closed))
    },
  }
  after(() => s3.stop())
  return s3
}

async function answer(s3: TestS3, request: IncomingMessage, response: ServerResponse) {
  const [path = '', search = ''] = (request.url ?? '').split('?')
  const key = decodeURIComponent(path.split('/').slice(2).join('/'))
  const query = new URLSearchParams(search)
  s3.requests.push(`${request.method} ${key}${search && `?${search}`}`)
  const fault = s3.faults.shift()
  try {
    const body = await bytesOf(request)
    if (fault === 'silence') return
    if (fault && 'status' in fault) throw new Refusal(fault.status, fault.code ?? 'InternalError')
    verify(request, path, search, body)
    if (path.split('/')[1] !== BUCKET) throw new Refusal(404, 'NoSuchBucket')
    const cutAfter = fault?.cutAfter
    act(s3, { method: request.method ?? '', key, query, request, body, response, cutAfter })
  } catch (error) {
    if (request.socket.destroyed) return
    const { status = 500, code = String(error) } = error as Partial<Refusal>
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(request.method === 'HEAD' ? '' : `<Error><Code>${code}</Code></Error>`)
  }
}

interface Act {
  method: string
  key: string
  query: URLSearchParams
  request: IncomingMessage
  body: Buffer
  response: ServerResponse
  cutAfter: number | undefined
}

function act(s3: TestS3, { method, key, query, request, body, response, cutAfter }: Act): void {
  const uploadId = query.get('uploadId')
  const type = request.headers['content-type'] ?? ''
  const xml = (text: string) => response.end(text)
  if (key === '' && method === 'HEAD') response.end()
  else if (key === '' && method === 'GET') xml(listed(s3, query))
  else if (method === 'POST' && query.has('uploads')) {
    const id = `upload+${s3.pending.size}/&`
    s3.pending.set(id, new Map())
    xml(`<R><UploadId>${id.replace('&', '&amp;')}</UploadId></R>`)
  } else if (uploadId !== null) {
    const parts = s3.pending.get(uploadId)
    if (!parts) throw new Refusal(404, 'NoSuchUpload')
    if (method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body)
      response.setHeader('etag', etagOf(body)).end()
      return
    }
    s3.pending.delete(uploadId)
    if (method === 'DELETE') response.writeHead(204).end()
    else xml(completed(s3, key, parts, body.toString()))
  } else if (method === 'PUT') {
    s3.objects.set(key, { bytes: body, type, modifiedAt: Date.now() })
    response.setHeader('etag', etagOf(body)).end()
  } else if (method === 'DELETE') {
    s3.objects.delete(key)
    response.writeHead(204).end()
  } else give(s3, { method, key, request, response, cutAfter })
}

function give(
  s3: TestS3,
  { method, key, request, response, cutAfter }: Omit<Act, 'query' | 'body'>,
): void {
  const object = s3.objects.get(key)
  if (!object) throw new Refusal(404, 'NoSuchKey')
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (Number(start) >= object.bytes.length) throw new Refusal(416, 'InvalidRange')
  const bytes = start === undefined ? object.bytes : object.bytes.subarray(+start, Number(end) + 1)
  response.writeHead(start === undefined ? 200 : 206, {
    'content-length': bytes.length,
    'content-type': object.type,
    'last-modified': new Date(object.modifiedAt).toUTCString(),
    etag: etagOf(object.bytes),
  })
  if (method === 'HEAD') response.end()
  else if (cutAfter === undefined) response.end(bytes)
  else response.write(bytes.subarray(0, cutAfter), () => response.destroy())
}

function listed(s3: TestS3, query: URLSearchParams): string {
  const token = query.get('continuation-token')
  const keys = [...s3.objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? ''))
    .sort()
  const from = token === null ? 0 : Number(token.slice('after+/&'.length))
  const page = keys.slice(from, from + s3.pageSize).map((key) => {
    const { bytes, modifiedAt } = s3.objects.get(key) as StoredObject
    const time = new Date(modifiedAt).toISOString()
    return `<Contents><Key>${key}</Key><LastModified>${time}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  const next = from + s3.pageSize
  const more =
    next < keys.length ? `<NextContinuationToken>after+/&amp;${next}</NextContinuationToken>` : ''
  return `<?xml version="1.0"?>\n<ListBucketResult>${page.join('\n')}${more}</ListBucketResult>`
}

function completed(s3: TestS3, key: string, parts: Map<number, Buffer>, text: string): string {
  const named = [...text.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g)]
  const bytes = named.map(([, number, etag]) => {
    const part = parts.get(Number(number))
    if (!part || etagOf(part) !== etag?.replaceAll('&quot;', '"')) {
      throw new Refusal(400, 'InvalidPart')
    }
    return part
  })
  s3.objects.set(key, { bytes: Buffer.concat(bytes), type: '', modifiedAt: Date.now() })
  return '<CompleteMultipartUploadResult/>'
}

/** Checks the Authorization header (AWS Signature Version 4, "Authenticating requests"). */
function verify(request: IncomingMessage, path: string, search: string, body: Buffer): void {
  const { headers, method } = request
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/
  const [, key, day, region, names = '', signature] = form.exec(headers.authorization ?? '') ?? []
  const time = String(headers['x-amz-date'])
  const payload = String(headers['x-amz-content-sha256'])
  if (signature === undefined) throw new Refusal(403, 'AccessDenied')
  if (key !== KEY) throw new Refusal(403, 'InvalidAccessKeyId')
  if (region !== REGION) throw new Refusal(400, 'AuthorizationHeaderMalformed')
  const signed = names.split(';')
  const mustBe = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (!mustBe.every((name) => signed.includes(name))) throw new Refusal(403, 'AccessDenied')
  const iso = time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')
  if (Math.abs(Date.parse(iso) - Date.now()) > 900_000 || !time.startsWith(String(day))) {
    throw new Refusal(403, 'RequestTimeTooSkewed')
  }
  const canonical = [
    method,
    path
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    canonicalQuery(search),
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  let secret: string | Buffer = `AWS4${SECRET}`
  for (const step of [day, region, 's3', 'aws4_request']) secret = hmac(secret, String(step))
  if (hmac(secret, text).toString('hex') !== signature) {
    throw new Refusal(403, 'SignatureDoesNotMatch')
  }
  if (payload !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch')
}

function canonicalQuery(search: string): string {
  if (search === '') return ''
  const pairs = search.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return [encoded(decodeURIComponent(name)), encoded(decodeURIComponent(value))].join('=')
  })
  return pairs.sort().join('&')
}

/** Percent-encodes every byte except the unreserved characters (RFC 3986, section 2.3). */
function encoded(text: string): string {
  return [...Buffer.from(text)]
    .map((octet) => {
      const character = String.fromCharCode(octet)
      if (/[A-Za-z0-9._~-]/.test(character)) return character
      return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
