import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { zipOf } from '../../test/playing.ts'
import { drawing, makeUpload, served, WASM } from '../../test/uploads.ts'
import { type Db, DatabaseFull, DatabaseUnavailable } from '../db/handle.ts'
import type { Viewer } from '../http/auth.ts'
import { StorageFull, type Store } from '../storage/store.ts'
import { createUpload } from './rules.ts'

const app = await startApp()
const { deps } = app
const ana = await app.user()
const viewer = { id: ana.id } as Viewer

const send = (bytes: Buffer, { db = deps.db, store = deps.store }: { db?: Db; store?: Store }) =>
  createUpload({ ...deps, store }, db, viewer, Readable.from([Buffer.from(bytes)]))

const failing = (failure: Error): Db => ({
  ...deps.db,
  async transaction() {
    throw failure
  },
})

/**
 * Returns a database handle whose transactions wait for `turn`. `reached` resolves when a transaction begins to
 * wait.
 */
function waiting(turn: Promise<unknown>, db: Db) {
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  const transaction: Db['transaction'] = async (action) => {
    resolve()
    await turn
    return db.transaction(action)
  }
  return { reached, db: { ...db, transaction } }
}

function storeFor(files: number): Store {
  let left = files
  return Object.assign(Object.create(deps.store) as Store, {
    async put(...args: Parameters<Store['put']>) {
      if (left-- <= 0) throw new StorageFull('the disk is full')
      return deps.store.put(...args)
    },
  })
}

async function listed(): Promise<string[]> {
  const files = await Array.fromAsync(deps.store.list(''))
  return files.map(({ path }) => path).sort()
}

let width = 60
/** Returns a picture whose bytes and thumbnail are unique. */
const picture = () => drawing(++width).png().toBuffer()
const game = () =>
  zipOf({ 'index.html': `<p>${Math.random()}</p>`, 'a.wasm': WASM, 'b.txt': 'Room for all' })

test('leaves nothing in the store when the database is full', async () => {
  await makeUpload(ana, await picture())
  const full = failing(new DatabaseFull('full'))
  for (const bytes of [await picture(), await game()]) {
    const before = await listed()
    await assert.rejects(send(bytes, { db: full }), DatabaseFull)
    assert.deepEqual(await listed(), before)
    await send(bytes, {})
  }
})

test('removes its files when the store becomes full during an upload', async () => {
  const before = await listed()
  for (const [bytes, room] of [
    [await picture(), 1],
    [await game(), 3],
  ] as const) {
    await assert.rejects(send(bytes, { store: storeFor(room) }), StorageFull)
    assert.deepEqual(await listed(), before)
  }
})

test('keeps files that another upload of the same bytes has stored but not yet committed', async () => {
  for (const isFirst of [true, false]) {
    for (const bytes of [await picture(), await game()]) {
      const before = await listed()
      const failure = Promise.withResolvers<void>()
      const refused = waiting(failure.promise, failing(new DatabaseFull('full')))
      const succeeding = waiting(
        failure.promise.then(() => refusal),
        deps.db,
      )
      let refusal: Promise<void> | undefined
      const refuse = async () => {
        refusal = assert.rejects(send(bytes, { db: refused.db }), DatabaseFull)
        await refused.reached
      }
      if (isFirst) await refuse()
      const upload = send(bytes, { db: succeeding.db })
      await succeeding.reached
      if (!isFirst) await refuse()
      const put = await listed()
      assert.ok(put.length > before.length)
      failure.resolve()
      await refusal
      assert.deepEqual(await listed(), put)
      await upload
      assert.deepEqual(await listed(), put)
    }
  }
})

test('keeps a file that has a row', async () => {
  const known = await picture()
  const { url } = await makeUpload(ana, known)
  await assert.rejects(send(known, { db: failing(new DatabaseFull('full')) }), DatabaseFull)
  assert.deepEqual(await served(app, url), known)
  // A failed upload of known bytes must restore a file that is missing in the store.
  await deps.store.remove(url.slice('/uploads/'.length))
  await assert.rejects(send(known, { db: failing(new DatabaseFull('full')) }), DatabaseFull)
  assert.deepEqual(await served(app, url), known)
})

test('keeps the files when it is unknown whether the transaction was committed', async () => {
  const before = await listed()
  const unavailable = failing(new DatabaseUnavailable('cut at the commit'))
  await assert.rejects(send(await picture(), { db: unavailable }), DatabaseUnavailable)
  assert.equal((await listed()).length, before.length + 2, 'the picture and its thumbnail')
})
