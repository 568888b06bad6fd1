import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf, times } from '../../test/make.ts'
import {
  assertNothingLeft,
  form,
  FORM_TYPE,
  formWith,
  makeBrokenMp4,
  makePng,
  part,
  sendForm,
  served,
  upload,
} from '../../test/uploads.ts'

const MAX = 300_000
const app = await startApp({ MAX_UPLOAD_BYTES: String(MAX) })
const ana = await app.user()
const png = await makePng()
const file = part('file', png, { fileName: 'a.png' })
const countUploads = async () => app.count('uploads')

/**
 * Returns the response received on a socket, or only its start when the connection closes early or 3 seconds
 * pass.
 */
async function answerOn(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  socket.on('error', () => {})
  for (let i = 0; i < 300 && !/\r\n\r\n\{.*\}$/s.test(received) && !socket.closed; i++) {
    await sleep(10)
  }
  return received
}

function begin(...headers: string[]): Socket {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  const lines = [
    'POST /api/v1/uploads HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${ana.token}`,
    `Content-Type: ${FORM_TYPE}`,
    ...headers,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return socket.on('error', () => {})
}

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

test('accepts files up to the size limit and returns 413 for one byte more', async () => {
  for (const length of [MAX - 1, MAX]) {
    const bytes = makeBrokenMp4(length)
    const record = dataOf(await upload(ana, bytes), 201).upload
    assert.equal(record.size_bytes, length)
    assert.deepEqual(await served(app, record.url), bytes)
  }
  const before = await countUploads()
  assertError(await upload(ana, makeBrokenMp4(MAX + 1)), 413, 'PAYLOAD_TOO_LARGE')
  assertError(await upload(ana, Buffer.alloc(MAX + 1)), 413, 'PAYLOAD_TOO_LARGE')
  assertError(await upload(ana, Buffer.alloc(MAX)), 415, 'UNSUPPORTED_MEDIA_TYPE')
  const many = await times(50, () => upload(ana, makeBrokenMp4(MAX + 1)))
  for (const answer of many) assertError(answer, 413, 'PAYLOAD_TOO_LARGE')
  assert.equal(await countUploads(), before)
  await assertNothingLeft(app)
})

test('returns 413 before the body when the declared length is over the limit', async () => {
  const socket = begin(`Content-Length: ${2 ** 40}`)
  assert.match(await answerOn(socket), /^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s)
  socket.destroy()
  await assertNothingLeft(app)
})

test('returns 413 at the limit when a chunked body does not end', async () => {
  const socket = begin('Transfer-Encoding: chunked')
  const head = formWith(makeBrokenMp4(60_000)).subarray(0, 60_000)
  socket.write(chunk(head))
  const filler = chunk(Buffer.alloc(60_000))
  for (let i = 0; i < 6; i++) socket.write(filler)
  assert.match(await answerOn(socket), /^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s)
  socket.destroy()
  await assertNothingLeft(app)
})

test('returns 413 when other fields of the form are too large', async () => {
  const long = form(part('note', Buffer.alloc(2_000_000, 'x')), file)
  assertError(await sendForm(ana, long), 413, 'PAYLOAD_TOO_LARGE')
  const socket = begin('Transfer-Encoding: chunked')
  const field = chunk(part('note', Buffer.alloc(100_000, 'x')))
  for (let i = 0; i < 15; i++) socket.write(field)
  assert.match(await answerOn(socket), /^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s)
  socket.destroy()
})

test('ignores other fields of the form', async () => {
  const odd = [
    part('title', 'A title'),
    part('__proto__', 'x'),
    part('constructor[prototype][polluted]', '1'),
    part(`a${'[b]'.repeat(1000)}`, 'x'),
    part('file[]', 'x'),
    part('long', 'x'.repeat(200_000)),
    part('nested', 'x', { headers: ['Content-Type: multipart/mixed; boundary=inner'] }),
  ]
  for (const body of [form(...odd, file), form(file, ...odd)]) {
    assert.equal(dataOf(await sendForm(ana, body), 201).upload.size_bytes, png.length)
  }
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('accepts a preamble, an epilogue and a file without a name', async () => {
  const around = Buffer.concat([
    Buffer.from('a preamble\r\n'),
    form(part('file', png, { headers: ['Content-Type: image/png'] })),
    Buffer.from('an epilogue'),
  ])
  assert.equal(dataOf(await sendForm(ana, around), 201).upload.mime_type, 'image/png')
})

test('returns 422 unless the form is complete and has exactly one file in its field', async () => {
  const before = await countUploads()
  const whole = formWith(png)
  const bad: Record<string, Buffer> = {
    'no part': form(),
    'no file': form(part('note', 'x')),
    'another field': form(part('other', png, { fileName: 'a.png' })),
    'two files': form(file, file),
    'two files in two fields': form(file, part('other', png, { fileName: 'a.png' })),
    'an empty file': form(part('file', '', { fileName: 'a.png' })),
    'an empty file first': form(part('file', '', { fileName: 'a.png' }), file),
    'a text in its field': form(part('file', 'a text')),
    'another boundary': Buffer.from('--other\r\n\r\n--other--'),
    'no boundary at the end': whole.subarray(0, whole.length - 10),
    'cut in the file': whole.subarray(0, 200),
    'cut in a header': whole.subarray(0, 50),
    junk: Buffer.from('x'.repeat(1000)),
    'a header without an end': Buffer.from(
      `--a boundary of these tests\r\nX: ${'x'.repeat(1_000_000)}`,
    ),
    'ten thousand fields': form(...Array<Buffer>(10_000).fill(part('n', '1')), file),
    'five thousand files': form(...Array<Buffer>(5000).fill(part('file', 'x'))),
  }
  for (const [name, body] of Object.entries(bad)) {
    const answer = await sendForm(ana, body)
    assert.equal(answer.status, 422, `${name}: ${answer.text}`)
    assertInvalid(answer, 'file')
  }
  assert.equal(await countUploads(), before)
  await assertNothingLeft(app)
})

test('handles a part header of a megabyte', async () => {
  const huge = part('file', png, { fileName: 'a.png', headers: [`X: ${'x'.repeat(1_000_000)}`] })
  const { status } = await sendForm(ana, form(huge))
  assert.ok(status === 201 || status === 422, String(status))
  await assertNothingLeft(app)
})

test('leaves nothing when an upload is aborted at any point', async () => {
  const before = await countUploads()
  const body = formWith(makeBrokenMp4(200_000))
  await times(120, async (i) => {
    const share = [0, 0.1, 0.5, 0.99][i % 4] as number
    const socket = begin(`Content-Length: ${body.length}`)
    await once(socket, 'connect')
    socket.write(body.subarray(0, Math.floor(body.length * share)))
    await sleep(5 + (i % 7) * 5)
    if (i % 2 === 0) socket.resetAndDestroy()
    else socket.destroy()
  })
  await assertNothingLeft(app)
  assert.equal(await countUploads(), before)
  dataOf(await upload(ana, png), 201)
})

test('does not store a body that is shorter than declared', async () => {
  const body = formWith(png)
  const socket = begin(`Content-Length: ${body.length + 10}`)
  socket.end(body)
  assert.doesNotMatch(await answerOn(socket), /^HTTP\/1\.1 201/)
  socket.destroy()
  await assertNothingLeft(app)
})

test('does not treat bytes after the declared length as a request', async () => {
  const body = formWith(png)
  const socket = begin(`Content-Length: ${body.length}`)
  socket.write(Buffer.concat([body, Buffer.from('junk\r\n\r\n')]))
  const received = await answerOn(socket)
  assert.match(received, /^HTTP\/1\.1 (201|400)/)
  socket.destroy()
})

test('keeps the connection usable after a rejected upload', async () => {
  const body = form(part('file', 'text', { fileName: 'a.txt' }))
  const socket = begin(`Content-Length: ${body.length}`)
  socket.write(body)
  assert.match(await answerOn(socket), /^HTTP\/1\.1 415/)
  let received = ''
  socket.on('data', (data: Buffer) => (received += data.toString()))
  socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await once(socket, 'close')
  assert.match(received, /^HTTP\/1\.1 200/)
})
