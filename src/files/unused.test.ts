import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { assertInvalid, dataOf, makeContent } from '../../test/make.ts'
import { makePageGame, zipOf } from '../../test/playing.ts'
import { until } from '../../test/receiver.ts'
import { makeBrokenMp4, drawing, makeUpload } from '../../test/uploads.ts'

import { Sweep } from './sweep.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const app = await startApp()

let width = 60
/** Returns a picture with a unique thumbnail. */
const picture = () => drawing(++width).png().toBuffer()

/** Runs the sweep twice, an hour apart, so that all tasks of the second run are due. */
async function sweep(now: number): Promise<void> {
  const sweeper = new Sweep(app.deps)
  await sweeper.run(app.db, now - HOUR)
  await sweeper.run(app.db, now)
}

async function listed(): Promise<string[]> {
  const files = await Array.fromAsync(app.deps.store.list(''))
  return files.map(({ path }) => path).sort()
}

async function usedBy(user: Actor): Promise<number> {
  return dataOf(await user.get('/auth/me')).user.storage.used_bytes
}

async function exists({ id }: Loose): Promise<boolean> {
  return (await app.sql(`select id from uploads where id = '${id}'`)).length > 0
}

test('removes an unused upload after a day, with its files and its share of the storage usage', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const media = await makeUpload(ana, await picture())
  const chosen = await makeUpload(ana, await picture())
  const draft = await makeUpload(ana, makeBrokenMp4())
  const portrait = await makeUpload(ana, await picture())
  await makeContent(ana, { upload_ids: [media.id], thumbnail_upload_id: chosen.id })
  await makeContent(ana, { type: 'video', upload_ids: [draft.id], publish: false })
  dataOf(await ana.patch('/auth/me', { avatar_upload_id: portrait.id }))
  const game = await makePageGame(ana)
  const url = async () => dataOf(await ana.get(`/contents/${game.id}`)).content.thumbnail_url
  for (let wait = 0; !(await url()) && wait < 600; wait++) await sleep(50)
  await until(async () => (await app.count("jobs where kind = 'sizes'")) === 0, 'the sizes')
  const [listedBefore, used] = [await listed(), await usedBy(ana)]

  const shared = await picture()
  const unused = [
    await makeUpload(ana, await picture()),
    await makeUpload(ana, await zipOf({ 'index.html': '<p>unused', 'a.txt': 'a' })),
    await makeUpload(ana, shared),
    await makeUpload(ana, shared),
  ]
  const bens = await makeUpload(ben, shared)
  await makeContent(ben, { upload_ids: [bens.id] })
  const bensUsage = await usedBy(ben)
  const now = Date.now()
  await sweep(now + DAY - HOUR)
  for (const upload of unused) assert.ok(await exists(upload))
  await sweep(now + DAY + HOUR)
  for (const upload of unused) assert.ok(!(await exists(upload)))
  for (const upload of [media, chosen, draft, portrait, bens]) assert.ok(await exists(upload))
  assert.deepEqual([await usedBy(ana), await usedBy(ben)], [used, bensUsage])
  const left = (await listed()).filter((path) => !listedBefore.includes(path))
  assert.equal(left.length, 2, 'only the other user’s picture and its thumbnail are left')
  assert.ok(listedBefore.every((path) => !path.startsWith(bens.sha256)))
  assert.equal((await fetch(app.url + bens.url)).status, 200)
  assert.ok(await app.deps.store.find((await url()).slice('/uploads/'.length)))
  assert.deepEqual(await app.drifted(), [])
})

test('keeps an upload that is used during its removal, or rejects that use with its field', async () => {
  const ana = await app.user()
  const sibling = await app.sibling()
  for (let round = 0; round < 12; round++) {
    const bytes = await picture()
    const [media, portrait] = [await makeUpload(ana, bytes), await makeUpload(ana, await picture())]
    await app.sql(`update uploads set created_at = 1 where owner_id = '${ana.id}'`)
    const body = { category: 'hype', type: 'image', title: 'A race', upload_ids: [media.id] }
    const anaOnSibling = ana.at(sibling.url)
    const [created, changed, again] = await Promise.all([
      anaOnSibling.post('/contents', body),
      anaOnSibling.patch('/auth/me', { avatar_upload_id: portrait.id }),
      makeUpload(ana, bytes),
      sweep(Date.now()),
    ])
    assert.ok(await exists(again))
    assert.equal((await fetch(app.url + again.url)).status, 200)
    if (created.status === 201) assert.ok(await exists(media))
    else assertInvalid(created, 'upload_ids.0')
    if (changed.status === 200) {
      const { avatar_url } = dataOf(changed).user
      assert.ok(await exists(portrait))
      assert.equal((await fetch(app.url + avatar_url)).status, 200)
    } else assertInvalid(changed, 'avatar_upload_id')
    if (!(await exists(media))) assert.notEqual(created.status, 201)
  }
  assert.deepEqual(await app.drifted(), [])
})
