import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Type } from 'typebox'
import { createHttp } from '../app.ts'
import type { CoreDeps } from '../declaration.ts'
import { Load } from './load.ts'
import { Api } from '../route.ts'

/** Allows 400 ms for a whole body. A long body must deliver 1000 bytes in each 300 ms instead. */
const bodyTimeout = { wholeMs: 400, windowMs: 300, windowBytes: 1000 }
const now = () => Date.now()
const load = new Load()
const http = createHttp({
  log: pino({ level: 'silent' }),
  load,
  trustProxy: 0,
  corsOrigins: [],
  now,
  bodyTimeout,
})
const seen: { bytes: number; error: unknown }[] = []
const api = new Api(http, { clock: { now }, corsOrigins: [], load } as unknown as CoreDeps, [])
const Length = Type.Object({ length: Type.Integer() })
api.post('/texts', {
  id: 'texts',
  summary: 'Takes JSON',
  tag: 'Tests',
  auth: 'public',
  body: Type.Object({ text: Type.String() }),
  data: Length,
  handler: ({ body }) => ({ length: body.text.length }),
})
api.post('/files', {
  id: 'files',
  summary: 'Takes a file',
  tag: 'Tests',
  auth: 'public',
  body: { field: 'file', description: 'A file', maxBytes: () => 1_000_000 },
  data: Length,
  handler: async ({ file }) => {
    const entry: (typeof seen)[number] = { bytes: 0, error: undefined }
    seen.push(entry)
    try {
      for await (const chunk of file as AsyncIterable<Buffer>) entry.bytes += chunk.length
    } catch (error) {
      entry.error = error
      throw error
    }
    // Longer than every body timeout. The timeouts must not apply while the route prepares its response.
    await sleep(600)
    return { length: entry.bytes }
  },
})
api.get('/nothing', {
  id: 'nothing',
  summary: 'Takes nothing',
  tag: 'Tests',
  auth: 'public',
  data: Length,
  handler: () => ({ length: 0 }),
})
await http.listen({ host: '127.0.0.1', port: 0 })
const { port } = http.server.address() as AddressInfo
after(() => http.close())

interface Talk {
  socket: Socket
  received(): string
  /** Resolves when the server closes the connection, with the milliseconds since it was opened. */
  closed: Promise<number>
}

function talk(head: string): Talk {
  const started = performance.now()
  const socket = connect(port, '127.0.0.1')
  socket.write(head)
  let received = ''
  socket.on('data', (data: Buffer) => (received += data.toString('latin1')))
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) =>
    socket.on('close', () => resolve(performance.now() - started)),
  )
  return { socket, received: () => received, closed }
}

const head = (path: string, type: string, length: number, more = '') =>
  `POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${more}\r\n`
const FORM = 'multipart/form-data; boundary=b'
const OPENING = '--b\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\n'
const CLOSING = '\r\n--b--\r\n'

async function drip({ socket }: Talk, piece: string, everyMs: number, times: number) {
  for (let i = 0; i < times && !socket.destroyed; i++) {
    socket.write(piece)
    await sleep(everyMs)
  }
}

test('answers 408 when slow JSON exceeds its total time, even if data keeps arriving', async () => {
  const slow = talk(head('texts', 'application/json', 1000))
  await drip(slow, 'x', 20, 40)
  const ms = await slow.closed
  assert.match(slow.received(), /^HTTP\/1\.1 408 .*REQUEST_TIMEOUT/s)
  assert.match(slow.received(), /connection: close\r\n/i)
  assert.ok(ms >= 400 && ms < 3500, `${ms} ms`)
})

test('reports a late or broken body in the language and with the id of its headers', async () => {
  const id = '0190a3c8-1f4b-7ccc-8aaa-0123456789ab'
  const known = `accept-language: en\r\nx-request-id: ${id}\r\n`
  const late = talk(head('texts', 'application/json', 1000, known))
  const whole = head('texts', 'application/json', 1000, known)
  const broken = talk(
    whole.replace('Content-Length: 1000', 'Transfer-Encoding: chunked') + 'ZZ\r\n',
  )
  for (const [{ closed, received }, status] of [
    [late, 408],
    [broken, 400],
  ] as const) {
    await closed
    assert.match(received(), new RegExp(`^HTTP/1\\.1 ${status} .*content-language: en\r\n`, 's'))
    assert.match(received(), new RegExp(`x-request-id: ${id}\r\n.*"request_id":"req_${id}"`, 's'))
  }
})

test('keeps serving after an endless body over the limit', async () => {
  http.server.keepAliveTimeout = 1
  const endless = head('texts', 'application/json', 0).replace(
    'Content-Length: 0',
    'Transfer-Encoding: chunked',
  )
  const big = talk(`${endless}50000\r\n${'x'.repeat(0x50000)}\r\n1\r\n`)
  for (let i = 0; i < 100 && !big.received(); i++) await sleep(10)
  assert.match(big.received(), /^HTTP\/1\.1 413 /)
  // Waits until the connection has closed and all its timers would have fired.
  await big.closed
  await sleep(500)
  const next = talk('GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await next.closed
  assert.match(next.received(), /^HTTP\/1\.1 200 /)
})

test('accepts a slow file while data keeps arriving, and a slow response to it', async () => {
  const length = OPENING.length + 20_000 + CLOSING.length
  const steady = talk(head('files', FORM, length) + OPENING)
  await drip(steady, 'x'.repeat(1000), 60, 20)
  steady.socket.write(CLOSING)
  for (let i = 0; i < 3000 && !steady.received().includes('}}'); i++) await sleep(20)
  assert.match(steady.received(), /^HTTP\/1\.1 200 .*"length":20000/s)
  steady.socket.destroy()
  assert.equal(seen.pop()?.bytes, 20_000)
})

test('answers 408 in the envelope when a file arrives too slowly, and fails its reader', async () => {
  const slow = talk(head('files', FORM, 100_000) + OPENING)
  await drip(slow, 'x', 20, 80)
  const ms = await slow.closed
  assert.match(slow.received(), /^HTTP\/1\.1 408 .*REQUEST_TIMEOUT/s)
  assert.match(slow.received(), /connection: close\r\n/i)
  assert.ok(ms >= 300 && ms < 2500, `${ms} ms`)
  assert.match(String(seen.pop()?.error), /REQUEST_TIMEOUT/)
})

test('answers 408 when a fast upload becomes too slow', async () => {
  const turning = talk(head('files', FORM, 900_000) + OPENING + 'x'.repeat(500_000))
  await drip(turning, 'x', 20, 80)
  assert.ok((await turning.closed) < 3000)
  assert.match(turning.received(), /^HTTP\/1\.1 408 /)
  seen.pop()
})

test('answers 408 when a body stalls and its connection stays silent for too long', async () => {
  // Sets a timeout of silent connections that is shorter than the time limit for a body. Connections that are
  // open already keep their timeout.
  http.server.setTimeout(150)
  const stalled = [
    talk(head('texts', 'application/json', 1000) + '{"text":'),
    talk(head('files', FORM, 100_000) + OPENING),
    talk(head('files', FORM, 100_000) + OPENING + 'x'.repeat(50_000)),
  ]
  for (const { closed, received } of stalled) {
    assert.ok((await closed) < 3500)
    assert.match(received(), /^HTTP\/1\.1 408 .*REQUEST_TIMEOUT/s)
  }
  http.server.setTimeout(30_000)
  seen.length = 0
})

test('closes the connection when an ignored or rejected body keeps arriving', async () => {
  for (const opening of [
    head('nothing', 'text/plain', 100_000).replace('POST', 'GET'),
    head('nowhere', 'text/plain', 100_000),
    head('texts', 'text/plain', 100_000),
    head('files', 'text/plain', 100_000),
    head('files', FORM, 100_000_000),
  ]) {
    const idle = talk(opening)
    await drip(idle, 'x', 50, 40)
    assert.ok((await idle.closed) < 3500, opening)
    assert.match(idle.received(), /^HTTP\/1\.1 (200|404|415|413) /)
  }
})

test('reads a rejected body for a while, so that the client sees the response, then disconnects', async () => {
  for (const length of [5_000_000, 1_000_000_000_000]) {
    const large = talk(head('files', FORM, length))
    const piece = 'x'.repeat(1_000_000)
    for (let sent = 0; sent < length && !large.socket.destroyed; sent += piece.length) {
      if (!large.socket.write(piece)) {
        await Promise.race([new Promise((done) => large.socket.once('drain', done)), large.closed])
      }
    }
    while (large.received() === '' && !large.socket.destroyed) await sleep(20)
    assert.match(large.received(), /^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s)
    if (large.socket.destroyed) continue
    large.socket.write('GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await large.closed
    assert.match(large.received(), /HTTP\/1\.1 413 .*HTTP\/1\.1 200 /s)
  }
})

test('applies no body timeout after the body has arrived', async () => {
  const quick = talk(head('texts', 'application/json', 14) + '{"text":"abc"}')
  await sleep(600)
  while (quick.received() === '' && !quick.socket.destroyed) await sleep(20)
  assert.match(quick.received(), /^HTTP\/1\.1 200 .*"length":3/s)
  quick.socket.write('GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await quick.closed
  assert.match(quick.received(), /HTTP\/1\.1 200 .*HTTP\/1\.1 200 /s)
})
