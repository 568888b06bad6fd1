import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loose, startApp } from '../../test/app.ts'
import { dataOf } from '../../test/make.ts'
import { makePageGame } from '../../test/playing.ts'
import { until } from '../../test/receiver.ts'
import { drawing, makePng, makeUpload } from '../../test/uploads.ts'
import { Worker } from '../jobs/worker.ts'
import { handleThumbnails } from './handler.ts'

const app = await startApp()
// Stops the server's worker. Each test starts a worker to run jobs.
await app.deps.worker.close()
const creator = await app.user()

const contentOf = async (id: string) => dataOf(await creator.get(`/contents/${id}`)).content
const choose = async (id: string, upload: string | null): Promise<Loose> =>
  dataOf(await creator.patch(`/contents/${id}`, { thumbnail_upload_id: upload })).content

/**
 * Runs thumbnail jobs until the queue is empty and returns the number of runs. Calls `meanwhile` before the
 * first job finishes.
 */
async function action(meanwhile: () => Promise<void>): Promise<number> {
  const worker = new Worker(app.db, () => app.clock.now(), app.deps.log)
  let runs = 0
  const slow: Pick<Worker, 'handle'> = {
    handle: (kind, run, hooks) =>
      worker.handle(
        kind,
        async (job, control) => {
          const finish = await run(job, control)
          if (runs++ === 0) await meanwhile()
          return finish
        },
        hooks,
      ),
  }
  handleThumbnails({ ...app.deps, worker: slow as Worker }, Promise.resolve(undefined))
  worker.start()
  await until(async () => {
    return (await app.count("jobs where kind = 'thumbnail' and due_at is not null")) === 0
  }, 'the queue to be empty')
  await worker.close()
  return runs
}

test('makes a thumbnail when the author removes the chosen picture while the job finishes', async () => {
  const game = await makePageGame(creator)
  const picture = await makeUpload(creator, await makePng())
  await choose(game.id, picture.id)
  const runs = await action(async () => {
    assert.equal((await choose(game.id, null)).thumbnail_url, null)
  })
  assert.equal(runs, 2)
  assert.match((await contentOf(game.id)).thumbnail_url, /\.webp$/)
})

test('keeps a chosen picture, whether it was chosen before the job or during it', async () => {
  const picture = await makeUpload(creator, await makePng())
  const [late, early] = [await makePageGame(creator), await makePageGame(creator)]
  const { thumbnail_url } = await choose(early.id, picture.id)
  const runs = await action(async () => void (await choose(late.id, picture.id)))
  assert.equal(runs, 2)
  for (const { id } of [late, early]) {
    assert.equal((await contentOf(id)).thumbnail_url, thumbnail_url)
  }
})

test("restores the game's own first picture when another choice is removed during the job", async () => {
  const [first, chosen] = [
    await makeUpload(creator, await drawing(70).png().toBuffer()),
    await makeUpload(creator, await drawing(80).png().toBuffer()),
  ]
  const game = await makePageGame(creator)
  const upload_ids = [game.media[0].upload_id, first.id]
  const body = { category: 'jump', type: 'game', title: 'Depicted', upload_ids }
  const { content } = dataOf(await creator.post('/contents', body), 201)
  assert.notEqual(content.thumbnail_url, null)
  await action(async () => {})
  dataOf(await creator.post(`/contents/${content.id}/thumbnail-job`), 202)
  await choose(content.id, chosen.id)
  const runs = await action(async () => {
    assert.equal((await choose(content.id, null)).thumbnail_url, content.thumbnail_url)
  })
  assert.equal(runs, 1)
  assert.equal((await contentOf(content.id)).thumbnail_url, content.thumbnail_url)
})
