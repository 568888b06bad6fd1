import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, dataOf, makeContent, times } from '../../test/make.ts'
import { examineDatabase } from '../doctor/examine.ts'

const app = await startApp()
const admin = await app.admin()
const [fan, stranger] = [await app.user(), await app.user()]

async function assertExact() {
  const { counts } = await examineDatabase(app.db)
  assert.deepEqual(
    counts.filter(({ drift }) => drift > 0),
    [],
  )
}

test('a suspension closes all content of its user, and lifting it opens each as chosen', async () => {
  const author = await app.user()
  dataOf(await fan.put(`/creators/${author.handle}/follow`))
  const contents = await Promise.all(
    ['public', 'unlisted', 'followers'].map((visibility) => makeContent(author, { visibility })),
  )
  const statuses = (actor: typeof app.anon) =>
    Promise.all(contents.map(async ({ id }) => (await actor.get(`/contents/${id}`)).status))
  dataOf(await admin.patch(`/admin/users/${author.id}`, { is_suspended: true }))
  assert.deepEqual(await statuses(fan), [404, 404, 404])
  await assertExact()
  dataOf(await admin.patch(`/admin/users/${author.id}`, { is_suspended: false }))
  assert.deepEqual(await statuses(fan), [200, 200, 200])
  assert.deepEqual(await statuses(stranger), [200, 200, 404])
  await assertExact()
})

test('counts equal rows when visibility, likes, comments, follows and archiving run in parallel', async () => {
  for (let round = 0; round < 6; round++) {
    const author = await app.user()
    const contents = await times(3, () => makeContent(author, { tags: ['race', `r${round}`] }))
    const actors = await times(3, () => app.user())
    await Promise.all(actors.map((actor) => actor.put(`/creators/${author.handle}/follow`)))
    const acts = contents.flatMap(({ id }) => [
      ...['followers', 'unlisted', 'public'].map((visibility) =>
        author.patch(`/contents/${id}`, { visibility }),
      ),
      ...actors.flatMap((actor) => [
        actor.put(`/contents/${id}/like`),
        actor.post(`/contents/${id}/comments`, { body: 'x' }),
      ]),
    ])
    const [first] = contents
    const answers = await Promise.all([
      ...acts,
      actors[0]?.delete(`/creators/${author.handle}/follow`),
      author.delete(`/contents/${first.id}`),
    ])
    for (const answer of answers)
      assert.ok([200, 201, 204, 404, 409].includes(answer?.status ?? 0), answer?.text)
    assertError(await app.anon.get(`/contents/${first.id}`), 404, 'CONTENT_NOT_FOUND')
  }
  await assertExact()
})
