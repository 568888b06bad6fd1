import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import yauzl from 'yauzl'
import { PASSWORD } from '../../test/actors.ts'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeComment,
  makeContent,
  makeConversation,
  makePost,
  sendMessage,
  times,
  valuesOf,
} from '../../test/make.ts'
import { until } from '../../test/receiver.ts'
import { drawing, makeUpload, served } from '../../test/uploads.ts'
import { removeEndedExports, removeLostExports } from './rules.ts'

const app = await startApp()
const admin = await app.admin()
await app.admin()
const DAY_MS = 86_400_000

const request = (user: Actor, over: object = {}) =>
  user.post('/exports', { current_password: PASSWORD, ...over })

async function finished(user: Actor): Promise<Loose> {
  let found: Loose
  await until(async () => {
    found = dataOf(await user.get('/exports')).exports[0]
    return found.status === 'completed' || found.status === 'failed'
  }, 'the export')
  return found
}

/** Returns the contents of a ZIP file's entries, by entry name. */
async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(bytes)
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    files.set(entry.fileName, Buffer.concat(chunks))
  }
  return files
}

const linesOf = (files: Map<string, Buffer>, name: string): Loose[] =>
  String(files.get(`${name}.jsonl`))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

async function paths(): Promise<string[]> {
  const files = await Array.fromAsync(app.deps.store.list('exports/'))
  return files.map(({ path }) => path)
}

describe('an export', () => {
  test('contains the data of the user in the shapes of the API, and the files', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const media = await makeUpload(ana, await drawing(71, 71).png().toBuffer())
    const content = await makeContent(ana, { upload_ids: [media.id], tags: ['a'] })
    const article = await makeContent(ana, { type: 'article', body: '글', publish: false })
    const bens = await makeContent(ben)
    const comment = await makeComment(ana, bens.id, { body: '안녕하세요 "quoted"\nline' })
    const secret = await makeComment(ben, bens.id, { body: 'Not of Ana' })
    const post = await makePost(ana)
    const conversation = await makeConversation(ana, ben)
    const sent = await sendMessage(ana, conversation.id)
    const received = await sendMessage(ben, conversation.id)
    dataOf(await ana.put(`/contents/${bens.id}/like`))
    dataOf(await ana.put(`/contents/${bens.id}/bookmark`))
    dataOf(await ana.put(`/creators/${ben.handle}/follow`))
    dataOf(await ana.put('/tags/Seoul/follow'))
    dataOf(await ben.put(`/creators/${ana.handle}/follow`))
    dataOf(await ana.put(`/creators/${admin.handle}/mute`))
    const { export: begun } = dataOf(await request(ana, { with_files: true }), 202)
    assert.deepEqual(begun, {
      id: begun.id,
      status: 'queued',
      with_files: true,
      size_bytes: null,
      url: null,
      error: null,
      created_at: begun.created_at,
      expires_at: null,
    })
    const done = await finished(ana)
    assert.equal(done.status, 'completed')
    const bytes = await served(app, done.url)
    assert.equal(bytes.length, done.size_bytes)
    const files = await unzip(bytes)
    assert.deepEqual(idsOf(linesOf(files, 'contents')), [content.id, article.id])
    const read = dataOf(await ana.get(`/contents/${article.id}`)).content
    assert.deepEqual(linesOf(files, 'contents')[1], read)
    assert.deepEqual(linesOf(files, 'comments'), [comment])
    assert.ok(!String(files.get('comments.jsonl')).includes(secret.body))
    assert.deepEqual(linesOf(files, 'posts'), [post])
    assert.deepEqual(idsOf(linesOf(files, 'messages')), [received.id, sent.id])
    for (const list of ['likes', 'bookmarks'])
      assert.deepEqual(idsOf(linesOf(files, list)), [bens.id])
    for (const list of ['following', 'followers'])
      assert.deepEqual(idsOf(linesOf(files, list)), [ben.id])
    assert.deepEqual(idsOf(linesOf(files, 'mutes')), [admin.id])
    assert.deepEqual(valuesOf(linesOf(files, 'followed_tags'), 'tag'), ['seoul'])
    assert.deepEqual(linesOf(files, 'uploads'), [media])
    assert.equal(linesOf(files, 'notifications')[0].actor.id, ben.id)
    for (const list of ['blocks', 'saves', 'reports', 'decisions'])
      assert.deepEqual(linesOf(files, list), [])
    const account = JSON.parse(String(files.get('account.json')))
    assert.deepEqual([account.id, account.email], [ana.id, ana.email])
    const stored = files.get(`files/${media.sha256}.png`)
    assert.deepEqual(stored, await served(app, media.url))
    const manifest = JSON.parse(String(files.get('manifest.json')))
    assert.deepEqual(
      manifest.lists.find(({ file }: Loose) => file === 'messages.jsonl'),
      { file: 'messages.jsonl', records: 2 },
    )
    assert.match(String(files.get('index.html')), new RegExp(`<title>@${ana.handle}`))
    for (const hidden of ['password', 'seed', 'access_hash', PASSWORD]) {
      assert.ok(!String(files.get('account.json')).includes(hidden), hidden)
    }
    const { notifications } = dataOf(await ana.get('/notifications'))
    assert.equal(notifications[0].link, '/account')
  })

  test('can be downloaded in ranges until it expires, by its signed address only', async () => {
    const ana = await app.user()
    dataOf(await request(ana), 202)
    const { id, url } = await finished(ana)
    const whole = await fetch(app.url + url)
    assert.equal(whole.headers.get('cache-control'), 'private, no-store')
    assert.equal(whole.headers.get('content-type'), 'application/zip')
    const bytes = Buffer.from(await whole.arrayBuffer())
    const part = await fetch(app.url + url, { headers: { range: 'bytes=2-5' } })
    assert.equal(part.status, 206)
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(2, 6))
    assert.ok(!(await unzip(bytes)).has('files/'))
    const altered = url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))
    const foreign = url.replace(id, 'exp_01kazr0p5vfq1s9m7c2xw4hd3t')
    for (const path of [altered, foreign, url.split('?')[0], `${url.split('?')[0]}?token=x`]) {
      assert.equal((await fetch(app.url + path)).status, 403, path)
    }
    assert.equal((await fetch(`${app.url}/uploads/exports/${id}.zip`)).status, 404)
    assert.equal((await fetch(app.url + url, { method: 'POST' })).status, 405)
    app.clock.advance(7 * DAY_MS + 1000)
    assert.equal((await fetch(app.url + url)).status, 403)
    await removeEndedExports(app.db, app.deps.store, app.clock.now())
    assert.ok(!(await paths()).includes(`exports/${id}.zip`))
    const [row] = await app.sql(`select status, path from exports where id = '${id}'`)
    assert.deepEqual([row?.['status'], row?.['path']], ['expired', null])
  })

  test('is limited to ten a day, including deleted ones', async () => {
    const ana = await app.user()
    for (let made = 0; made < 10; made += 1) {
      const { id } = dataOf(await request(ana), 202).export
      dataOf(await ana.delete(`/exports/${id}`), 204)
    }
    const refused = await request(ana)
    assertError(refused, 429, 'RATE_LIMITED')
    assert.ok(Number(refused.headers.get('retry-after')) > 3600)
    assert.deepEqual(dataOf(await ana.get('/exports')).exports, [])
    assert.equal(await app.count(`jobs where kind = 'export' and owner_id = '${ana.id}'`), 0)
    await app.sql(`update attempts set resets_at = 1 where bucket = 'export:user:${ana.id}'`)
    dataOf(await request(ana), 202)
  })

  test('needs the password, and is one a day unless it failed or was deleted', async () => {
    const ana = await app.user()
    assertInvalid(await request(ana, { current_password: 'wrong password' }), 'current_password')
    assertInvalid(await request(ana, { with_files: 'yes' }), 'with_files')
    const answers = await times(3, () => request(ana))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409, 409])
    const { id, url } = await finished(ana)
    assertError(await request(ana), 409, 'LIMIT_REACHED')
    assert.equal((await ana.delete(`/exports/${id}`)).status, 204)
    assertError(await ana.delete(`/exports/${id}`), 404, 'EXPORT_NOT_FOUND')
    assert.deepEqual(dataOf(await ana.get('/exports')).exports, [])
    assertError(await app.anon.get(url), 404, 'EXPORT_NOT_FOUND')
    const again = dataOf(await request(ana), 202).export
    await finished(ana)
    await app.sql(
      `update exports set status = 'failed', error = 'internal', path = null where id = '${again.id}'`,
    )
    const { exports } = dataOf(await ana.get('/exports'))
    assert.deepEqual([exports[0].status, typeof exports[0].error], ['failed', 'string'])
    const third = dataOf(await request(ana), 202).export
    await finished(ana)
    assert.ok(third.id > again.id)
  })

  test('cannot be downloaded while its user is suspended', async () => {
    const ana = await app.user()
    dataOf(await request(ana), 202)
    const { url } = await finished(ana)
    const whole = await served(app, url)
    // The clock has moved, so earlier sessions have ended.
    const lifter = await app.admin()
    const setSuspended = async (is_suspended: boolean) =>
      dataOf(await lifter.patch(`/admin/users/${ana.id}`, { is_suspended, reason: 'x' }))
    await setSuspended(true)
    assertError(await app.anon.get(url), 404, 'EXPORT_NOT_FOUND')
    assert.equal((await fetch(app.url + url, { method: 'HEAD' })).status, 404)
    await setSuspended(false)
    assert.deepEqual(await served(app, url), whole)
  })

  test('is cancelled and removed by the erasure of its user', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    dataOf(await request(ana), 202)
    const { id, url } = await finished(ana)
    dataOf(await request(ben), 202)
    // The clock has moved, so earlier sessions have ended.
    const eraser = await app.admin()
    const body = { contents: 'erase', texts: 'erase', reason: 'x' }
    for (const user of [ana, ben])
      dataOf(await eraser.post(`/admin/users/${user.id}/erasure`, body), 202)
    await until(
      async () => (await app.sql(`select id from jobs where kind = 'erasure'`)).length === 0,
      'the end of the erasures',
    )
    assertError(await app.anon.get(url), 404, 'EXPORT_NOT_FOUND')
    assert.ok(!(await paths()).includes(`exports/${id}.zip`))
    const rows = await app.sql(`select id from exports where user_id in ('${ana.id}', '${ben.id}')`)
    assert.deepEqual(rows, [])
  })

  test('leaves no file when its user is erased while the file is being stored', async () => {
    const { store } = app.deps
    const ana = await app.user()
    const eraser = await app.admin()
    const body = { contents: 'erase', texts: 'erase', reason: 'x' }
    const put = store.put.bind(store)
    const { promise: isStored, resolve: stored } = Promise.withResolvers<string>()
    store.put = async (path, ...rest) => {
      if (!path.startsWith('exports/')) return put(path, ...rest)
      dataOf(await eraser.post(`/admin/users/${ana.id}/erasure`, body), 202)
      await until(
        async () => (await app.sql(`select id from jobs where kind = 'erasure'`)).length === 0,
        'the end of the erasure',
      )
      const takeBack = await put(path, ...rest)
      stored(path)
      return takeBack
    }
    try {
      dataOf(await request(ana), 202)
      const path = await isStored
      await until(async () => !(await paths()).includes(path), 'the removal of the file')
    } finally {
      store.put = put
    }
    assert.deepEqual(await app.sql(`select id from exports where user_id = '${ana.id}'`), [])
  })

  test('leaves no file after its deletion, and a start removes one that a dead process left', async () => {
    const ana = await app.user()
    dataOf(await request(ana), 202)
    const { id } = await finished(ana)
    const isStored = async () => (await paths()).includes(`exports/${id}.zip`)
    await removeLostExports(app.db, app.deps.store)
    assert.ok(await isStored())
    assert.equal((await ana.delete(`/exports/${id}`)).status, 204)
    await removeLostExports(app.db, app.deps.store)
    assert.ok(!(await isStored()))
    await removeEndedExports(app.db, app.deps.store, app.clock.now())
    assert.deepEqual(await app.sql(`select id from exports where id = '${id}'`), [])
  })

  test('with files fails when it would take more than half of the free space', async () => {
    const ana = await app.user()
    await makeUpload(ana, await drawing(72, 72).png().toBuffer())
    await app.sql(
      `update storage_usage set used_bytes = 9000000000000000 where user_id = '${ana.id}'`,
    )
    dataOf(await request(ana, { with_files: true }), 202)
    const failed = await finished(ana)
    assert.deepEqual([failed.status, failed.url], ['failed', null])
    assert.match(failed.error, /공간/)
    assert.ok(!(await paths()).includes(`exports/${failed.id}.zip`))
    dataOf(await request(ana), 202)
    assert.equal((await finished(ana)).status, 'completed')
  })

  test('is finished by another process when its process dies', async () => {
    await app.deps.worker.close()
    const ana = await app.user()
    dataOf(await request(ana), 202)
    await app.sql(
      `update jobs set status = 'processing', lease = 'dead', due_at = 1 where kind = 'export' and status = 'queued'`,
    )
    const sibling = await app.sibling()
    assert.equal((await finished(ana)).status, 'completed')
    await sibling.close()
  })
})
