import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loose, startApp } from '../../test/app.ts'
import { assertError, dataOf, makeContent, suspend, times } from '../../test/make.ts'

const app = await startApp()

test('does not deadlock when two users like content items in opposite order', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const [a, b] = [await makeContent(ana), await makeContent(ben)]
  const answers = await times(60, (i) => {
    const liker = i % 2 === 0 ? ana : ben
    return liker.post(`/contents/${(i % 4 < 2 ? a : b).id}/like`)
  })
  for (const answer of answers) dataOf(answer)
})

test('lists the users who like public content, the newest like first, without suspended users', async () => {
  const author = await app.user()
  const content = await makeContent(author)
  const likers = [await app.user(), await app.user(), await app.user()]
  for (const liker of likers) {
    app.clock.advance(1000)
    dataOf(await liker.put(`/contents/${content.id}/like`))
  }
  const [first, second, third] = likers
  assert.ok(first && second && third)
  dataOf(await author.put(`/creators/${first.handle}/follow`))
  await suspend(app, second)
  const { users, pagination } = dataOf(await author.get(`/contents/${content.id}/likers`))
  assert.deepEqual(
    users.map(({ id, is_following }: Loose) => [id, is_following]),
    [
      [third.id, false],
      [first.id, true],
    ],
  )
  assert.equal(pagination.total, 2)
  const page = dataOf(await app.anon.get(`/contents/${content.id}/likers?per_page=1&page=2`))
  assert.deepEqual([page.users[0].id, page.users[0].is_following], [first.id, false])
  dataOf(await author.delete(`/contents/${content.id}`), 204)
  assertError(await author.get(`/contents/${content.id}/likers`), 404, 'CONTENT_NOT_FOUND')
})
