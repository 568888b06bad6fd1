import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Type } from 'typebox'
import { createHttp } from '../app.ts'
import type { CoreDeps } from '../declaration.ts'
import { Load } from './load.ts'
import { Api } from '../route.ts'

const now = () => Date.now()
const load = new Load({ requests: 4, turnMs: 50 })
const http = createHttp({
  log: pino({ level: 'silent' }),
  load,
  trustProxy: 0,
  corsOrigins: [],
  now,
})
const api = new Api(http, { clock: { now }, corsOrigins: [], load } as unknown as CoreDeps, [])
const Done = Type.Object({ done: Type.Boolean() })
const common = { summary: 'For this test', tag: 'Tests', auth: 'public', data: Done } as const
let served = 0
let release = () => {}
let released = Promise.resolve()
function hold(): void {
  released = new Promise((resolve) => (release = resolve))
}
api.get('/slow', {
  ...common,
  id: 'slow',
  handler: async () => {
    served++
    await released
    return { done: true }
  },
})
api.get('/heavy', {
  ...common,
  id: 'heavy',
  handler: () => {
    served++
    for (const end = performance.now() + 30; performance.now() < end; );
    return { done: true }
  },
})
api.post('/texts', {
  ...common,
  id: 'texts',
  body: Type.Object({ text: Type.String() }),
  handler: () => ({ done: true }),
})
api.get('/health', {
  ...common,
  auth: { mode: 'public', always: true },
  id: 'health',
  handler: () => ({ done: true }),
})
await http.listen({ host: '127.0.0.1', port: 0 })
const { port } = http.server.address() as AddressInfo
after(() => http.close())

async function get(path: string) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
  const { status, headers } = response
  return { status, headers, body: await response.json() }
}

const statuses = <A extends { status: number }>(answers: A[], status: number) =>
  answers.filter((answer) => answer.status === status)

test('answers 503 immediately when more requests arrive than the limit', async () => {
  served = 0
  hold()
  const taken = Array.from({ length: 4 }, () => get('slow'))
  while (load.requests < 4) await sleep(5)
  const rejected = await Promise.all(Array.from({ length: 8 }, () => get('slow')))
  for (const { status, headers, body } of rejected) {
    assert.equal(status, 503)
    assert.equal((body as { error: { code: string } }).error.code, 'SERVICE_UNAVAILABLE')
    assert.equal(headers.get('retry-after'), '1')
  }
  assert.equal((await get('health')).status, 200)
  release()
  assert.equal(statuses(await Promise.all(taken), 200).length, 4)
  assert.equal(served, 4)
  assert.equal(load.rejected, 8)
  while (load.requests > 0) await sleep(5)
})

test('serves requests again as soon as the surplus ends', async () => {
  // Sends the requests one by one. Each request is the first in its turn of the event loop and is therefore accepted.
  for (let i = 0; i < 4; i++) assert.equal((await get('slow')).status, 200)
})

test('rejects more requests in a turn that takes too long, and accepts them in the next', async () => {
  served = 0
  const answers = await Promise.all(Array.from({ length: 40 }, () => get('heavy')))
  assert.ok(statuses(answers, 503).length > 0)
  assert.equal(statuses(answers, 200).length, served)
  assert.ok(served >= 2)
  await sleep(50)
  assert.equal((await get('heavy')).status, 200)
})

test('does not count requests whose body is still arriving', async () => {
  const head = 'POST /api/v1/texts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const dripping = Array.from({ length: 8 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(`${head}Content-Length: 100\r\n\r\n{`)
    return socket
  })
  const answers = await Promise.all(Array.from({ length: 4 }, () => get('slow')))
  assert.equal(statuses(answers, 200).length, 4)
  for (const socket of dripping) socket.destroy()
})

test('reads large bodies one at a time, and serves other requests in between', async () => {
  const gate = new Load()
  const events: string[] = []
  const read = () => events.push('read')
  const large = 'x'.repeat(20_000)
  const reads = Array.from({ length: 3 }, async () => gate.readBody(large, read))
  void gate.readBody('small', () => events.push('small'))
  assert.deepEqual(events, ['small'])
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      events.push('other')
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  await Promise.all(reads)
  isOver = true
  await others
  assert.equal(events.filter((event) => event === 'read').length, 3)
  assert.ok(!events.join().includes('read,read'), events.join())
})

test('reads the next body after one that fails', async () => {
  const gate = new Load()
  const large = 'x'.repeat(20_000)
  const failed = (async () => gate.readBody(large, () => assert.fail('cannot be read')))()
  await assert.rejects(failed, /cannot be read/)
  assert.equal(await gate.readBody(large, (text) => text.length), 20_000)
})
