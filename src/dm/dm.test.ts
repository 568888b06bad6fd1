import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeConversation,
  sendMessage,
  suspend,
  valuesOf,
} from '../../test/make.ts'
import { newId } from '../db/ids.ts'

const app = await startApp()
const pathOf = (id: string) => `/dm/conversations/${id}/messages`
const missing = (prefix: 'cnv' | 'msg' | 'usr') => newId(prefix, Date.now())

async function pair() {
  const [ana, ben] = [await app.user(), await app.user()]
  return { ana, ben, conversation: await makeConversation(ana, ben) }
}

async function listOf(user: Actor, query = '') {
  return dataOf(await user.get(`/dm/conversations${query}`)).conversations
}

async function bodiesOf(user: Actor, id: string, query = '') {
  const { messages } = dataOf(await user.get(pathOf(id) + query))
  return valuesOf(messages, 'body')
}

test('opens the same conversation for two users, from either side, by id or handle', async () => {
  const { ana, ben, conversation } = await pair()
  assert.equal(conversation.peer.id, ben.id)
  assert.deepEqual([conversation.last_message, conversation.unread_count], [null, 0])
  for (const body of [
    { user_id: ben.id },
    { handle: ben.handle.toUpperCase() },
    { user_id: null, handle: ben.handle },
    { user_id: ben.id, handle: 'somebody_else' },
  ]) {
    const again = dataOf(await ana.post('/dm/conversations', body), 201).conversation
    assert.deepEqual(again, conversation)
  }
  const theirs = await makeConversation(ben, ana)
  assert.deepEqual([theirs.id, theirs.peer.id], [conversation.id, ana.id])
})

test('rejects oneself, unknown and suspended users as peers, and stores nothing', async () => {
  const [ana, gone] = [await app.user(), await app.user()]
  await suspend(app, gone)
  for (const [field, body] of [
    ['user_id', { user_id: ana.id }],
    ['user_id', { user_id: missing('usr'), handle: gone.handle }],
    ['user_id', { user_id: 'usr_1' }],
    ['user_id', { user_id: '' }],
    ['user_id', { user_id: 5 }],
    ['user_id', { user_id: gone.id }],
    ['handle', { handle: ana.handle.toUpperCase() }],
    ['handle', { handle: 'nobody_at_all' }],
    ['handle', { handle: 'constructor' }],
    ['handle', { handle: gone.handle }],
    ['user_id', {}],
    ['handle', { user_id: null, handle: null }],
  ] as const) {
    assertInvalid(await ana.post('/dm/conversations', body), field)
  }
  assert.equal(await app.count(`conversation_members where user_id = '${ana.id}'`), 0)
  assert.deepEqual(await listOf(ana), [])
})

test('lists an empty conversation for its creators only, and for both after a message', async () => {
  const { ana, ben, conversation } = await pair()
  assert.deepEqual([(await listOf(ana)).length, (await listOf(ben)).length], [1, 0])
  assert.deepEqual(await bodiesOf(ben, conversation.id), [])
  assertInvalid(await ben.get(`/dm/conversations?before=${conversation.id}`), 'before')
  await makeConversation(ben, ana)
  assert.equal((await listOf(ben)).length, 1)

  const second = await pair()
  await sendMessage(second.ana, second.conversation.id)
  assert.deepEqual([(await listOf(second.ana)).length, (await listOf(second.ben)).length], [1, 1])
})

test('stores a message as sent, up to 2000 characters', async () => {
  const { ana, ben, conversation } = await pair()
  const path = pathOf(conversation.id)
  for (const body of ['a'.repeat(2000), '😀'.repeat(2000), '<b>&amp;</b>', 'one\n\ntwo\tthree']) {
    const sent = await sendMessage(ana, conversation.id, body)
    assert.deepEqual(
      [sent.body, sent.sender_id, sent.conversation_id, sent.is_read, sent.client_message_id],
      [body, ana.id, conversation.id, false, null],
    )
  }
  for (const body of [undefined, null, 1, {}, '', ' \n ', 'a'.repeat(2001), 'x\u0000']) {
    assertInvalid(await ana.post(path, { body }), 'body')
  }
  assert.equal((await bodiesOf(ben, conversation.id)).length, 4)
})

test("counts only the peer's messages as unread, until they are read", async () => {
  const { ana, ben, conversation } = await pair()
  const { id } = conversation
  await sendMessage(ana, id, 'one')
  await sendMessage(ana, id, 'two')
  await sendMessage(ben, id, 'back')
  const unread = async () => [
    (await listOf(ana))[0].unread_count,
    (await listOf(ben))[0].unread_count,
  ]
  assert.deepEqual(await unread(), [1, 2])
  await ben.get(pathOf(id))
  assert.deepEqual(await unread(), [1, 2])

  assert.deepEqual(dataOf(await ben.post(`/dm/conversations/${id}/read`)), { marked_count: 2 })
  assert.deepEqual(dataOf(await ben.post(`/dm/conversations/${id}/read`)), { marked_count: 0 })
  assert.deepEqual(await unread(), [1, 0])
  for (const user of [ana, ben]) {
    const { messages } = dataOf(await user.get(pathOf(id)))
    const read = valuesOf(messages, 'is_read')
    assert.deepEqual(read, [true, true, false])
  }
  assert.equal((await sendMessage(ana, id, 'three')).is_read, false)
  assert.equal((await listOf(ben))[0].last_message.is_read, false)
  assert.deepEqual(await unread(), [1, 1])
})

test('returns the newest page first, oldest first within it, back to the first message', async () => {
  const { ana, ben, conversation } = await pair()
  const { id } = conversation
  const sent: string[] = []
  for (let i = 0; i < 5; i++) sent.push((await sendMessage(i % 2 ? ana : ben, id)).id)
  for (const user of [ana, ben]) {
    const walked: string[] = []
    let before = ''
    for (const size of [2, 2, 1]) {
      const data = dataOf(await user.get(`${pathOf(id)}?limit=2${before}`))
      const ids = idsOf(data.messages)
      assert.equal(ids.length, size)
      walked.unshift(...ids)
      assert.equal(data.next_cursor, size === 1 ? null : ids[0])
      before = `&before=${data.next_cursor}`
    }
    assert.deepEqual(walked, sent)
    assert.equal(dataOf(await user.get(`${pathOf(id)}?limit=5`)).next_cursor, null)
  }
})

test('rejects a cursor of another conversation without revealing it', async () => {
  const { ana, conversation } = await pair()
  const elsewhere = await pair()
  const mine = await makeConversation(ana, elsewhere.ben)
  const foreign = await sendMessage(elsewhere.ana, elsewhere.conversation.id, 'not for you')
  const ownElsewhere = await sendMessage(ana, mine.id)
  await sendMessage(ana, conversation.id)
  for (const cursor of [foreign.id, ownElsewhere.id, missing('msg'), 'zzz', '0']) {
    const answer = await ana.get(`${pathOf(conversation.id)}?before=${cursor}`)
    assertInvalid(answer, 'before')
    assert.ok(!answer.text.includes('not for you'))
  }
  for (const cursor of [elsewhere.conversation.id, missing('cnv'), '1']) {
    assertInvalid(await ana.get(`/dm/conversations?before=${cursor}`), 'before')
  }
})

test('lets a conversation with a suspended user be read, but not written to', async () => {
  const { ana, ben, conversation } = await pair()
  const { id } = conversation
  const retried = { body: 'before', client_message_id: 'c1' }
  const first = dataOf(await ana.post(pathOf(id), retried), 201).message
  await sendMessage(ben, id, 'answer')
  await suspend(app, ben)
  assert.deepEqual(await bodiesOf(ana, id), ['before', 'answer'])
  assert.deepEqual(dataOf(await ana.post(`/dm/conversations/${id}/read`)), { marked_count: 1 })
  assertError(await ana.post(pathOf(id), { body: 'hello?' }), 409, 'PEER_UNAVAILABLE')
  assertInvalid(await ana.post(pathOf(id), {}), 'body')
  assert.equal(dataOf(await ana.post(pathOf(id), retried), 201).message.id, first.id)
  assertInvalid(await ana.post('/dm/conversations', { user_id: ben.id }), 'user_id')
  assert.deepEqual(await bodiesOf(ana, id), ['before', 'answer'])
  await suspend(app, ben, false)
  await sendMessage(ana, id, 'again')
  assert.deepEqual(await bodiesOf(ben, id), ['before', 'answer', 'again'])
})

test('stores one message per client_message_id and rejects another text', async () => {
  const { ana, ben, conversation } = await pair()
  const { id } = conversation
  const send = (user: Actor, body: string, client_message_id: unknown) =>
    user.post(pathOf(id), { body, client_message_id })
  const first = dataOf(await send(ana, 'once', 'k'), 201).message
  assert.equal(first.client_message_id, 'k')
  assert.deepEqual(dataOf(await send(ana, ' once ', 'k'), 201).message, first)
  assertInvalid(await send(ana, 'twice', 'k'), 'client_message_id')
  for (const wrong of [5, '', ' ', 'x'.repeat(101), {}]) {
    assertInvalid(await send(ana, 'once', wrong), 'client_message_id')
  }
  const theirs = dataOf(await send(ben, 'mine', 'k'), 201).message
  assert.notEqual(theirs.id, first.id)
  dataOf(await send(ana, 'free', null), 201)
  dataOf(await send(ana, 'free', null), 201)
  assert.deepEqual(await bodiesOf(ana, id), ['once', 'mine', 'free', 'free'])
  dataOf(await ben.post(`/dm/conversations/${id}/read`))
  assert.equal(dataOf(await send(ana, 'once', 'k'), 201).message.is_read, true)
})

test('lists conversations by latest activity, with the last one as the cursor', async () => {
  const ana = await app.user()
  const ids: string[] = []
  const peers: Actor[] = []
  for (let i = 0; i < 3; i++) {
    const peer = await app.user()
    app.clock.advance(1)
    const conversation = await makeConversation(ana, peer)
    app.clock.advance(1)
    await sendMessage(ana, conversation.id, 'hello')
    peers.push(peer)
    ids.push(conversation.id)
  }
  const [a, b, c] = ids
  const order = async (query = '') => idsOf(await listOf(ana, query))
  assert.deepEqual(await order(), [c, b, a])
  app.clock.advance(1)
  await sendMessage(peers[0] as Actor, a as string, 'bump')
  const [top] = await listOf(ana)
  assert.deepEqual([top.id, top.last_message.body, top.unread_count], [a, 'bump', 1])
  const page = dataOf(await ana.get('/dm/conversations?limit=2'))
  assert.equal(page.next_cursor, c)
  const rest = dataOf(await ana.get(`/dm/conversations?limit=2&before=${c}`))
  assert.deepEqual([rest.conversations.length, rest.conversations[0].id], [1, b])
  assert.equal(rest.next_cursor, null)
  assert.equal(dataOf(await ana.get('/dm/conversations?limit=3')).next_cursor, null)
})

test('never dates a message before the previous one, even when the clock is set back', async () => {
  const { ana, ben, conversation } = await pair()
  app.clock.advance(60_000)
  const ahead = await sendMessage(ana, conversation.id)
  app.clock.advance(-60_000)
  const behind = await sendMessage(ben, conversation.id)
  assert.ok(behind.id > ahead.id)
  assert.ok(behind.created_at >= ahead.created_at)
  const { messages } = dataOf(await ana.get(pathOf(conversation.id)))
  assert.deepEqual(idsOf(messages), [ahead.id, behind.id])
})
