import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, dataOf, makeContent } from '../../test/make.ts'
import { makeDecision, undo } from '../../test/moderating.ts'

const app = await startApp()
const moderator = await app.admin()
const ana = await app.user()

const rate = (id: string, rating: string) =>
  makeDecision(moderator, 'rate', 'content', id, { rating })
const choose = (id: string, rating: string) => ana.patch(`/contents/${id}`, { rating })
const stateOf = async (id: string) => {
  const { rating, rating_locked } = dataOf(await ana.get(`/contents/${id}`)).content
  return [rating, rating_locked]
}
const rowOf = async (id: string) => [
  await app.sql(`select * from contents where id = '${id}'`),
  await app.sql(`select * from content_stats where content_id = '${id}'`),
]

test('a decision locks the rating: lowering it is refused, raising it works', async () => {
  const { id } = await makeContent(ana)
  await rate(id, 'teen')
  assert.deepEqual(await stateOf(id), ['teen', true])
  const before = await rowOf(id)
  const answer = await ana.patch(`/contents/${id}`, { rating: 'everyone', title: 'Other' })
  assertError(answer, 409, 'RATING_LOCKED')
  assert.deepEqual(await rowOf(id), before)
  dataOf(await choose(id, 'adult'))
  assert.deepEqual(await stateOf(id), ['adult', true])
  dataOf(await choose(id, 'teen'))
  assert.deepEqual(await stateOf(id), ['teen', true])
  dataOf(await ana.patch(`/contents/${id}`, { title: 'Other' }))
  assert.deepEqual(await stateOf(id), ['teen', true])
})

test('an undone decision leaves the row as it was', async () => {
  for (const rating of ['everyone', 'teen', 'adult']) {
    const { id } = await makeContent(ana, { rating })
    const before = await rowOf(id)
    for (const decided of ['teen', 'adult']) {
      const decision = await rate(id, decided)
      assert.deepEqual(await stateOf(id), [decided, true])
      assert.equal(dataOf(await undo(moderator, decision)).decision.status, 'undone')
      assert.deepEqual(await rowOf(id), before)
    }
  }
})

test('an undone decision returns the last own choice of the author', async () => {
  const { id } = await makeContent(ana, { rating: 'everyone' })
  const first = await rate(id, 'teen')
  dataOf(await choose(id, 'adult'))
  await undo(moderator, first)
  assert.deepEqual(await stateOf(id), ['adult', false])
  dataOf(await choose(id, 'everyone'))
  await rate(id, 'teen')
  dataOf(await choose(id, 'teen'))
  const second = await rate(id, 'adult')
  assertError(await choose(id, 'teen'), 409, 'RATING_LOCKED')
  assert.deepEqual(await stateOf(id), ['adult', true])
  await undo(moderator, second)
  assert.deepEqual(await stateOf(id), ['everyone', false])
})

test('a draft, restored or hidden item keeps its locked rating', async () => {
  const { id } = await makeContent(ana)
  await rate(id, 'adult')
  dataOf(await ana.delete(`/contents/${id}`), 204)
  assertError(await choose(id, 'teen'), 409, 'CONTENT_ARCHIVED')
  dataOf(await ana.post(`/contents/${id}/restore`))
  assertError(await choose(id, 'teen'), 409, 'RATING_LOCKED')
  const { content } = dataOf(await ana.patch(`/contents/${id}`, { status: 'published' }))
  assert.deepEqual([content.rating, content.rating_locked], ['adult', true])
})

test('a lower choice in parallel with the decision is before it, or refused', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await makeContent(ana, { rating: 'teen' })
    const [decision, answer] = await Promise.all([rate(id, 'adult'), choose(id, 'everyone')])
    assert.ok([200, 409].includes(answer.status), answer.text)
    assert.deepEqual(await stateOf(id), ['adult', true])
    await undo(moderator, decision)
    assert.deepEqual(await stateOf(id), [answer.status === 200 ? 'everyone' : 'teen', false])
  }
})
