import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Anyone, startApp } from '../../test/app.ts'
import { dataOf, makeContent, times } from '../../test/make.ts'

// Access tokens must stay valid while the tests advance the clock by hours.
const app = await startApp({ ACCESS_TOKEN_TTL: '86400' })
const read = async (who: Anyone, id: string) => dataOf(await who.get(`/contents/${id}`)).content

test('counts one view per viewer and hour, without the author, drafts and HEAD requests', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const [content, draft] = [await makeContent(ana), await makeContent(ana, { publish: false })]
  const path = `/contents/${content.id}`
  const count = async () => {
    await app.deps.views.flush()
    return (await read(ana, content.id)).view_count
  }
  for (let i = 0; i < 3; i++) {
    for (const who of [ana, ben, app.anon]) await read(who, content.id)
    await app.anon.get(path, { headers: { 'user-agent': 'another' } })
    await app.anon.request('HEAD', path, undefined, { headers: { 'user-agent': 'a third' } })
    await read(ana, draft.id)
  }
  assert.equal(await count(), 3)
  await read(ben, content.id)
  assert.equal(await count(), 3)
  app.clock.advance(60 * 60 * 1000)
  await read(ben, content.id)
  assert.equal(await count(), 4)
  assert.equal((await read(ana, draft.id)).view_count, 0)
})

test('counts a view once when two processes see the viewer, and deletes old hours', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const sibling = await app.sibling()
  const contents = await times(5, () => makeContent(ana))
  const see = (who: Anyone) => Promise.all(contents.map(({ id }) => who.get(`/contents/${id}`)))
  for (const url of [app.url, sibling.url]) await see(ben.at(url))
  for (const who of [app.anon, sibling.anon]) await see(who)
  await Promise.all([app.deps.views.flush(), sibling.deps.views.flush()])
  for (const { id } of contents) assert.equal((await read(ana, id)).view_count, 2)
  app.clock.advance(3 * 60 * 60 * 1000)
  await read(app.anon, contents[0].id)
  await app.deps.views.flush()
  assert.equal(await app.count('content_views'), 1)
  await sibling.close()
})
