import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Actor, startApp } from '../../test/app.ts'
import {
  assertError,
  dataOf,
  idsOf,
  makeConversation,
  sendMessage,
  times,
} from '../../test/make.ts'

const app = await startApp()
const sibling = await app.sibling()
const pathOf = (id: string) => `/dm/conversations/${id}/messages`

test('creates one conversation when both sides open it in parallel, by id and by handle', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const answers = await times(100, (i) => {
    const [from, to] = i % 2 ? [ana, ben] : [ben, ana]
    const body = i % 4 < 2 ? { user_id: to.id } : { handle: to.handle }
    return from.at(i % 8 < 4 ? app.url : sibling.url).post('/dm/conversations', body)
  })
  const ids = answers.map((answer) => dataOf(answer, 201).conversation.id)
  assert.equal(new Set(ids).size, 1)
  assert.equal(await app.count(`conversations where user_low in ('${ana.id}', '${ben.id}')`), 1)
  for (const user of [ana, ben]) {
    const { conversations } = dataOf(await user.get('/dm/conversations'))
    assert.deepEqual(idsOf(conversations), [ids[0]])
  }
})

test('keeps every message once and in one order when both sides send in parallel', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const { id } = await makeConversation(ana, ben)
  const sent = await times(200, async (i) => {
    const from = (i % 2 ? ana : ben).at(i % 4 < 2 ? app.url : sibling.url)
    return dataOf(await from.post(pathOf(id), { body: `m${i}` }), 201).message.id
  })
  const walks = await Promise.all([walk(ana, id), walk(ben, id)])
  assert.deepEqual(walks[0], walks[1])
  assert.deepEqual(new Set(walks[0]), new Set(sent))
  assert.equal(walks[0]?.length, 200)
  for (const user of [ana, ben]) {
    const [summary] = dataOf(await user.get('/dm/conversations')).conversations
    assert.deepEqual([summary.unread_count, summary.last_message.id], [100, walks[0]?.at(-1)])
  }
})

async function walk(user: Actor, id: string): Promise<string[]> {
  const walked: string[] = []
  for (let before = ''; ; ) {
    const { messages, next_cursor } = dataOf(await user.get(`${pathOf(id)}?limit=37${before}`))
    walked.unshift(...idsOf(messages))
    if (next_cursor === null) return walked
    before = `&before=${next_cursor}`
  }
}

test('stores a message once when it is retried in parallel', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const { id } = await makeConversation(ana, ben)
  const answers = await times(30, (i) =>
    ana
      .at(i % 2 ? app.url : sibling.url)
      .post(pathOf(id), { body: i < 25 ? 'same' : 'other', client_message_id: 'k' }),
  )
  const created = answers.filter((answer) => answer.status === 201)
  for (const answer of answers) {
    if (answer.status !== 201) assertError(answer, 422, 'VALIDATION_ERROR')
  }
  assert.ok(created.length === 25 || created.length === 5, String(created.length))
  assert.equal(new Set(created.map((answer) => answer.data.message.id)).size, 1)
  assert.equal((await walk(ben, id)).length, 1)
  const [summary] = dataOf(await ben.get('/dm/conversations')).conversations
  assert.equal(summary.unread_count, 1)
})

test('marks each message as read once while messages arrive', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const { id } = await makeConversation(ana, ben)
  const markedCounts = await times(120, async (i) => {
    if (i % 3) return sendMessage(ana, id).then(() => 0)
    const reader = ben.at(i % 2 ? app.url : sibling.url)
    return dataOf(await reader.post(`/dm/conversations/${id}/read`)).marked_count as number
  })
  const rest = dataOf(await ben.post(`/dm/conversations/${id}/read`)).marked_count
  assert.equal(
    markedCounts.reduce((sum, count) => sum + count, rest),
    80,
  )
})

test('skips no conversation while others move up in the list', async () => {
  const ana = await app.user()
  const ids: string[] = []
  for (let i = 0; i < 12; i++) ids.push((await makeConversation(ana, await app.user())).id)
  const choice = fc.array(fc.nat({ max: ids.length - 1 }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(fc.array(choice, { maxLength: 4 }), async (bumps) => {
      const seen = new Set<string>()
      const moved = new Set<string>()
      const page = async (query: string) => {
        const data = dataOf(await ana.get(`/dm/conversations${query}`))
        for (const { id } of data.conversations) seen.add(id)
        return data.next_cursor
      }
      let cursor = await page('?limit=3')
      for (let turn = 0; cursor !== null; turn++) {
        for (const i of bumps[turn] ?? []) {
          app.clock.advance(1)
          await sendMessage(ana, ids[i] as string)
          moved.add(ids[i] as string)
        }
        cursor = await page(`?limit=3&before=${cursor}`)
      }
      assert.ok(ids.every((id) => seen.has(id) || moved.has(id)))
      if (moved.size > 0) await page(`?limit=${moved.size}`)
      assert.ok(ids.every((id) => seen.has(id)))
    }),
    { numRuns: 30 },
  )
})
