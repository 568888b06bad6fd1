import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINE, startApp } from '../../test/app.ts'
import { hold, untilWaiting } from '../../test/locks.ts'
import { dataOf, makeContent } from '../../test/make.ts'

const app = await startApp()
const root = await app.admin()

test('keeps totals correct when a content item is published and retagged during a suspension', {
  skip: ENGINE !== 'postgres' && 'the embedded engine has one writer',
}, async () => {
  const followed = await app.user()
  const ana = await app.user()
  await makeContent(followed, { tags: ['old', 'new'] })
  dataOf(await ana.post(`/creators/${followed.handle}/follow`))
  // Makes the suspension wait after it has locked the existing content items.
  const letCount = await hold(app, `select 1 from user_counts where user_id = '${followed.id}'`)
  const suspending = root.patch(`/admin/users/${ana.id}`, { is_suspended: true })
  await untilWaiting(app, 1)
  const content = await makeContent(ana, { tags: ['old'] })
  const letTag = await hold(app, "select 1 from tag_totals where tag in ('old', 'new')")
  const editing = ana.patch(`/contents/${content.id}`, { tags: ['new'] })
  await untilWaiting(app, 2)
  await letCount()
  // Waits until the edit has read the tags and waits for the lock of the content item.
  await untilWaiting(app, 2)
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
