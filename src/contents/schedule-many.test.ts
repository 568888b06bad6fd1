import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINE, startApp } from '../../test/app.ts'
import { dataOf, makeContent, makePost, times } from '../../test/make.ts'
import { until } from '../../test/receiver.ts'
import { publishDue } from './schedule.ts'

const app = await startApp({ RATE_LIMITS: 'off', ACCESS_TOKEN_TTL: '86400', FFMPEG: 'off' })
const MINUTE = 60_000
const DRAFTS = 500
const BROKEN = 60

const [ana, ben] = [await app.user(), await app.user()]

/** Makes publishing drafts with this title fail until the returned function is called. */
async function breakTitle(title: string): Promise<() => Promise<unknown>> {
  const when = `when (new.title = '${title}' and new.status = 'processing')`
  if (ENGINE === 'sqlite') {
    await app.sql(`create trigger broken_draft before update of status on contents ${when}
      begin select raise(abort, 'broken draft'); end`)
    return () => app.sql('drop trigger broken_draft')
  }
  await app.sql(`create function broken_draft() returns trigger language plpgsql
    as $$ begin raise 'broken draft'; end $$`)
  await app.sql(`create trigger broken_draft before update of status on contents
    for each row ${when} execute function broken_draft()`)
  return () => app.sql('drop trigger broken_draft on contents')
}

test('publishes 500 drafts of the same minute, also behind drafts that fail, and serves requests meanwhile', async () => {
  const publish_at = (ms: number) => new Date(app.clock.now() + ms).toISOString()
  const repair = await breakTitle('Broken')
  const early = publish_at(MINUTE)
  const late = publish_at(MINUTE + 1000)
  await times(BROKEN, () => makeContent(ben, { title: 'Broken', publish_at: early }))
  await times(DRAFTS, () => makeContent(ana, { tags: ['due'], publish_at: late }))
  const published = () =>
    app.count(`content_stats where creator_id = '${ana.id}' and is_public = 1`)
  assert.equal(await published(), 0)

  const start = performance.now()
  app.clock.advance(2 * MINUTE)
  let slowest = 0
  while ((await published()) < DRAFTS) {
    const asked = performance.now()
    await makePost(ben)
    slowest = Math.max(slowest, performance.now() - asked)
    assert.ok(performance.now() - start < MINUTE, `${await published()} drafts after a minute`)
  }
  assert.ok(slowest < 5000, `a request took ${slowest} ms`)
  assert.equal(dataOf(await app.anon.get('/feeds?tag=due')).pagination.total, DRAFTS)
  const left = `contents where status = 'draft' and publish_at is not null`
  assert.equal(await app.count(left), BROKEN)

  await repair()
  await until(async () => (await app.count(left)) === 0, 'the repaired drafts')
  assert.deepEqual(await app.drifted(), [])
})

test('publishes each draft once when several processes do it', async () => {
  const author = await app.user()
  const publish_at = new Date(app.clock.now() + MINUTE).toISOString()
  await times(80, () => makeContent(author, { publish_at }))
  const later = app.clock.now() + 2 * MINUTE
  await Promise.all([1, 2, 3].map(() => publishDue(app.db, later, false)))
  const { notifications } = dataOf(await author.get('/notifications?per_page=100'))
  assert.equal(notifications.length, 80)
  assert.equal(
    await app.count(`content_stats where creator_id = '${author.id}' and is_public = 1`),
    80,
  )
})
