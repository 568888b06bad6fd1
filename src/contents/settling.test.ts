import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { makeMediaContent, untilConverted, contentOf } from '../../test/conversions.ts'
import { dataOf, idsOf, times } from '../../test/make.ts'
import { until } from '../../test/receiver.ts'
import { makeBrokenMp4, makeUpload } from '../../test/uploads.ts'
import { bytesOf, makeVideo, NO_FFMPEG } from '../../test/videos.ts'
import { handleConversions } from '../conversion/handler.ts'
import type { Db } from '../db/handle.ts'

import { Worker } from '../jobs/worker.ts'
import { publishConverted } from './conversion.ts'

const app = await startApp({ FFMPEG: NO_FFMPEG ? 'off' : 'ffmpeg' })
// Stops the server's worker, which would otherwise finish the conversions before the tests check them.
await app.deps.worker.close()

/**
 * Runs conversions until `isOver` returns true. Simulates a process that dies before it updates the content items.
 */
async function convertAndDie(isOver: () => Promise<boolean>): Promise<void> {
  const worker = new Worker(app.db, () => app.clock.now(), app.deps.log)
  const alive: Pick<Worker, 'handle'> = {
    handle: (kind, ...run) => kind === 'conversion' && worker.handle(kind, ...run),
  }
  const db: Db = {
    ...app.db,
    async transaction() {
      throw new Error('dead')
    },
  }
  handleConversions({ ...app.deps, db, worker: alive as Worker })
  worker.start()
  await until(isOver, 'the conversions to end')
  await worker.close()
}

/** Lists up to 100 of the author's content items with this status. Returns the sorted ids of those with a thumbnail. */
async function depictedOf(author: Actor, status: 'draft' | 'published'): Promise<string[]> {
  const { feeds } = dataOf(await author.get(`/users/me/contents?status=${status}&per_page=100`))
  return idsOf(feeds.filter((content: Loose) => content['thumbnail_url'] !== null)).toSorted()
}

describe('contents that share a file', { skip: NO_FFMPEG }, () => {
  test('do not deadlock when the conversions of two files end at the same time', async () => {
    const users = [await app.user(), await app.user()]
    const contents: { id: string }[] = []
    const rounds = await times(8, async (round) => {
      const tags = [`a${round}`, `z${round}`]
      const uploads = await Promise.all(users.map((user) => makeUpload(user, makeBrokenMp4())))
      for (const [index, user] of users.entries()) {
        for (const tag of index === 0 ? tags : tags.toReversed()) {
          const over = { upload_ids: [uploads[index]?.id], tags: [tag] }
          contents.push((await makeMediaContent(user, [], over)) as { id: string })
        }
      }
      return uploads.map(({ sha256 }): string => sha256)
    })
    await app.sql(`update jobs set status = 'completed', due_at = null`)
    let attempts = 0
    for (const files of rounds) {
      await Promise.all(
        files.map((sha256) =>
          app.db.transaction((tx) => {
            attempts++
            return publishConverted(tx, sha256, app.clock.now())
          }),
        ),
      )
    }
    for (const content of contents)
      assert.equal((await contentOf(app.anon, content)).status, 'published')
    assert.equal(attempts, 2 * rounds.length, 'no transaction was retried')
  })

  test('all get their thumbnail or a failure notification, even when there are many', async () => {
    const MANY = 60
    const [ana, ben] = [await app.user(), await app.user()]
    const film = await makeUpload(ana, bytesOf(makeVideo()))
    const broken = await makeUpload(ben, makeBrokenMp4())
    const drafts = await times(MANY, () =>
      makeMediaContent(ana, [], { upload_ids: [film.id], publish: false }),
    )
    const waiting = await times(MANY, () => makeMediaContent(ana, [], { upload_ids: [film.id] }))
    await times(MANY, () => makeMediaContent(ben, [], { upload_ids: [broken.id], publish: false }))
    const sibling = await app.sibling()
    await untilConverted(ana, drafts[0] as { id: string })
    const depicted = async () => {
      const [depictedDrafts, shown] = [
        await depictedOf(ana, 'draft'),
        await depictedOf(ana, 'published'),
      ]
      return depictedDrafts.length + shown.length
    }
    await until(async () => (await depicted()) === 2 * MANY, 'thumbnails of all content items')
    assert.deepEqual(await depictedOf(ana, 'draft'), idsOf(drafts as { id: string }[]).toSorted())
    assert.deepEqual(
      await depictedOf(ana, 'published'),
      idsOf(waiting as { id: string }[]).toSorted(),
    )
    const unreadCountOf = async (who: Actor) => dataOf(await who.get('/notifications')).unread_count
    await until(
      async () => (await unreadCountOf(ben)) >= MANY,
      'notifications of all content items',
    )
    await sibling.close()
    assert.equal(await unreadCountOf(ben), MANY)
    assert.equal(await unreadCountOf(ana), 0)
  })

  test('are all updated when the process dies after the first of several transactions', async () => {
    const MANY = 60
    const [ana, ben] = [await app.user(), await app.user()]
    const [film, broken] = [
      await makeUpload(ana, bytesOf(makeVideo())),
      await makeUpload(ben, makeBrokenMp4()),
    ]
    for (const [author, { id }] of [
      [ana, film],
      [ben, broken],
    ] as const) {
      await times(MANY, () => makeMediaContent(author, [], { upload_ids: [id], publish: false }))
    }
    const depicted = async () => (await depictedOf(ana, 'draft')).length
    const unreadCount = async () => dataOf(await ben.get('/notifications')).unread_count as number
    const isOver = async ({ sha256 }: { sha256: string }) => {
      const rows = await app.sql(
        `select id from jobs where kind = 'conversion' and subject = '${sha256}' and due_at is null`,
      )
      return rows.length > 0
    }
    await convertAndDie(async () => (await isOver(film)) && (await isOver(broken)))
    assert.deepEqual([await depicted(), await unreadCount()], [50, 50])

    const sibling = await app.sibling()
    await until(async () => (await depicted()) === MANY, 'thumbnails of all content items')
    await until(async () => (await unreadCount()) === MANY, 'notifications of all content items')
    await until(async () => {
      return (await app.sql('select id from jobs where due_at is not null')).length === 0
    }, 'the end of all jobs')
    await sibling.close()
    assert.deepEqual([await depicted(), await unreadCount()], [MANY, MANY])
  })

  test('every count equals its number of rows after all tests', async () => {
    assert.deepEqual(await app.drifted(), [])
  })
})
