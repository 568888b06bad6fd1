import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { test } from 'node:test'
import { type Actor, startApp, type TestApp } from '../../test/app.ts'
import { assertError, dataOf, makeLegacyKey, program, times } from '../../test/make.ts'
import { makePageGame, zipOf } from '../../test/playing.ts'
import {
  assertNothingLeft,
  form,
  formWith,
  FORM_TYPE,
  makeBrokenMp4,
  makePng,
  makeUpload,
  part,
  sendForm,
  upload,
} from '../../test/uploads.ts'
import { measureFiles } from './measure.ts'
import { setRenditionBytes } from './usage.ts'
import { until } from '../../test/receiver.ts'

const KIB = 1024
const QUOTA = 200 * KIB
const app = await startApp({ USER_QUOTA_BYTES: String(QUOTA) })
const sibling = await app.sibling()

async function storageOf(user: Actor) {
  return dataOf(await user.get('/auth/me')).user.storage as {
    used_bytes: number
    quota_bytes: number | null
  }
}

async function usedBy(user: Actor): Promise<number> {
  return (await storageOf(user)).used_bytes
}

async function storedBytes({ deps }: TestApp): Promise<number> {
  const files = await Array.fromAsync(deps.store.list(''))
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

test("counts every stored byte of a user's uploads, and identical bytes once per user", async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  assert.deepEqual(await storageOf(ana), { used_bytes: 0, quota_bytes: QUOTA })
  const before = await storedBytes(app)
  const picture = await makePng()
  await makeUpload(ana, picture)
  await makeUpload(ana, await zipOf({ 'index.html': '<p>1', 'a.txt': 'word '.repeat(5000) }))
  const stored = (await storedBytes(app)) - before
  assert.ok(stored > 25_000)
  assert.equal(await usedBy(ana), stored)
  await makeUpload(ana, picture)
  assert.equal(await usedBy(ana), stored)
  await makeUpload(ben, picture)
  assert.ok((await usedBy(ben)) > 0)
  assert.equal((await storedBytes(app)) - before, stored)
  const admin = await app.admin()
  const { user } = dataOf(await admin.get(`/admin/users/${ana.id}`))
  assert.deepEqual(user.storage, { used_bytes: stored, quota_bytes: QUOTA })
  const login = { identifier: ana.handle, password: ana.password }
  const signedIn = dataOf(await app.anon.post('/auth/login', login)).user
  assert.deepEqual(signedIn.storage, user.storage)
  assert.deepEqual(await app.drifted(), [])
})

test('returns 409 and leaves nothing when an upload or its unpacked archive is over the quota', async () => {
  const ana = await app.user()
  const full = makeBrokenMp4(QUOTA)
  await makeUpload(ana, full)
  assert.equal(await usedBy(ana), QUOTA)
  const ben = await app.user()
  const before = await storedBytes(app)
  assertError(await upload(ana, await makePng()), 409, 'QUOTA_EXCEEDED')
  assertError(await upload(ben, makeBrokenMp4(QUOTA + 1)), 409, 'QUOTA_EXCEEDED')
  const archive = await zipOf({ 'index.html': '<p>1', 'a.txt': 'a word '.repeat(30_000) })
  assert.ok(archive.length < 10 * KIB)
  assertError(await upload(ben, archive), 409, 'QUOTA_EXCEEDED')
  assert.equal(await storedBytes(app), before)
  assert.equal(await usedBy(ben), 0)
  await makeUpload(ben, makeBrokenMp4(QUOTA))
  await assertNothingLeft(app)
  const key = program(app, (await makeLegacyKey(ana)).raw_key)
  assertError(await upload(key, await makePng()), 409, 'QUOTA_EXCEEDED')
  const korean = await sendForm(ana, formWith(await makePng()), { 'accept-language': 'ko' })
  assert.match(String(korean.error?.message), /관리자/)
})

test('returns 409 before the whole body is sent when its length is over the quota', async () => {
  const ana = await app.user()
  for (const length of [{ 'content-length': '50000000' }, { 'transfer-encoding': 'chunked' }]) {
    const sent = request(`${app.url}/api/v1/uploads`, {
      method: 'POST',
      headers: { ...length, 'content-type': FORM_TYPE, authorization: `Bearer ${ana.token}` },
    })
    sent.on('error', () => {})
    const whole = form(part('file', makeBrokenMp4(2 * QUOTA), { fileName: 'a.mp4' }))
    sent.write(length['content-length'] ? whole.subarray(0, 100) : whole.subarray(0, -100))
    const [answer] = await once(sent, 'response')
    assert.equal(answer.statusCode, 409)
    sent.destroy()
  }
  await assertNothingLeft(app)
  assert.equal(await usedBy(ana), 0)
})

test('never exceeds the quota with concurrent uploads on several processes', async () => {
  const ana = await app.user()
  const anaOnSibling = { ...ana, request: ana.at(sibling.url).request }
  const answers = await times(12, (i) =>
    upload(i % 2 ? ana : anaOnSibling, makeBrokenMp4(QUOTA / 4 + 2 * KIB)),
  )
  const stored = answers.filter(({ status }) => status === 201).length
  assert.ok(stored >= 1 && stored <= 3, `${stored} were stored`)
  for (const answer of answers) {
    if (answer.status !== 201) assertError(answer, 409, 'QUOTA_EXCEEDED')
  }
  assert.equal(await usedBy(ana), stored * (QUOTA / 4 + 2 * KIB))
  // Fills the quota to check that rejected uploads have released their reservations.
  while ((await upload(ana, makeBrokenMp4(QUOTA / 4 + 2 * KIB))).status === 201);
  assert.equal(await usedBy(ana), 3 * (QUOTA / 4 + 2 * KIB))
  await assertNothingLeft(app)
  assert.deepEqual(await app.drifted(), [])
})

test('rejects an archive that unpacks to many times its size, and leaves nothing', async () => {
  const ana = await app.user()
  const before = await storedBytes(app)
  const bomb = await zipOf({ 'index.html': '<p>1', 'a.bin': Buffer.alloc(8 * 1024 * KIB) })
  const answer = await upload(ana, bomb)
  assertError(answer, 422, 'VALIDATION_ERROR')
  assert.equal(answer.error?.details?.[0]?.field, 'file')
  assert.equal(await storedBytes(app), before)
  assert.equal(await usedBy(ana), 0)
  await assertNothingLeft(app)
})

test('unpacks an archive only when its files fit into the quota', async () => {
  const ana = await app.user()
  const archive = await zipOf({ 'index.html': '<p>1', 'a.txt': 'a word '.repeat(30_000) })
  // Breaks a file of the archive. If unpacking began, the response would be 422 for the broken file.
  archive.fill(0xff, archive.indexOf('a.txt') + 20, archive.indexOf('a.txt') + 60)
  assertError(await upload(ana, archive), 409, 'QUOTA_EXCEEDED')
  assert.equal(await usedBy(ana), 0)
  await assertNothingLeft(app)
})

test('limits the number of stored files, whatever their size', async () => {
  const ana = await app.user()
  const archive = (count: number, text: string) => {
    const names = Array.from({ length: count - 1 }, (_, i) => [`${i}.txt`, text])
    return zipOf({ 'index.html': text, ...Object.fromEntries(names) })
  }
  const fileCount = async () => (await Array.fromAsync(app.deps.store.list(''))).length
  const before = await fileCount()
  await makeUpload(ana, await archive(598, '1'))
  assert.equal(await fileCount(), before + 599)
  // Either of the next two archives fits within the limit on files, but not both.
  const anaOnSibling = { ...ana, request: ana.at(sibling.url).request }
  const [left, right] = [await archive(300, '2'), await archive(300, '3')]
  const answers = await Promise.all([upload(ana, left), upload(anaOnSibling, right)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  for (const answer of answers) {
    if (answer.status !== 201) assertError(answer, 409, 'QUOTA_EXCEEDED')
  }
  await assertNothingLeft(app)
  assert.equal(await fileCount(), before + 900)
  await makeUpload(ana, await archive(99, '4'))
  assert.equal(await fileCount(), before + 1000)
  assert.ok((await usedBy(ana)) < QUOTA)
  const length = { 'content-length': '50', 'content-type': FORM_TYPE }
  const headers = { ...length, authorization: `Bearer ${ana.token}` }
  const sent = request(`${app.url}/api/v1/uploads`, { method: 'POST', headers })
  sent.on('error', () => {})
  sent.flushHeaders()
  const [answer] = await once(sent, 'response')
  assert.equal(answer.statusCode, 409)
  sent.destroy()
  assert.equal(await fileCount(), before + 1000)
  await makeUpload(await app.user(), await makePng())
  assert.deepEqual(await app.drifted(), [])
})

test('keeps usage equal to the stored bytes during concurrent uploads and conversions', async () => {
  const users = await times(4, () => app.user())
  const files = await times(6, async (i) => makeBrokenMp4(KIB * (i + 1)))
  const hashes: string[] = []
  for (let round = 0; round < 4; round++) {
    await times(16, async (i) => {
      const user = users[(i * 7 + round) % users.length] as Actor
      const uploader = i % 2 ? user : { ...user, request: user.at(sibling.url).request }
      if (i % 4 === 3 && hashes.length > 0) {
        const sha256 = hashes[(i + round) % hashes.length] as string
        const bytes = ((i * 37 + round) % 11) * 100
        await app.db.transaction((tx) => setRenditionBytes(tx, sha256, bytes))
      } else {
        hashes.push(
          (await makeUpload(uploader, files[(i * 5 + round) % files.length] as Buffer)).sha256,
        )
      }
    })
    assert.deepEqual(await app.drifted(), [])
  }
})

test('counts a generated game thumbnail and its sizes for the author', async () => {
  const ana = await app.user()
  const before = await storedBytes(app)
  const game = await makePageGame(ana)
  const isMade = async () =>
    dataOf(await ana.get(`/contents/${game.id}`)).content.thumbnail_sizes.length > 0
  await until(isMade, 'the sizes')
  assert.equal(await usedBy(ana), (await storedBytes(app)) - before)
  assert.deepEqual(await app.drifted(), [])
})

test('counts files of an earlier version after measuring them', async () => {
  const old = await startApp()
  const ana = await old.user()
  await makeUpload(ana, await makePng())
  const { sha256 } = await makeUpload(ana, makeBrokenMp4())
  const staged = old.deps.staging.newFile()
  writeFileSync(staged, 'a rendition')
  await old.deps.store.put(`${sha256}/ab/480p.mp4`, staged, 'video/mp4')
  await old.sql('update files set is_measured = 0, rendition_bytes = 0, stored_bytes = size_bytes')
  await old.sql('update storage_usage set used_bytes = (select sum(size_bytes) from files)')
  assert.deepEqual(await old.drifted(), [])
  await times(3, () => measureFiles(old.db, old.deps.store))
  assert.equal(await usedBy(ana), await storedBytes(old))
  assert.deepEqual(await old.drifted(), [])
})

test('has no quota when USER_QUOTA_BYTES is 0', async () => {
  const open = await startApp({ USER_QUOTA_BYTES: '0' })
  const ana = await open.user()
  await makeUpload(ana, makeBrokenMp4(2 * QUOTA))
  assert.deepEqual(await storageOf(ana), { used_bytes: 2 * QUOTA, quota_bytes: null })
})
