import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, dataOf, suspend, times } from '../../test/make.ts'

const app = await startApp()
const countRows = (table: string, where: string) => app.count(`${table} where ${where}`)

test('does not deadlock when two users follow each other in parallel, and keeps both counts correct', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const answers = await times(41, async (i) => {
    const [from, to] = i % 2 === 0 ? [ana, ben] : [ben, ana]
    return from.post(`/creators/${to.handle}/follow`)
  })
  for (const answer of answers) dataOf(answer)
  for (const { id } of [ana, ben]) {
    const followers = await countRows('follows', `creator_id = '${id}'`)
    const following = await countRows('follows', `follower_id = '${id}'`)
    const where = `user_id = '${id}' and follower_count = ${followers} and following_count = ${following}`
    assert.equal(await countRows('user_counts', where), 1)
  }
})

test('rejects following oneself in any spelling of the handle', async () => {
  const ana = await app.user()
  for (const handle of [ana.handle, ana.handle.toUpperCase()]) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await ana.request(method, `/creators/${handle}/follow`)
      assertError(answer, 409, 'CANNOT_FOLLOW_SELF')
    }
  }
  assert.equal(await countRows('follows', `follower_id = '${ana.id}'`), 0)
})

test('ignores the case of the handle', async () => {
  const [ana, creator] = [await app.user(), await app.user()]
  dataOf(await ana.put(`/creators/${creator.handle.toUpperCase()}/follow`))
  assert.equal(await countRows('follows', `creator_id = '${creator.id}'`), 1)
})

test('returns 404 for following and unfollowing an unknown or suspended creator', async () => {
  const [ana, creator] = [await app.user(), await app.user()]
  dataOf(await ana.put(`/creators/${creator.handle}/follow`))
  await suspend(app, creator)
  for (const handle of [creator.handle, 'nobody_here_x', 'a', '%00', 'x'.repeat(31)]) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await ana.request(method, `/creators/${handle}/follow`)
      assertError(answer, 404, 'CREATOR_NOT_FOUND')
    }
  }
  assert.equal(await countRows('follows', `creator_id = '${creator.id}'`), 1)
})

test("stores a follow before the creator's suspension or not at all when both run in parallel", async () => {
  const [creator, admin] = [await app.user(), await app.admin()]
  const users = await times(6, () => app.user())
  const path = `/creators/${creator.handle}/follow`
  const [suspended, ...answers] = await Promise.all([
    admin.patch(`/admin/users/${creator.id}`, { is_suspended: true }),
    ...users.map((user) => user.put(path)),
  ])
  dataOf(suspended)
  for (const { status } of answers) assert.ok(status === 200 || status === 404)
  const made = answers.filter(({ status }) => status === 200).length
  assert.equal(await countRows('follows', `creator_id = '${creator.id}'`), made)
  assertError(await (await app.user()).post(path), 404, 'CREATOR_NOT_FOUND')
})

test('reports the stored state of follows when the follower is suspended in parallel', async () => {
  const [follower, admin] = [await app.user(), await app.admin()]
  const creators = await times(9, () => app.user())
  for (const { handle } of creators.slice(0, 3)) {
    dataOf(await follower.put(`/creators/${handle}/follow`))
  }
  const methods = ['DELETE', 'PUT', 'POST']
  const [suspended, ...answers] = await Promise.all([
    admin.patch(`/admin/users/${follower.id}`, { is_suspended: true }),
    ...creators.map(({ handle }, i) =>
      follower.request(methods[Math.floor(i / 3)] as string, `/creators/${handle}/follow`),
    ),
  ])
  dataOf(suspended)
  for (const [i, answer] of answers.entries()) {
    const exists = await countRows(
      'follows',
      `creator_id = '${creators[i]?.id}' and follower_id = '${follower.id}'`,
    )
    if (answer.status === 200) assert.equal(dataOf(answer).is_following, exists === 1)
    else {
      assertError(answer, 401, 'UNAUTHORIZED')
      assert.equal(exists, i < 3 ? 1 : 0)
    }
  }
})
