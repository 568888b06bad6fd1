import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeConversation,
  sendMessage,
  times,
  valuesOf,
} from '../../test/make.ts'

const app = await startApp()

const policy = async (user: Actor, dm_policy: string) =>
  assert.equal(dataOf(await user.patch('/auth/me', { dm_policy })).user.dm_policy, dm_policy)
const follow = async (user: Actor, target: Actor) =>
  dataOf(await user.put(`/creators/${target.handle}/follow`))
const send = (user: Actor, id: string, body = 'hello') =>
  user.post(`/dm/conversations/${id}/messages`, { body })
const list = async (user: Actor, state?: string): Promise<Loose[]> =>
  dataOf(await user.get(`/dm/conversations${state ? `?state=${state}` : ''}`)).conversations
const counts = async (user: Actor) => {
  const { unread_count, request_count } = dataOf(await user.get('/dm/unread-count'))
  return [unread_count, request_count]
}

/** Returns two users and the id of their empty conversation, which the first user has created. */
async function strangers(): Promise<[Actor, Actor, string]> {
  const [ana, ben] = [await app.user(), await app.user()]
  return [ana, ben, (await makeConversation(ana, ben)).id]
}

test('lets strangers write by default', async () => {
  const [ana, ben, id] = await strangers()
  assert.equal(dataOf(await ben.get('/auth/me')).user.dm_policy, 'everyone')
  await sendMessage(ana, id)
  const [conversation] = await list(ben)
  assert.deepEqual([conversation.id, conversation.state], [id, 'accepted'])
  assert.deepEqual(await counts(ben), [1, 0])
  assertInvalid(await ben.patch('/auth/me', { dm_policy: 'friends' }), 'dm_policy')
  assertInvalid(await ben.get('/dm/conversations?state=other'), 'state')
})

test('turns the first message of a user one does not follow into a request', async () => {
  const [ana, ben, id] = await strangers()
  await policy(ben, 'requests')
  await sendMessage(ana, id)
  await sendMessage(ana, id)
  assert.deepEqual(await list(ben), [])
  const [request] = await list(ben, 'request')
  assert.deepEqual([request.id, request.state, request.unread_count], [id, 'request', 2])
  assert.deepEqual(await counts(ben), [0, 1])
  const [sent] = await list(ana)
  assert.deepEqual([sent.id, sent.state], [id, 'accepted'])
  assert.deepEqual(await list(ana, 'request'), [])
  assert.deepEqual(await counts(ana), [0, 0])

  for (let i = 0; i < 2; i++) {
    const { conversation } = dataOf(await ben.post(`/dm/conversations/${id}/accept`))
    assert.deepEqual([conversation.state, conversation.unread_count], ['accepted', 2])
  }
  assert.equal(
    dataOf(await ana.post(`/dm/conversations/${id}/accept`)).conversation.state,
    'accepted',
  )
  assert.deepEqual(idsOf(await list(ben)), [id])
  assert.deepEqual(await list(ben, 'request'), [])
  assert.deepEqual(await counts(ben), [2, 0])
  await sendMessage(ana, id)
  assert.deepEqual(await counts(ben), [3, 0])
})

test('accepts a request by a reply, and never again asks', async () => {
  const [ana, ben, id] = await strangers()
  for (const user of [ana, ben]) await policy(user, 'requests')
  await sendMessage(ana, id)
  await sendMessage(ben, id)
  assert.deepEqual(idsOf(await list(ben)), [id])
  assert.deepEqual(idsOf(await list(ana)), [id])
  for (const user of [ana, ben]) await policy(user, 'nobody')
  await sendMessage(ana, id)
  await sendMessage(ben, id)
  assert.deepEqual(
    [await counts(ana), await counts(ben)],
    [
      [2, 0],
      [2, 0],
    ],
  )
})

test('sends no request to a user who follows the sender', async () => {
  const [ana, ben, id] = await strangers()
  await policy(ben, 'requests')
  await follow(ana, ben)
  await follow(ben, ana)
  await sendMessage(ana, id)
  assert.deepEqual(await counts(ben), [1, 0])
})

for (const [dm_policy, whenFollowed] of [
  ['following', 201],
  ['nobody', 409],
] as const) {
  test(`refuses a start when the policy is ${dm_policy}, and lets the recipient start`, async () => {
    const [ana, ben, id] = await strangers()
    await policy(ben, dm_policy)
    dataOf(await ana.post('/dm/conversations', { handle: ben.handle }), 201)
    assertError(await send(ana, id), 409, 'PEER_UNAVAILABLE')
    assert.deepEqual([await list(ben), await list(ben, 'request')], [[], []])
    assert.deepEqual(dataOf(await ana.get(`/dm/conversations/${id}/messages`)).messages, [])
    await follow(ben, ana)
    assert.equal((await send(ana, id)).status, whenFollowed)
    await sendMessage(ben, id)
    await sendMessage(ana, id)
  })
}

test('keeps accepted conversations when the policy becomes stricter, and stops open requests', async () => {
  const [ana, ben, id] = await strangers()
  const cho = await app.user()
  const otherConversation = await makeConversation(cho, ben)
  await sendMessage(ana, id)
  await policy(ben, 'requests')
  await sendMessage(cho, otherConversation.id)
  await policy(ben, 'nobody')
  await sendMessage(ana, id)
  assertError(await send(cho, otherConversation.id), 409, 'PEER_UNAVAILABLE')
  assert.deepEqual(await counts(ben), [2, 1])
})

test('pages through requests and accepted conversations separately', async () => {
  const ben = await app.user()
  const ids: string[] = []
  for (let i = 0; i < 7; i++) {
    await policy(ben, i % 2 ? 'requests' : 'everyone')
    const ana = await app.user()
    const { id } = await makeConversation(ana, ben)
    app.clock.advance(2)
    await sendMessage(ana, id)
    ids.unshift(id)
  }
  for (const state of ['accepted', 'request']) {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/dm/conversations?state=${state}&limit=2${cursor && `&before=${cursor}`}`
      const page: Loose = dataOf(await ben.get(path))
      seen.push(...idsOf(page.conversations))
      cursor = page.next_cursor
    }
    assert.deepEqual(
      seen,
      ids.filter((_, i) => i % 2 === (state === 'request' ? 1 : 0)),
    )
  }
  assert.deepEqual(await counts(ben), [4, 3])
})

test('leaves a conversation for the caller only, until the next message', async () => {
  const [ana, ben, id] = await strangers()
  const first = await sendMessage(ana, id)
  await sendMessage(ana, id)
  const path = `/dm/conversations/${id}/messages`
  for (let i = 0; i < 2; i++) dataOf(await ben.delete(`/dm/conversations/${id}`), 204)
  assert.deepEqual(await list(ben), [])
  assert.deepEqual(await counts(ben), [0, 0])
  assert.deepEqual(dataOf(await ben.get(path)), { messages: [], next_cursor: null })
  assertInvalid(await ben.get(`${path}?before=${first.id}`), 'before')
  assert.equal(dataOf(await ben.post(`/dm/conversations/${id}/read`)).marked_count, 0)
  const theirs = dataOf(await ana.get(path)).messages
  assert.deepEqual(valuesOf(theirs, 'is_read'), [false, false])
  assert.equal((await list(ana))[0].last_message.id, theirs[1].id)
  const opened = dataOf(await ben.post('/dm/conversations', { handle: ana.handle }), 201)
  assert.deepEqual([opened.conversation.id, opened.conversation.last_message], [id, null])
  assert.equal(opened.conversation.unread_count, 0)

  const next = await sendMessage(ana, id)
  const [back] = await list(ben)
  assert.deepEqual([back.id, back.unread_count, back.last_message.id], [id, 1, next.id])
  assert.deepEqual(idsOf(dataOf(await ben.get(path)).messages), [next.id])
  const page = dataOf(await ben.get(`${path}?limit=1`))
  assert.equal(page.next_cursor, null)
  assert.equal(dataOf(await ana.get(path)).messages.length, 3)
  assertInvalid(await ben.get(`${path}?before=${first.id}`), 'before')
  assert.deepEqual(dataOf(await ben.get(`${path}?before=${next.id}`)).messages, [])
})

test('brings a request that was left back as a request', async () => {
  const [ana, ben, id] = await strangers()
  await policy(ben, 'requests')
  await sendMessage(ana, id)
  dataOf(await ben.delete(`/dm/conversations/${id}`), 204)
  assert.deepEqual(await list(ben, 'request'), [])
  assert.deepEqual(await counts(ben), [0, 0])
  await sendMessage(ana, id)
  const [request] = await list(ben, 'request')
  assert.deepEqual([request.state, request.unread_count], ['request', 1])
  assert.deepEqual(await counts(ben), [0, 1])
})

test('deletes the text of a message for both users, once, and only for its sender', async () => {
  const [ana, ben, id] = await strangers()
  const path = `/dm/conversations/${id}/messages`
  const input = { body: 'secret', client_message_id: 'k' }
  const { message } = dataOf(await ana.post(path, input), 201)
  assert.equal(message.is_deleted, false)
  const messagePath = `/dm/messages/${message.id}`
  for (const user of [ben, await app.user()])
    assertError(await user.delete(messagePath), 404, 'MESSAGE_NOT_FOUND')
  dataOf(await ana.delete(messagePath), 204)
  assertError(await ana.delete(messagePath), 404, 'MESSAGE_NOT_FOUND')
  assertError(await ana.delete('/dm/messages/msg_1'), 404, 'MESSAGE_NOT_FOUND')
  for (const user of [ana, ben]) {
    const [seen] = dataOf(await user.get(path)).messages
    assert.deepEqual(seen, { ...message, body: '', is_deleted: true })
    const [{ last_message }] = (await list(user)) as [Loose]
    assert.deepEqual([last_message.body, last_message.is_deleted], ['', true])
  }
  assert.deepEqual(await counts(ben), [1, 0])
  const again = dataOf(await ana.post(path, input), 201).message
  assert.deepEqual([again.id, again.is_deleted], [message.id, true])
  assert.equal(await app.value(`select body from messages where id = '${message.id}'`), '')
})

test('ends in one state when messages arrive while a request is accepted or left', async () => {
  const sibling = await app.sibling()
  for (let round = 0; round < 10; round++) {
    const [ana, ben, id] = await strangers()
    await policy(ben, 'requests')
    await sendMessage(ana, id)
    const answers = await times(6, (i) => {
      const url = i % 2 ? app.url : sibling.url
      if (i === 2) return ben.at(url).post(`/dm/conversations/${id}/accept`)
      return ana.at(url).post(`/dm/conversations/${id}/messages`, { body: `m${i}` })
    })
    for (const answer of answers) assert.ok(answer.status < 300, answer.text)
    assert.deepEqual(idsOf(await list(ben)), [id])
    assert.deepEqual(await list(ben, 'request'), [])
    assert.deepEqual(await counts(ben), [6, 0])

    await times(5, (i) => {
      const url = i % 2 ? app.url : sibling.url
      if (i === 2) return ben.at(url).delete(`/dm/conversations/${id}`)
      return ana.at(url).post(`/dm/conversations/${id}/messages`, { body: `n${i}` })
    })
    const { messages } = dataOf(await ben.get(`/dm/conversations/${id}/messages`))
    const listed = await list(ben)
    assert.equal(listed.length, messages.length > 0 ? 1 : 0)
    assert.deepEqual(await counts(ben), [messages.length, 0])
    if (listed[0]) assert.equal(listed[0].last_message.id, messages.at(-1).id)
  }
})
