import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { makePng, makeWav } from '../../test/uploads.ts'
import type { UploadProgress } from '../src/index.ts'
import { clientOf, serverOf } from './clients.ts'
import { valuesOf } from '../../test/make.ts'

const app = await startApp()
const bytes = (buffer: Buffer) => new Uint8Array(buffer)

test('uploads a file and returns its record', async () => {
  const { plaza } = clientOf(app.url, await app.user())
  const upload = await plaza.upload(new Blob([bytes(await makePng())]), { name: 'a "river".png' })
  assert.equal(upload.mime_type, 'image/png')
  const served = await fetch(app.url + upload.url)
  assert.equal(served.status, 200)
  assert.equal((await served.arrayBuffer()).byteLength, upload.size_bytes)
})

test('reports progress up to the full size', async () => {
  const { plaza } = clientOf(app.url, await app.user())
  const folder = await mkdtemp(join(tmpdir(), 'plaza-sdk-'))
  after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'sound.wav')
  await writeFile(file, makeWav(60, 44_100))
  const events: UploadProgress[] = []
  const upload = await plaza.upload(await openAsBlob(file), {
    onProgress: (progress) => events.push(progress),
  })
  const last = events.at(-1) as UploadProgress
  assert.ok(events.length > 10, `${events.length} times`)
  assert.equal(last.sent, last.total)
  assert.ok(last.total >= upload.size_bytes)
  assert.deepEqual(
    valuesOf(events, 'sent'),
    events.map(({ sent }) => sent).sort((a, b) => a - b),
  )
})

test('encodes the form so that other parsers read the name and the bytes', async () => {
  let form: FormData | undefined
  const server = await serverOf((_, response, { body, headers }) => {
    const type = headers['content-type'] as string
    void new Response(body, { headers: { 'content-type': type } }).formData().then((parsed) => {
      form = parsed
      response.end('{"success":true,"data":{"upload":{}}}')
    })
  })
  const name = 'a "b"\r\nc: 한강.txt'
  await clientOf(server.url).plaza.upload(new File(['hello\r\n--x'], name, { type: 'text/plain' }))
  const file = form?.get('file') as File
  assert.equal(await file.text(), 'hello\r\n--x')
  assert.equal(file.type, 'text/plain')
  assert.match(file.name, /한강\.txt$/)
  assert.equal([...(form ?? [])].length, 1)
})

test('sends an upload again with a new token when the old one has expired', async () => {
  const { plaza, countRequests } = clientOf(app.url, await app.user())
  await plaza.ready
  app.clock.advance(7_200_000)
  const events: UploadProgress[] = []
  const png = new Blob([bytes(await makePng())])
  const upload = await plaza.upload(png, { onProgress: (progress) => events.push(progress) })
  assert.equal(upload.mime_type, 'image/png')
  assert.equal(countRequests('POST', '/api/v1/auth/refresh'), 1)
  assert.equal(countRequests('POST', '/api/v1/uploads'), 2)
})

test('rejects an unsupported file type', async () => {
  const { plaza } = clientOf(app.url, await app.user())
  const text = new Blob(['just words'])
  await assert.rejects(plaza.upload(text), { code: 'UNSUPPORTED_MEDIA_TYPE', status: 415 })
})

test('aborts an upload', async () => {
  const silent = await serverOf(() => {})
  const { plaza } = clientOf(silent.url)
  for (const onProgress of [undefined, () => {}]) {
    const signal = AbortSignal.timeout(100)
    const options = { signal, ...(onProgress && { onProgress }) }
    await assert.rejects(plaza.upload(new Blob(['x']), options), { code: 'ABORTED' })
  }
})

test('reports the reason when the server rejects a file before reading all of it', async () => {
  const small = await startApp({ MAX_UPLOAD_BYTES: '1000000' })
  const { plaza } = clientOf(small.url, await small.user())
  const large = new Blob([new Uint8Array(30_000_000)])
  await assert.rejects(plaza.upload(large), { code: 'PAYLOAD_TOO_LARGE' })
  await assert.rejects(plaza.upload(large, { onProgress: () => {} }), { code: 'PAYLOAD_TOO_LARGE' })
  const nobody = clientOf(small.url)
  await assert.rejects(nobody.plaza.upload(large), { code: 'UNAUTHORIZED' })
})
