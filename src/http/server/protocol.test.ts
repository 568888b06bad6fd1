import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../../test/app.ts'
import { dataOf, times } from '../../../test/make.ts'
import { makeBrokenMp4, makeUpload } from '../../../test/uploads.ts'

const app = await startApp()
const alice = await app.user()
const port = Number(new URL(app.url).port)

/**
 * Sends raw bytes and returns the response. Without a complete response, returns the output until the server
 * closes the connection or `waitMs` have passed.
 */
function raw(bytes: string, waitMs = 1500): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let received = ''
    const done = () => {
      socket.destroy()
      resolve(received)
    }
    const timer = setTimeout(done, waitMs)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const match = /content-length: (\d+)\r\n[^]*?\r\n\r\n([^]*)$/i.exec(received)
      if (match && Buffer.byteLength(match[2] as string, 'latin1') >= Number(match[1])) {
        clearTimeout(timer)
        done()
      }
    })
    socket.on('close', () => {
      clearTimeout(timer)
      done()
    })
    socket.on('error', done)
  })
}

function assertEnvelope(received: string, status: number, code?: string): void {
  assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `), received.slice(0, 200))
  assert.match(received, /x-api-version: v1\r\n/i)
  assert.match(received, /x-request-id: [0-9a-f-]{36}\r\n/i)
  const body = JSON.parse(
    Buffer.from(received.split('\r\n\r\n').slice(1).join('\r\n\r\n'), 'latin1').toString(),
  )
  assert.equal(body.success, false)
  assert.match(body.meta.request_id, /^req_[0-9a-f-]{36}$/)
  if (code) assert.equal(body.error.code, code)
}

const HOST = 'Host: x\r\n'

test('answers in the envelope when headers or paths are too long', async () => {
  const long = 'a'.repeat(20_000)
  assertEnvelope(await raw(`GET / HTTP/1.1\r\n${HOST}X: ${long}\r\n\r\n`), 431, 'HEADERS_TOO_LARGE')
  assertEnvelope(await raw(`GET /${long} HTTP/1.1\r\n${HOST}\r\n`), 431)
  assertEnvelope(
    await raw(`GET /api/v1/contents/${'a'.repeat(10_000)} HTTP/1.1\r\n${HOST}\r\n`),
    404,
    'CONTENT_NOT_FOUND',
  )
})

test('treats undecodable paths and odd spellings of known paths as unknown routes', async () => {
  for (const path of [
    '/%zz',
    '/api/v1/%',
    '//api/v1/feeds',
    '/api/v1//feeds',
    '/api/v1/feeds/',
    '/API/V1/feeds',
    '/api/v1/./feeds',
    '/api/v1/feeds;x=1',
    '/api/v1',
  ]) {
    assertEnvelope(await raw(`GET ${path} HTTP/1.1\r\n${HOST}\r\n`), 404, 'ROUTE_NOT_FOUND')
  }
})

test('answers 400 in the envelope when no HTTP method has that name', async () => {
  for (const method of ['BREW', 'get', 'M-POST', 'PLAY', 'X'.repeat(5000)]) {
    const answer = await raw(`${method} /api/v1/auth/me HTTP/1.1\r\n${HOST}\r\n`)
    assertEnvelope(answer, 400, 'BAD_REQUEST')
    assert.match(answer, /^connection: close\r$/im)
  }
  const play = await raw(`PLAY /api/v1/auth/me RTSP/1.0\r\n${HOST}\r\n`)
  assertEnvelope(play, 405, 'METHOD_NOT_ALLOWED')
})

test('answers an unknown expectation in order, in the envelope, and without a body for HEAD', async () => {
  const id = '01939f2c-6c1a-7c3e-9b52-4f0d8a6e7b11'
  const odd = `GET /api/health HTTP/1.1\r\n${HOST}Expect: wonders\r\nX-Request-ID: ${id}\r\nAccept-Language: en\r\n\r\n`
  const answer = await raw(odd)
  assertEnvelope(answer, 400, 'BAD_REQUEST')
  assert.match(answer, new RegExp(`x-request-id: ${id}\r\n`, 'i'))
  assert.match(answer, /content-language: en\r\n/i)
  assert.match(answer, /cache-control: no-store\r\n/i)
  const head = await raw(odd.replace('GET', 'HEAD'), 200)
  assert.match(head, /^HTTP\/1\.1 400 [^]*\r\n\r\n$/)
  assert.doesNotMatch(head, /success/)
  const behind = await raw(`GET /api/v1/feeds HTTP/1.1\r\n${HOST}\r\n${odd}`, 300)
  assert.match(behind, /^HTTP\/1\.1 200 /)
})

test('answers 413 before the end of a chunked body over the limit', async () => {
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const head = `POST /api/v1/posts HTTP/1.1\r\n${HOST}Authorization: Bearer ${alice.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  assertEnvelope(await raw(head + chunk.repeat(6)), 413, 'PAYLOAD_TOO_LARGE')
})

test('answers 413 without waiting for the body when the declared length is over the limit', async () => {
  const head = `POST /api/v1/posts HTTP/1.1\r\n${HOST}Authorization: Bearer ${alice.token}\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n`
  assertEnvelope(await raw(head), 413, 'PAYLOAD_TOO_LARGE')
})

test('answers pipelined requests in order', async () => {
  const request = `GET /api/health HTTP/1.1\r\n${HOST}\r\n`
  const last = `GET /api/v1/nope HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
  const received = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request.repeat(20) + last))
    socket.on('data', (data) => (text += data))
    socket.on('close', () => resolve(text))
  })
  assert.equal(received.match(/HTTP\/1\.1 200/g)?.length, 20)
  assert.ok(received.lastIndexOf('HTTP/1.1 404') > received.lastIndexOf('HTTP/1.1 200'))
})

test('answers a complete request before closing a connection with invalid bytes behind it', async () => {
  const body = JSON.stringify({ body: 'With rubbish behind it' })
  const head = `${HOST}Authorization: Bearer ${alice.token}\r\n`
  const post = `POST /api/v1/posts HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const read = `GET /api/v1/auth/me HTTP/1.1\r\n${head}\r\n`
  const count = async () => app.count('posts')
  const before = await count()
  for (const [requests, statuses] of [
    [post, [201]],
    [read, [200]],
    [read + post, [200, 201]],
  ] as const) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`${requests}\0rubbish\r\n\r\n`)
    // Each of these writes makes the parser raise an error.
    for (let i = 0; i < 12; i++) socket.write('\0 more of it\r\n\r\n')
    let received = ''
    for await (const chunk of socket) received += String(chunk)
    const found = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    assert.deepEqual(found, statuses)
    assert.match(received, /connection: close\r\n/i)
  }
  assert.equal(await count(), before + 2)
})

test('answers a request before rejecting an invalid one behind it', async () => {
  const body = JSON.stringify({ body: 'Not what is refused behind it' })
  const head = `${HOST}Authorization: Bearer ${alice.token}\r\nContent-Type: application/json\r\n`
  const post = `POST /api/v1/posts HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`
  const broken = `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nrubbish`
  for (const [behind, status] of [
    [`POST /api/v1/posts HTTP/1.1\r\n${broken}`, 400],
    [`POST /api/v1/nothing HTTP/1.1\r\n${broken}`, 400],
    [`GET /api/v1/auth/me HTTP/1.1\r\n${broken}`, 400],
  ] as const) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(post + behind)
    let received = ''
    for await (const chunk of socket) received += String(chunk)
    const found = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, said]) => Number(said))
    assert.deepEqual(found, [201, status], behind)
  }
})

test('stops reading after invalid bytes while a long response is being sent', async () => {
  const { url } = await makeUpload(alice, makeBrokenMp4(24_000_000))
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET ${url} HTTP/1.1\r\n${HOST}\r\n\0rubbish\r\n\r\n`)
  await sleep(200)
  socket.write(Buffer.alloc(24_000_000))
  await sleep(500)
  assert.ok(socket.writableLength > 0)
  let received = 0
  for await (const chunk of socket) {
    received += (chunk as Buffer).length
    if (received > 24_000_000) break
  }
  assert.ok(received > 24_000_000, 'the response is complete')
})

test('reveals no internals in errors', async () => {
  const answers = [
    await alice.post('/posts', undefined, { raw: '{' }),
    await app.anon.get('/%zz'),
    await alice.post('/posts', { body: {} }),
  ]
  for (const { text } of answers)
    assert.doesNotMatch(text, /FST_|SQLITE|node_modules|\.ts:|Unexpected token/)
})

test('keeps serving when clients reset their connections', async () => {
  const requests = [
    `CONNECT x:1 HTTP/1.1\r\n${HOST}\r\n`,
    `GET /api/health HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    `POST /api/v1/posts HTTP/1.1\r\n${HOST}Expect: more\r\nContent-Length: 2\r\n\r\n`,
    'BAD\r\n\r\n',
  ]
  await times(40, async (i) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(requests[i % 4] as string))
    socket.on('error', () => {})
    await once(socket, 'connect')
    await sleep(i % 5)
    socket.resetAndDestroy()
  })
  dataOf(await app.anon.get('/api/health'))
})

test('closes a connection after its last response although the client keeps it open', async () => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write('BAD\r\n\r\n')
  socket.resume()
  await once(socket, 'end')
  await sleep(2200)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  // The server's reset follows the first write, so only the next write fails.
  socket.write('more')
  await sleep(100)
  socket.write('more')
  await closed
})

test('rejects a unique header that is sent twice', async () => {
  assertEnvelope(await raw(`GET /api/health HTTP/1.1\r\n${HOST}${HOST}\r\n`), 400, 'BAD_REQUEST')
  const token = `Authorization: Bearer ${alice.token}\r\n`
  const answer = await raw(`GET /api/v1/auth/me HTTP/1.1\r\n${HOST}${token}${token}\r\n`)
  assertEnvelope(answer, 401, 'UNAUTHORIZED')
})

test('handles the requests of one connection one at a time when they arrive together', async () => {
  const waiting = new Set<string>()
  const find = app.deps.findViewer
  let most = 0
  app.deps.findViewer = async (token) => {
    waiting.add(token)
    most = Math.max(most, waiting.size)
    await sleep(1)
    waiting.delete(token)
    return find(token)
  }
  const requests = Array.from({ length: 30 }, (_, i) => {
    const close = i === 29 ? 'Connection: close\r\n' : ''
    return `GET /api/v1/auth/me HTTP/1.1\r\n${HOST}Authorization: Bearer t${i}\r\n${close}\r\n`
  })
  const socket = connect(port, '127.0.0.1', () => socket.write(requests.join('')))
  let received = ''
  for await (const chunk of socket) received += String(chunk)
  app.deps.findViewer = find
  assert.equal(received.match(/HTTP\/1\.1 401 /g)?.length, 30)
  assert.equal(most, 1)
})
