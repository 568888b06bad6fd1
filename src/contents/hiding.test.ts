import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENGINE, startApp } from '../../test/app.ts'
import { dataOf, makeContent } from '../../test/make.ts'

const app = await startApp()
const root = await app.admin()

async function hold(text: string): Promise<() => Promise<void>> {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: begun } = Promise.withResolvers<void>()
  const done = app.db.script(async (run) => {
    await run('begin')
    await run(`${text} for update`)
    begun()
    await isOver
    await run('commit')
  })
  await isHeld
  return () => {
    end()
    return done
  }
}

async function untilWaiting(count: number): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (
      (await app.count(`pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`)) === count
    )
      return
    await sleep(10)
  }
  assert.fail(`expected ${count} waiting transactions`)
}

test('keeps totals correct when a content item is published and retagged during a suspension', {
  skip: ENGINE !== 'postgres' && 'the embedded engine has one writer',
}, async () => {
  const followed = await app.user()
  const ana = await app.user()
  await makeContent(followed, { tags: ['old', 'new'] })
  dataOf(await ana.post(`/creators/${followed.handle}/follow`))
  // The suspension has now locked the existing content items and waits for the user's counts.
  const letCount = await hold(`select 1 from user_counts where user_id = '${followed.id}'`)
  const suspending = root.patch(`/admin/users/${ana.id}`, { is_suspended: true })
  await untilWaiting(1)
  const content = await makeContent(ana, { tags: ['old'] })
  const letTag = await hold("select 1 from tag_totals where tag in ('old', 'new')")
  const editing = ana.patch(`/contents/${content.id}`, { tags: ['new'] })
  await untilWaiting(2)
  await letCount()
  // The edit has read the tags and now waits for the lock of the content item.
  await untilWaiting(2)
  await letTag()
  dataOf(await editing)
  dataOf(await suspending)
  const totals = await app.sql('select tag, total from tag_totals order by tag')
  assert.deepEqual(totals, [
    { tag: 'new', total: 1 },
    { tag: 'old', total: 1 },
  ])
  assert.deepEqual(await app.drifted(), [])
})
