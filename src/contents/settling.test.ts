import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { makeWork, untilConverted, workOf } from '../../test/conversions.ts'
import { dataOf, times } from '../../test/make.ts'
import { until } from '../../test/receiver.ts'
import { makeBrokenMp4, makeUpload } from '../../test/uploads.ts'
import { bytesOf, makeVideo, NO_FFMPEG } from '../../test/videos.ts'
import { examineDatabase } from '../doctor/examine.ts'
import { settleConversion } from './conversion.ts'

const app = await startApp({ FFMPEG: NO_FFMPEG ? 'off' : 'ffmpeg' })
// What is converted ends when a test says so.
await app.deps.worker.close()

describe('works of one file', { skip: NO_FFMPEG }, () => {
  test('those of two files whose conversions end at one moment never wait for each other in a circle', async () => {
    const people = [await app.user(), await app.user()]
    const works: { id: string }[] = []
    const rounds = await times(8, async (round) => {
      const tags = [`a${round}`, `z${round}`]
      const uploads = await Promise.all(people.map((one) => makeUpload(one, makeBrokenMp4())))
      for (const [at, one] of people.entries()) {
        for (const tag of at === 0 ? tags : tags.toReversed()) {
          const over = { upload_ids: [uploads[at]?.id], tags: [tag] }
          works.push((await makeWork(one, [], over)) as { id: string })
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
            return settleConversion(tx, sha256, app.clock.now())
          }),
        ),
      )
    }
    for (const work of works) assert.equal((await workOf(app.anon, work)).status, 'published')
    assert.equal(attempts, 2 * rounds.length, 'none was undone and done again')
  })

  test('however many there are, each gets its picture or its author is told why not', async () => {
    const MANY = 60
    const [ana, ben] = [await app.user(), await app.user()]
    const film = await makeUpload(ana, bytesOf(makeVideo()))
    const broken = await makeUpload(ben, makeBrokenMp4())
    const drafts = await times(MANY, () =>
      makeWork(ana, [], { upload_ids: [film.id], publish: false }),
    )
    const waiting = await times(MANY, () => makeWork(ana, [], { upload_ids: [film.id] }))
    await times(MANY, () => makeWork(ben, [], { upload_ids: [broken.id], publish: false }))
    const other = await app.sibling()
    await untilConverted(ana, drafts[0] as { id: string })
    const depicted = async () => {
      const works = await Promise.all(
        [...drafts, ...waiting].map((work) => workOf(ana, work as { id: string })),
      )
      return works.filter(({ thumbnail_url }) => thumbnail_url !== null)
    }
    await until(async () => (await depicted()).length === 2 * MANY, 'all are depicted')
    const statuses = Map.groupBy(await depicted(), ({ status }) => status)
    assert.deepEqual(
      [statuses.get('draft')?.length, statuses.get('published')?.length],
      [MANY, MANY],
    )
    const noticesOf = async (who: Actor) => dataOf(await who.get('/notifications')).unread_count
    await until(async () => (await noticesOf(ben)) >= MANY, 'all are told')
    await other.close()
    assert.equal(await noticesOf(ben), MANY)
    assert.equal(await noticesOf(ana), 0)
  })

  test('every count is that of its rows after all of this', async () => {
    const { counts } = await examineDatabase(app.db)
    assert.deepEqual(
      counts.filter(({ drift }) => drift !== 0),
      [],
    )
  })
})
