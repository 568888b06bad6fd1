import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { verifyWebhook } from '#sdk'
import { checkRedirectUris } from '../../src/devconsole/redirect-uris.ts'
import type { Problem } from '../../src/errors.ts'
import { temporaryFolder } from '../../test/files.ts'
import { brokenLine, hasEnded, pollingOf, redirectsOf, stateOf } from '../src/devconsole/rules.ts'
import { snippetsFor } from '../src/devconsole/snippets.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const DAY_MS = 24 * 60 * 60_000
const SECRET = 'svs_shared'
const SIGNING_SECRET = `whsec_${Buffer.from('thirty-two bytes that sign this.').toString('base64')}`
const SDK = pathToFileURL(join(import.meta.dirname, '../../sdk/src/index.ts')).href

const folder = temporaryFolder('plaza-snippets-')
const running: ChildProcess[] = []
after(() => {
  for (const child of running) child.kill()
})

const GOOD = [
  'https://a.example',
  'https://a.example:8443/cb?next=%2F',
  'https://a.example/@me',
  'HTTPS://A.example/cb',
  'http://127.0.0.1:3000/cb',
  'http://[::1]/cb',
  'http://localhost:9/',
]
const BAD = {
  insecure: ['http://a.example/cb', 'http://127.0.0.1.a.example/', 'ftp://a.example', 'app://cb'],
  fragment: ['https://a.example/cb#part', 'https://a.example/#'],
  credentials: ['https://user:pass@a.example/', 'https://@a.example/', 'http://a@localhost/'],
  wildcard: ['https://*.a.example/cb', 'https://a.example/*'],
  characters: ['https://a.example\\@b.example/', 'https://a.example/c b', 'https://한강.example/'],
  malformed: ['https:a.example', 'https:///a.example', '//a.example', 'https://', 'nothing'],
}

function isTaken(uri: string): boolean {
  const problems: Problem[] = []
  checkRedirectUris([uri], problems)
  return problems.length === 0
}

test('the console accepts the same redirect URIs as the server and names the broken rule', () => {
  for (const uri of GOOD) {
    assert.equal(brokenLine(uri), undefined, uri)
    assert.ok(isTaken(uri), uri)
  }
  for (const [rule, uris] of Object.entries(BAD)) {
    for (const uri of uris) {
      assert.deepEqual(brokenLine(`https://a.example\n\n${uri}`), { line: 3, rule }, uri)
      assert.ok(!isTaken(uri), uri)
    }
  }
  assert.equal(brokenLine(`https://a.example/${'x'.repeat(2000)}`)?.rule, 'tooLong')
  const many = Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`)
  assert.equal(brokenLine(many.slice(1).join('\n')), undefined)
  assert.deepEqual(brokenLine(many.join('\n')), { line: 21, rule: 'tooMany' })
  assert.deepEqual(redirectsOf('  https://a.example \n\n'), ['https://a.example'])
})

test('a key is active, expires soon, has expired or was revoked', () => {
  const inMs = (ms: number) => new Date(NOW + ms).toISOString()
  const states = [
    { revoked_at: null, expires_at: null },
    { revoked_at: null, expires_at: inMs(8 * DAY_MS) },
    { revoked_at: null, expires_at: inMs(6 * DAY_MS) },
    { revoked_at: null, expires_at: inMs(0) },
    { revoked_at: inMs(-DAY_MS), expires_at: inMs(DAY_MS) },
  ].map((key) => stateOf(key, NOW))
  assert.deepEqual(states, ['active', 'active', 'soon', 'expired', 'revoked'])
  assert.deepEqual(states.map(hasEnded), [false, false, false, true, true])
})

test('the delivery log is polled often only while an attempt is due', () => {
  const delivery = (status: string, inMs: number | null) => ({
    id: 'dlv_1',
    event_id: 'evt_1',
    event: 'content.liked',
    status,
    attempt_count: 1,
    attempts: [],
    next_attempt_at: inMs === null ? null : new Date(NOW + inMs).toISOString(),
    created_at: new Date(NOW).toISOString(),
  })
  const often = pollingOf([delivery('delivered', null), delivery('pending', 5000)], NOW)
  const seldom = [
    pollingOf(undefined, NOW),
    pollingOf([delivery('failed', null)], NOW),
    pollingOf([delivery('pending', DAY_MS)], NOW),
  ]
  for (const gap of seldom) assert.ok(gap > 3 * often)
})

for (const id of ['typescript', 'node'] as const) {
  test(`the ${id} receiver shown in the console accepts only signed requests`, async () => {
    const port = await start(id)
    const body = JSON.stringify({ id: 'evt_1', type: 'webhook.test', data: {} })
    const now = Math.floor(Date.now() / 1000)
    const send = async (time: number, sent = body) =>
      (
        await fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          headers: headersFor(body, time),
          body: sent,
        })
      ).status
    assert.equal(await send(now), 204)
    assert.equal(await send(now, body.replace('evt_1', 'evt_2')), 401)
    assert.equal(await send(now - 400), 401)
    assert.equal((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status, 401)
  })
}

test('the curl script shown in the console sends a request that verifies', async (t) => {
  const tools = 'command -v curl && command -v openssl && command -v base64 && command -v od'
  if ((await run('bash', ['-c', tools]).then(String, () => null)) === null) {
    return t.skip('curl, openssl, base64 or od is missing')
  }
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const script = textOf('curl', `http://127.0.0.1:${(server.address() as AddressInfo).port}/it's`)
    .replace('svs_…', SECRET)
    .replace('whsec_…', SIGNING_SECRET)
  const receive = async () => {
    const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
    const event = await verifyWebhook({
      headers: request.headers,
      body: await buffer(request),
      sharedSecret: SECRET,
      signingSecret: SIGNING_SECRET,
    })
    response.writeHead(204).end()
    return { id: event.id, path: request.url }
  }
  const [received] = await Promise.all([receive(), run('bash', ['-c', script])])
  assert.deepEqual(received, { id: 'evt_01kazr3c5hd8t1q7n4w0jzk2xm', path: "/it's" })
})

const run = promisify(execFile)

function textOf(id: string, endpoint = 'https://a.example'): string {
  const text = snippetsFor(endpoint).find((snippet) => snippet.id === id)?.text
  assert.ok(text)
  return text
}

/** Starts the receiver from the code sample on a free port and returns the port. */
async function start(id: 'typescript' | 'node'): Promise<number> {
  const file = join(folder, id === 'node' ? 'receiver.mjs' : 'receiver.mts')
  const listening = 'listen(0, function () { console.log(this.address().port) })'
  const text = textOf(id).replace("'plaza-sdk'", `'${SDK}'`).replace('listen(4000)', listening)
  assert.ok(text.includes(listening))
  writeFileSync(file, text)
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, PLAZA_SECRET: SECRET, PLAZA_SIGNING_SECRET: SIGNING_SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return Number(line.toString())
}

function headersFor(body: string, time: number): Record<string, string> {
  const key = Buffer.from(SIGNING_SECRET.slice('whsec_'.length), 'base64')
  const digest = createHmac('sha256', key).update(`evt_1.${time}.${body}`).digest('base64')
  return {
    'x-service-secret': SECRET,
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${digest}`,
  }
}
