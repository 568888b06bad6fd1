import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { dataOf, makeApp, makeKey, program, valuesOf } from '../../test/make.ts'
import { launch, makePageGame } from '../../test/playing.ts'

const lines: string[] = []
const app = await startApp({ LOG_LEVEL: 'info' }, { log: { write: (line) => lines.push(line) } })

/**
 * Returns the log lines of the request with this id. Waits 50 ms after the first line, because more lines may
 * follow.
 */
async function linesOf(id: string) {
  const found = () => lines.map((line) => JSON.parse(line)).filter((line) => line.request_id === id)
  while (found().length === 0) await sleep(10)
  await sleep(50)
  return found()
}

async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let received = ''
  socket.on('data', (part) => {
    received += part
  })
  socket.write(text)
  await once(socket, 'close')
  return received
}

test('logs one line per request, with the id, method, path and status of its response', async () => {
  const viewer = await app.user()
  for (const [method, path, status] of [
    ['GET', '/api/v1/feeds?q=hidden', 200],
    ['GET', '/api/v1/contents/cnt_x', 404],
    ['GET', '/api/v1/auth/me', 401],
    ['DELETE', '/api/v1/feeds', 405],
    ['OPTIONS', '/api/v1/feeds', 204],
    ['HEAD', '/docs', 200],
    ['GET', '/nothing/%zz', 404],
    ['GET', '/api/health', 200],
  ] as const) {
    const response = await fetch(app.url + path, { method })
    const text = await response.text()
    assert.equal(response.status, status, path)
    const id = `req_${response.headers.get('x-request-id')}`
    if (text.startsWith('{') && path.startsWith('/api/v1')) {
      assert.equal(JSON.parse(text).meta.request_id, id)
    }
    const [line, ...others] = await linesOf(id)
    assert.deepEqual(others, [])
    assert.equal(line.level, 'info')
    assert.deepEqual([line.method, line.path, line.status], [method, path.split('?')[0], status])
    assert.ok(line.bytes > 0 && line.ms >= 0 && !line.aborted)
  }
  const answer = await viewer.get('/auth/me')
  const [line] = await linesOf(`req_${answer.headers.get('x-request-id')}`)
  assert.equal(line.user_id, viewer.id)
})

test('logs one line with the response id when a request is rejected below the framework', async () => {
  const post = 'POST /api/v1/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n'
  for (const [text, status] of [
    ['nonsense\r\n\r\n', 400],
    ['BREW /api/v1/feeds HTTP/1.1\r\nhost: a\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [`${post}transfer-encoding: chunked\r\n\r\nZZ\r\n`, 400],
  ] as const) {
    const before = lines.length
    const received = await sendRaw(text)
    assert.equal(Number(received.split(' ')[1]), status, text.slice(0, 40))
    const id = /"request_id":"(req_[\w-]+)"/.exec(received)?.[1] as string
    const [line, ...others] = await linesOf(id)
    assert.equal(line.status, status)
    assert.deepEqual(others, [])
    assert.equal(lines.length, before + 1)
  }
})

test('logs one line marked as aborted when the client disconnects before the response', async () => {
  const id = '0190a3c8-1f4b-7ccc-8aaa-0123456789ac'
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  const head = `POST /api/v1/auth/login HTTP/1.1\r\nhost: a\r\nx-request-id: ${id}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`
  socket.write(head, () => socket.resetAndDestroy())
  const [line, ...others] = await linesOf(`req_${id}`)
  assert.equal(line.aborted, true)
  assert.deepEqual(others, [])
})

test('logs a server error at level error, with the request id', async () => {
  await app.sql('alter table posts rename to posts_away')
  const { headers, status } = await app.anon.get('/feed')
  await app.sql('alter table posts_away rename to posts')
  assert.equal(status, 500)
  const found = await linesOf(`req_${headers.get('x-request-id')}`)
  const requests = found.filter(({ msg }) => msg === 'request: 500')
  assert.deepEqual(valuesOf(requests, 'level'), ['error'])
  assert.ok(found.some(({ err }) => err))
})

test('logs no token, key, password, signature or query value', async () => {
  const creator = await app.user()
  const secrets: string[] = ['value-of-a-query']
  const password = 'a-password-that-stays-unseen'
  secrets.push(password)
  await app.anon.post('/auth/login', { identifier: 'nobody', password })
  const { raw_key } = await makeKey(creator, (await makeApp(creator))['id'])
  secrets.push(raw_key)
  await program(app, raw_key).get('/users/me?q=value-of-a-query')
  const game = await makePageGame(creator, { 'index.html': '<p>game' })
  const url = await launch(creator, game['id'])
  const signature = url.slice(url.lastIndexOf('.') + 1).replace('/', '')
  assert.match(signature, /^[\w-]{43}$/)
  secrets.push(signature)
  const played = await fetch(url, { redirect: 'follow' })
  assert.equal(played.status, 200)
  secrets.push(played.url.split('/play/')[1]?.split('/')[0] ?? signature)
  await fetch(app.url + new URL(url).pathname)
  await fetch(`${app.url}/api/v1/users/me?access_token=value-of-a-query`, {
    headers: {
      authorization: 'Bearer token-that-stays-unseen',
      cookie: 'a=token-that-stays-unseen',
    },
  })
  secrets.push('token-that-stays-unseen')
  const last = await app.anon.get('/feeds')
  dataOf(last)
  await linesOf(`req_${last.headers.get('x-request-id')}`)
  const text = lines.join('')
  assert.ok(text.includes('/launch/cnt_'))
  for (const secret of secrets) assert.ok(!text.includes(secret), secret)
})
