import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  makeApp,
  makeKey,
  makeLegacyKey,
  program,
  suspend,
  times,
} from '../../test/make.ts'
import { zipOf } from '../../test/playing.ts'
import {
  assertNothingLeft,
  drawing,
  FORM_TYPE,
  formWith,
  makeBrokenMp4,
  makePng,
  makeUpload,
  makeWav,
  sendForm,
  served,
  upload,
} from '../../test/uploads.ts'
import { insertFile } from './queries.ts'

const app = await startApp()
const ana = await app.user()
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('stores a file under the hash of its bytes and serves it unchanged', async () => {
  const bytes = await makePng()
  const record = await makeUpload(ana, bytes)
  assert.match(record.id, /^upl_[0-9a-z]{26}$/)
  assert.ok(Math.abs(Date.parse(record.created_at) - Date.now()) < 60_000)
  const { id: _id, created_at: _at, ...rest } = record
  assert.deepEqual(rest, {
    url: `/uploads/${sha256(bytes)}.png`,
    mime_type: 'image/png',
    size_bytes: bytes.length,
    sha256: sha256(bytes),
    width: 60,
    height: 40,
    duration_ms: null,
    bundle: null,
  })
  const answer = await fetch(app.url + record.url)
  assert.equal(answer.headers.get('content-type'), 'image/png')
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
  await assertNothingLeft(app)
})

test('records the duration of audio, without a size', async () => {
  const record = await makeUpload(ana, makeWav(1.5))
  assert.equal(record.mime_type, 'audio/wav')
  assert.deepEqual([record.width, record.height, record.duration_ms], [null, null, 1500])
})

test('keeps an unreadable video, without size and duration', async () => {
  const bytes = makeBrokenMp4()
  const record = await makeUpload(ana, bytes)
  assert.equal(record.mime_type, 'video/mp4')
  assert.deepEqual([record.width, record.height, record.duration_ms], [null, null, null])
  assert.deepEqual(await served(app, record.url), bytes)
})

test('accepts games as bundles, modules and films', async () => {
  const page = '<!doctype html><title>A game</title>'
  const film = readFileSync(createRequire(import.meta.url).resolve('videojs-swf/dist/video-js.swf'))
  for (const [bytes, type] of [
    [await zipOf({ 'index.html': page }), 'application/zip'],
    [film, 'application/x-shockwave-flash'],
  ] as const) {
    const record = await makeUpload(ana, bytes)
    assert.equal(record.mime_type, type)
    assert.deepEqual(await served(app, record.url), bytes)
    const [bundle] = await app.sql(
      `select runtime from bundles where file_sha256 = '${record.sha256}'`,
    )
    assert.ok(bundle)
  }
  const before = await app.count('files')
  assertInvalid(await upload(ana, await zipOf({ 'notes.txt': 'no page' })), 'file')
  assertInvalid(await upload(ana, Buffer.from('\0asm\x02\0\0\0', 'latin1')), 'file')
  assert.equal(await app.count('files'), before)
  await assertNothingLeft(app)
})

test('returns 415 and leaves nothing for unsupported types', async () => {
  const before = [await app.count('files'), await app.count('uploads')]
  const page = '<!doctype html><script>alert(1)</script>'
  for (const [bytes, name] of [
    [page, 'a.png'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg'],
    ['%PDF-1.7', 'a.pdf'],
    ['text', 'a.mp4'],
    ['\0', 'a.zip'],
  ] as const) {
    const answer = await upload(ana, bytes, name)
    assertError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    const [{ field, message } = { field: '', message: '' }, ...more] = answer.error?.details ?? []
    assert.deepEqual([field, more], ['file', []])
    assert.match(message, /: PNG, JPEG, .*WebAssembly, SWF\.$/)
  }
  assert.deepEqual([await app.count('files'), await app.count('uploads')], before)
  await assertNothingLeft(app)
})

test('ignores the file name and the type that a client declares', async () => {
  const bytes = await makePng()
  const names = [
    '../../x.html',
    '..\\x',
    '/etc/passwd',
    'a\0b',
    '.htaccess',
    'CON',
    '\u202egnp.exe',
  ]
  for (const name of [...names, '😀', 'x'.repeat(3000), '']) {
    const record = dataOf(await upload(ana, bytes, name), 201).upload
    assert.equal(record.url, `/uploads/${sha256(bytes)}.png`, name)
  }
  const typed = Buffer.concat([
    Buffer.from(
      '--x\r\nContent-Disposition: form-data; name=file; filename=a.html\r\nContent-Type: text/html\r\n\r\n',
    ),
    bytes,
    Buffer.from('\r\n--x--\r\n'),
  ])
  const answer = await sendForm(ana, typed, { 'content-type': 'multipart/form-data; boundary=x' })
  assert.equal(dataOf(answer, 201).upload.mime_type, 'image/png')
})

test('stores one file when the same bytes are uploaded a hundred times simultaneously', async () => {
  const bytes = await drawing(200, 100).png().toBuffer()
  const before = await app.count('files')
  const users = await Promise.all([app.user(), app.user()])
  const records = await times(100, (i) => makeUpload(users[i % 2] ?? ana, bytes))
  assert.equal(new Set(records.map(({ id }) => id)).size, 100)
  assert.equal(new Set(records.map(({ url }) => url)).size, 1)
  assert.equal(await app.count('files'), before + 1)
  assert.equal(await app.count(`uploads where file_sha256 = '${sha256(bytes)}'`), 100)
  for (const { url } of records.slice(0, 5)) assert.deepEqual(await served(app, url), bytes)
  await assertNothingLeft(app)
})

test('inserts a file once without errors in many concurrent transactions', async () => {
  const file = { mime_type: 'image/png', size_bytes: 1, width: 1, height: 1, created_at: 1 }
  const bytes = { stored_bytes: 1, rendition_bytes: 0, file_count: 1, is_measured: 1 } as const
  const unknown = { duration_ms: null, audio_codec: null, thumbnail_path: null, ...bytes }
  for (let round = 0; round < 100; round++) {
    const hashed = sha256(Buffer.from(`round ${round}`))
    const row = { sha256: hashed, path: `${hashed}.png`, ...file, ...unknown }
    await times(8, () => app.deps.db.transaction((tx) => insertFile(tx, row)))
    assert.equal(await app.count(`files where sha256 = '${hashed}'`), 1)
  }
})

test('stores known bytes again when the store has lost them', async () => {
  const bytes = await makePng()
  const { url } = await makeUpload(ana, bytes)
  await app.deps.store.remove(url.slice('/uploads/'.length))
  assert.equal((await fetch(app.url + url)).status, 404)
  await makeUpload(ana, bytes)
  assert.deepEqual(await served(app, url), bytes)
})

test('uploads for the owner of an API key, which needs contents:write if it belongs to an app', async () => {
  const bytes = await makePng()
  const legacy = program(app, (await makeLegacyKey(ana)).raw_key)
  const { id } = await makeApp(ana, { scopes: ['contents:read', 'contents:write'] })
  const writing = program(app, (await makeKey(ana, id, { scopes: ['contents:write'] })).raw_key)
  const reading = program(app, (await makeKey(ana, id, { scopes: ['contents:read'] })).raw_key)
  for (const caller of [legacy, writing]) {
    const record = await makeUpload(caller, bytes)
    assert.equal(await app.value(`select owner_id from uploads where id = '${record.id}'`), ana.id)
  }
  // The scope is checked before the body.
  assertError(await upload(reading, bytes), 403, 'INSUFFICIENT_SCOPE')
  assertError(await reading.post('/uploads', {}), 403, 'INSUFFICIENT_SCOPE')
})

test('returns 401 without a valid session or key, whatever the body', async () => {
  const bea = await app.user()
  const { raw_key } = await makeLegacyKey(bea)
  await suspend(app, bea)
  const before = await app.count('uploads')
  for (const caller of [app.anon, bea, program(app, raw_key), program(app, 'plz_live_none')]) {
    assertError(await upload(caller, await makePng()), 401, 'UNAUTHORIZED')
    assertError(await upload(caller, 'x'.repeat(200_000)), 401, 'UNAUTHORIZED')
  }
  assert.equal(await app.count('uploads'), before)
  await assertNothingLeft(app)
})

test('returns 415 for a body that is not a form, and 422 for a form without a file or no body', async () => {
  for (const type of [
    'application/json',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(4096)}`,
    'multipart/mixed; boundary=x',
    'image/png',
  ]) {
    const answer = await sendForm(ana, formWith(await makePng()), { 'content-type': type })
    assertError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
  const zipped = { 'content-encoding': 'gzip' }
  assertError(await sendForm(ana, formWith('x'), zipped), 415, 'UNSUPPORTED_MEDIA_TYPE')
  assertInvalid(await ana.post('/uploads'), 'file')
  assertInvalid(await sendForm(ana, Buffer.alloc(0)), 'file')
})

test('ignores an Idempotency-Key, since identical bytes are stored once', async () => {
  const body = formWith(await makePng())
  const headers = { 'content-type': FORM_TYPE, 'idempotency-key': 'the same' }
  const [first, second] = [await sendForm(ana, body, headers), await sendForm(ana, body, headers)]
  assert.notEqual(dataOf(first, 201).upload.id, dataOf(second, 201).upload.id)
  assert.equal(second.headers.get('idempotent-replayed'), null)
})
