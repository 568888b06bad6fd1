import assert from 'node:assert/strict'
import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { answering, listen, ok } from '../../test/peer.ts'
import { Outbound } from './outbound.ts'
import type { FetchResult } from './fetch-result.ts'

const DEADLINE_MS = 2000
const REQUEST = { headers: { 'content-type': 'application/json', 'x-own': 'yes' }, body: '{"a":1}' }

const outbound = new Outbound({ permits: () => true, timeoutMs: DEADLINE_MS })
const post = async (talk: (socket: Socket) => unknown) =>
  outbound.post((await listen(talk)).url, REQUEST)

const named = (...addresses: string[]) =>
  new Outbound({
    permits: () => true,
    lookup: async () => addresses.map((address) => ({ address, family: isIP(address) })),
    timeoutMs: DEADLINE_MS,
  })

function assertOutcome(outcome: FetchResult, expected: Partial<FetchResult>): void {
  const { durationMs, ...rest } = outcome
  assert.deepEqual(rest, { status: null, body: '', error: null, retryAfter: null, ...expected })
  assert.ok(Number.isInteger(durationMs) && durationMs < DEADLINE_MS * 0.9, `${durationMs} ms`)
}

describe('the response', () => {
  test('yields its status after one request on one connection', async () => {
    for (const status of [200, 201, 202, 204, 299, 400, 404, 410, 429, 500, 503]) {
      const peer = await listen(answering(`HTTP/1.1 ${status} X\r\ncontent-length: 0`))
      const outcome = await outbound.post(peer.url, REQUEST)
      assertOutcome(outcome, { status, error: status < 300 ? null : 'http_status' })
      assert.equal(peer.connections, 1)
      assert.ok(peer.received.startsWith('POST /hook?a=b HTTP/1.1\r\n'))
      assert.ok(peer.received.includes('\r\nconnection: close\r\n'))
      assert.ok(peer.received.includes('\r\nx-own: yes\r\n'))
      assert.ok(peer.received.endsWith(`\r\ncontent-length: 7\r\n\r\n${REQUEST.body}`))
    }
  })

  test('is stored as at most 2 KiB of valid text', async () => {
    const bodyOf = async (body: string | Buffer) => (await post(ok(body))).body
    assert.equal(await bodyOf('{"ok":true}'), '{"ok":true}')
    assert.equal(await bodyOf('a'.repeat(2048)), 'a'.repeat(2048))
    assert.equal(await bodyOf('a'.repeat(2049)), 'a'.repeat(2048))
    assert.equal(await bodyOf('가'.repeat(1000)), '가'.repeat(682))
    assert.equal(await bodyOf('a\0b'), 'a\uFFFDb')
    const surrogate = Buffer.from([97, 0xff, 0xed, 0xa0, 0x80, 98])
    assert.equal(await bodyOf(surrogate), 'a\uFFFD\uFFFD\uFFFD\uFFFDb')
  })

  test('is not decompressed', async () => {
    const bomb = gzipSync('a'.repeat(10_000_000))
    const { body, error } = await post(ok(bomb, 'content-encoding: gzip'))
    assert.equal(error, null)
    assert.ok(body.startsWith('\x1F\uFFFD\b') && !body.includes('aaa') && body.isWellFormed())
  })

  test('may set Retry-After in seconds or as a date', async () => {
    const wait = async (...headers: string[]) => (await post(ok('', ...headers))).retryAfter
    const date = (ms: number) => new Date(Date.now() + ms).toUTCString()
    assert.equal(await wait(), null)
    assert.equal(await wait('retry-after: 120'), 120)
    const seconds = (await wait(`retry-after: ${date(60_000)}`)) ?? 0
    assert.ok(seconds > 55 && seconds <= 60, String(seconds))
    assert.equal(await wait(`retry-after: ${date(-60_000)}`), 0)
    for (const nonsense of ['soon', '1e9', '99999999999999999999', '']) {
      assert.equal(await wait(`retry-after: ${nonsense}`), null, nonsense)
    }
    assert.equal(await wait('retry-after: 1', 'retry-after: 2'), null)
  })
})

describe('reports the phase that failed for', () => {
  test('an unknown name', async () => {
    const unknown = new Outbound({ lookup: () => Promise.reject(new Error('ENOTFOUND')) })
    assertOutcome(await unknown.post('https://nowhere.test/', REQUEST), { error: 'dns' })
  })

  test('a refused connection', async () => {
    assertOutcome(await outbound.post('http://127.0.0.1:1/', REQUEST), { error: 'connect' })
    assertOutcome(await outbound.post('https://127.0.0.1:1/', REQUEST), { error: 'connect' })
    const both = await named('127.0.0.1', '::1').post('http://both.test:1/', REQUEST)
    assertOutcome(both, { error: 'connect' })
  })

  test('a connection that ends early', async () => {
    assertOutcome(await post((socket) => socket.end()), { error: 'connect' })
    assertOutcome(await post((socket) => socket.resetAndDestroy()), { error: 'connect' })
    assertOutcome(await post((socket) => socket.end('HTTP/1.1 200 OK\r\nx: ')), {
      error: 'connect',
    })
    assertOutcome(await post((socket) => socket.end('HTTP/1.1 20')), { error: 'connect' })
    const cut = 'HTTP/1.1 200 OK\r\ncontent-length: 9'
    assertOutcome(await post(answering(cut, 'abc')), { status: 200, body: 'abc', error: 'connect' })
    const bad = 'HTTP/1.1 500 X\r\ncontent-length: 9'
    assertOutcome(await post(answering(bad, 'abc')), {
      status: 500,
      body: 'abc',
      error: 'http_status',
    })
  })

  test('a response that is not HTTP', async () => {
    for (const head of ['SSH-2.0-x', '220 mail ESMTP', 'HTTP/1.1 99 X', 'HTTP/1.1 101 X', '\0\0']) {
      assertOutcome(await post(answering(head)), { error: 'connect' })
    }
    const smuggled = 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked'
    assertOutcome(await post(answering(smuggled, 'abc')), { error: 'connect' })
  })

  test('a server without TLS or with an untrusted certificate', async () => {
    for (const text of ['', 'x'.repeat(99), 'HTTP/1.1 400 Bad Request\r\n\r\n']) {
      // Waits for the client's first bytes. An earlier close could cause the error `connect` instead of `tls`.
      const { port } = await listen((socket) => socket.once('data', () => socket.end(text)))
      assertOutcome(await outbound.post(`https://127.0.0.1:${port}/`, REQUEST), { error: 'tls' })
    }
    const peer = await listen(ok(), { tls: { key: KEY, cert: CERTIFICATE } })
    const outcome = await named('127.0.0.1').post(`https://hook.test:${peer.port}/`, REQUEST)
    assertOutcome(outcome, { error: 'tls' })
    assert.equal(peer.received, '')
  })
})

test('sends the name in TLS and verifies its certificate, at the checked address', async () => {
  setDefaultCACertificates([CERTIFICATE])
  const asked: unknown[] = []
  const talk = (socket: Socket) => {
    asked.push((socket as TLSSocket & { servername: unknown }).servername)
    ok('safe')(socket)
  }
  const peer = await listen(talk, { tls: { key: KEY, cert: CERTIFICATE } })
  const hangUp = await listen((socket) => socket.destroy(), {
    tls: { key: KEY, cert: CERTIFICATE },
  })
  const broken = await named('127.0.0.1').post(`https://hook.test:${hangUp.port}/`, REQUEST)
  assertOutcome(broken, { error: 'connect' })
  const send = (host: string) => named('127.0.0.1').post(`https://${host}:${peer.port}/`, REQUEST)
  assertOutcome(await send('hook.test'), { status: 200, body: 'safe' })
  assert.ok(peer.received.includes(`\r\nhost: hook.test:${peer.port}\r\n`))
  const before = peer.received
  assertOutcome(await send('other.test'), { error: 'tls' })
  assertOutcome(await send('127.0.0.1'), { error: 'tls' })
  assert.equal(peer.received, before)
  assert.equal(asked[0], 'hook.test')
})

test('tries the next address of a name when one does not answer', async () => {
  const peer = await listen(ok('here'), { host: '127.0.0.1' })
  const outcome = await named('::1', '127.0.0.1').post(`http://a.test:${peer.port}/`, REQUEST)
  assertOutcome(outcome, { status: 200, body: 'here' })
})

describe('limits the bytes it reads', () => {
  const flood = async (head: string, piece: string) => {
    let sent = 0
    let hungUp: Promise<unknown> = Promise.resolve()
    const outcome = await post((socket) => {
      hungUp = once(socket, 'close').catch(() => {})
      const more = () => {
        while (!socket.destroyed && sent < 1e9) {
          sent += piece.length
          if (!socket.write(piece)) break
        }
      }
      socket.write(head)
      socket.on('drain', more)
      more()
    })
    await hungUp
    assert.ok(sent < 32_000_000, `${sent} bytes`)
    return outcome
  }

  test('of a body', async () => {
    const body = 'x'.repeat(2048)
    const piece = 'x'.repeat(65_536)
    assertOutcome(await flood('HTTP/1.1 200 OK\r\n\r\n', piece), { status: 200, body })
    const long = 'HTTP/1.1 500 X\r\ncontent-length: 10000000000\r\n\r\n'
    assertOutcome(await flood(long, piece), { status: 500, body, error: 'http_status' })
    const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    assertOutcome(await flood(chunked, '1\r\nx\r\n'.repeat(9999)), { status: 200, body })
  })

  test('of headers, one long or many short ones', async () => {
    assertOutcome(await post(ok('', `x: ${'x'.repeat(20_000)}`)), { error: 'connect' })
    const head = 'HTTP/1.1 200 OK\r\n'
    assertOutcome(await flood(`${head}x: `, 'x'.repeat(65_536)), { error: 'connect' })
    assertOutcome(await flood(head, 'a: b\r\n'.repeat(10_000)), { error: 'connect' })
  })

  test('of interim responses, chunk extensions, trailers and the reason phrase', async () => {
    const piece = 'x'.repeat(65_536)
    assertOutcome(await flood('HTTP/1.1 200 ', piece), { error: 'connect' })
    assertOutcome(await flood('', 'HTTP/1.1 103 X\r\n\r\n'.repeat(5000)), { error: 'connect' })
    const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    assertOutcome(await flood(`${chunked}1;`, piece), { status: 200, error: 'connect' })
    assertOutcome(await flood(`${chunked}0\r\nx:`, piece), { status: 200, error: 'connect' })
  })
})

describe('the deadline holds for', { concurrency: true }, () => {
  const drip = (head: string, text: string) => (socket: Socket) => {
    socket.write(head)
    const timer = setInterval(() => socket.write(text), DEADLINE_MS / 50)
    socket.on('close', () => clearInterval(timer))
  }
  /**
   * Returns the milliseconds that a plain timer takes, for comparison: a slow machine delays the timer as
   * well as the request.
   */
  const ownTimer = async () => {
    const begun = performance.now()
    await new Promise((resolve) => setTimeout(resolve, DEADLINE_MS))
    return performance.now() - begun
  }
  const onTime = async (asked: Promise<FetchResult>): Promise<FetchResult> => {
    const [outcome, timerMs] = await Promise.all([asked, ownTimer()])
    const { durationMs, error } = outcome
    assert.equal(error, 'timeout')
    const late = Math.max(DEADLINE_MS, timerMs) * 1.15
    assert.ok(durationMs > DEADLINE_MS * 0.95 && durationMs < late, `${durationMs} ms`)
    return outcome
  }
  const SLOW: [string, (socket: Socket) => unknown, number | null, RegExp][] = [
    ['silence', () => {}, null, /^$/],
    ['slow headers', drip('HTTP/1.1 200 OK\r\nx: ', 'x'), null, /^$/],
    ['interim responses', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), null, /^$/],
    ['a slow body', drip('HTTP/1.1 200 OK\r\n\r\n', 'x'), 200, /^x{20,60}$/],
    ['a body that stops', drip('HTTP/1.1 201 X\r\ncontent-length: 9\r\n\r\nabc', ''), 201, /^abc$/],
  ]
  for (const [name, talk, status, body] of SLOW) {
    test(name, async () => {
      const outcome = await onTime(post(talk))
      assert.equal(outcome.status, status)
      assert.match(outcome.body, body)
    })
  }

  test('a name that never resolves', async () => {
    const lookup = () => new Promise<never>(() => {})
    const stuck = new Outbound({ lookup, timeoutMs: DEADLINE_MS })
    await onTime(stuck.post('https://stuck.test/', REQUEST))
  })

  test('a TLS handshake that never starts', async () => {
    const { port } = await listen(() => {})
    await onTime(outbound.post(`https://127.0.0.1:${port}/`, REQUEST))
  })
})

test('closes every connection with its request', async () => {
  const keepOpen = (text: string) => (socket: Socket) => socket.write(text)
  const short = new Outbound({ permits: () => true, timeoutMs: 100 })
  for (const text of [
    '',
    'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\n\r\nabc',
  ]) {
    for (const scheme of ['http', 'https']) {
      const peer = await listen(keepOpen(text))
      await short.post(`${scheme}://127.0.0.1:${peer.port}/`, REQUEST)
      assert.equal(peer.connections, 1)
      while (peer.open > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
})

test('rejects pending and new requests after close, and sends nothing', async () => {
  const closing = new Outbound({ permits: () => true })
  const peer = await listen((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'))
  const underWay = closing.post(peer.url, REQUEST)
  const rejected = assert.rejects(underWay)
  while (peer.received === '') await new Promise((resolve) => setImmediate(resolve))
  closing.close()
  await rejected
  await assert.rejects(closing.post(peer.url, REQUEST), /outbound requests are closed/)
  assert.equal(peer.connections, 1)
})

test('rejects an invalid request before connecting', async () => {
  const peer = await listen(ok())
  const headers = { 'x-own': 'a\r\nx-other: b' }
  await assert.rejects(outbound.post(peer.url, { headers, body: '' }))
  for (const url of ['file:///etc/passwd', `ws://127.0.0.1:${peer.port}/`, 'nonsense']) {
    await assert.rejects(outbound.post(url, REQUEST), url)
  }
  assert.equal(peer.connections, 0)
})

// Key and certificate for hook.test: self-signed, valid until 2120, used only in these tests.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwgQds2T6tiKBPIpW
ucGflPMfQzsdemBxk7Wl0HBeC5qhRANCAATRddIp3OhsP7ZoSV3axbwx7C8kiNHa
O7XgBS5VZt461+dz8dm/RbMDZ2XNs8yhgHtWVYcaVRpD39iX6dV1DQhK
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBQTCB6KADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWhvb2sudGVz
dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
aG9vay50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0XXSKdzobD+2aEld
2sW8MewvJIjR2ju14AUuVWbeOtfnc/HZv0WzA2dlzbPMoYB7VlWHGlUaQ9/Yl+nV
dQ0ISqMpMCcwFAYDVR0RBA0wC4IJaG9vay50ZXN0MA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDSAAwRQIgAxeWFXsnDXp4DxSTYWFgYE8Urj/FSOEo0ty710jp
xlsCIQCqX5AXrhsMECpZxAvQikN2QqnILtUbh3DYCqLgaXS6BQ==
-----END CERTIFICATE-----`
