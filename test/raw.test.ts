/** Checks that the server sends exactly one response to a malformed request, or closes the connection cleanly. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from './app.ts'
import { dataOf, makeContent } from './make.ts'
import { type Aim, type Form, FORMS } from './raw-forms.ts'

const app = await startApp()
const alice = await app.user()
const { id } = await makeContent(await app.user())
const port = Number(new URL(app.url).port)
const session = `Authorization: Bearer ${alice.token}\r\n`
const AIMS: Aim[] = [
  { method: 'GET', path: '/api/v1/feeds', headers: '' },
  { method: 'POST', path: '/api/v1/posts', headers: session },
  { method: 'POST', path: `/api/v1/contents/${id}/bookmark`, headers: session },
]

/**
 * Sends these bytes and closes the sending side. Returns the received text and how the connection ended:
 * `open` when it is still open after 5 seconds.
 */
function exchange(bytes: string): Promise<{ text: string; end: 'closed' | 'reset' | 'open' }> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.end(bytes, 'latin1'),
    )
    const done = (end: 'closed' | 'reset' | 'open') => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, end })
    }
    const timer = setTimeout(() => done('open'), 5000)
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
    socket.on('end', () => done('closed'))
    socket.on('error', () => done('reset'))
  })
}

interface Parsed {
  status: number
  headers: string
  body: string
}

function parse(text: string): Parsed[] {
  const answers: Parsed[] = []
  let rest = text
  while (rest !== '') {
    const [, status = '0', headers = ''] =
      /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n([^]*?\r\n)\r\n/.exec(rest) ?? []
    assert.notEqual(status, '0', `no response: ${rest.slice(0, 200)}`)
    const start = rest.indexOf('\r\n\r\n') + 4
    const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? 0)
    answers.push({ status: Number(status), headers, body: rest.slice(start, start + length) })
    rest = rest.slice(start + length)
  }
  return answers
}

async function count(): Promise<Record<string, unknown> | undefined> {
  do await sleep(20)
  while (app.deps.load.requests > 0)
  const [row] = await app.sql(
    'select (select count(*) from bookmarks) as bookmarks, (select count(*) from posts) as posts',
  )
  return row
}

async function faultsOf({ name, bytes, mayServe }: Form, aim: Aim): Promise<string[]> {
  const { text, end } = await exchange(bytes(aim))
  const faults: string[] = []
  const fail = (why: string) => faults.push(`${name}: ${why}: ${text.slice(0, 300)}`)
  const [answer, ...more] = parse(text)
  if (end === 'open') fail('the connection stays open')
  if (more.length > 0) fail('more than one response')
  if (!answer && end === 'reset') fail('connection reset')
  if (!answer) return faults
  const { status, headers, body } = answer
  if (status >= 500) fail('5xx')
  if (!mayServe && status < 400) fail('accepted')
  if (!/^x-api-version: v1\r$/im.test(headers)) fail('no version')
  if (!/^x-request-id: [0-9a-f-]{36}\r$/im.test(headers)) fail('no request id')
  const json = body === '' ? undefined : JSON.parse(Buffer.from(body, 'latin1').toString())
  if (json?.success !== status < 400 || !json.meta.request_id) fail('no envelope')
  if (status >= 400 && typeof json?.error?.code !== 'string') fail('no code')
  return faults
}

for (const aim of AIMS) {
  const title = `${aim.method} ${aim.path.replace(id, '{id}')}`
  test(`answers malformed requests to ${title} at most once and without effect when rejected`, async () => {
    const before = await count()
    const [odd, wrong] = [
      FORMS.filter((form) => form.mayServe),
      FORMS.filter((form) => !form.mayServe),
    ]
    const found = await Promise.all(wrong.map((form) => faultsOf(form, aim)))
    assert.deepEqual(await count(), before)
    for (const form of odd) {
      const [then, { text }] = [await count(), await exchange(form.bytes(aim))]
      // A 4xx response means that the request was rejected. Without a response, the request may have been executed.
      const isRefused = text.startsWith('HTTP/1.1 4')
      if (isRefused) assert.deepEqual(await count(), then, form.name)
      found.push(await faultsOf(form, aim))
    }
    assert.deepEqual(found.flat(), [])
    assert.equal(dataOf(await app.anon.get('/api/health')).status, 'ok')
  })
}
