import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import {
  idsOf,
  makeComment,
  makeContent,
  makeConversation,
  makePost,
  sendMessage,
} from '../../test/make.ts'
import { clientOf } from './clients.ts'

const app = await startApp()
const alice = await app.user()
const bob = await app.user()
const { plaza, sent } = clientOf(app.url, alice)

async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

async function made(count: number, make: () => Promise<{ id: string }>): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) ids.push((await make()).id)
  return ids
}

test('iterates over a list with page numbers, each entry once', async () => {
  const ids = await made(7, () => makeContent(alice, { tags: ['river'] }))
  await makeContent(alice, { tags: ['other'] })
  sent.length = 0
  const found = await gathered(plaza.feeds.list({ tag: 'river', per_page: 3 }))
  assert.deepEqual(idsOf(found).sort(), ids.sort())
  assert.equal(sent.length, 3)
  const rest = await gathered(plaza.feeds.list({ tag: 'river', per_page: 3, page: 3 }))
  assert.equal(rest.length, 1)
})

test('iterates over a list with cursors, each entry once', async () => {
  const { id } = await makeConversation(alice, bob)
  const ids = await made(7, () => sendMessage(bob, id))
  const found = await gathered(plaza.conversations.listMessages(id, { limit: 2 }))
  assert.deepEqual(idsOf(found), ids.reverse())
  const sizes: number[] = []
  for await (const { messages } of plaza.conversations.listMessages(id, { limit: 3 }).pages()) {
    sizes.push(messages.length)
  }
  assert.deepEqual(sizes, [3, 3, 1])
})

test('iterates over the replies of a thread', async () => {
  const post = await makePost(alice)
  const reply = async () =>
    (await alice.post(`/posts/${post.id}/replies`, { body: 'yes' })).data.post as { id: string }
  const ids = await made(5, reply)
  const found = await gathered(plaza.posts.getThread(post.id, { limit: 2 }))
  assert.deepEqual(idsOf(found).sort(), ids.sort())
})

test('iterates over a list with offsets, each entry once', async () => {
  const content = await makeContent(alice)
  await made(6, () => makeContent(bob))
  const found = await gathered(plaza.contents.listRecommendations(content.id, { limit: 2 }))
  assert.ok(found.length >= 6)
  assert.equal(new Set(idsOf(found)).size, found.length)
})

test('yields no entries and one page when a list is empty', async () => {
  const { id } = await makeContent(alice)
  assert.deepEqual(await gathered(plaza.comments.list(id)), [])
  assert.equal((await gathered(plaza.comments.list(id).pages())).length, 1)
})

test('fetches no further page when the loop stops early', async () => {
  const { id } = await makeContent(alice)
  await made(5, () => makeComment(bob, id))
  sent.length = 0
  for await (const comment of plaza.comments.list(id, { per_page: 2 })) {
    assert.equal(comment.content_id, id)
    break
  }
  assert.equal(sent.length, 1)
})

test('stops in the middle of a list on abort', async () => {
  const { id } = await makeContent(alice)
  await made(3, () => makeComment(bob, id))
  const stop = new AbortController()
  const seen: string[] = []
  const readAll = async () => {
    const list = plaza.comments.list(id, { per_page: 1 }, { signal: stop.signal })
    for await (const comment of list) {
      seen.push(comment.id)
      stop.abort()
    }
  }
  await assert.rejects(readAll, { code: 'ABORTED' })
  assert.equal(seen.length, 1)
})

test('yields an entry once when newer entries push it to the next page', async () => {
  const ids = await made(4, () => makeContent(alice, { tags: ['moving'] }))
  const found: string[] = []
  for await (const { id } of plaza.feeds.list({ tag: 'moving', per_page: 2 })) {
    if (found.length === 1) await made(1, () => makeContent(alice, { tags: ['moving'] }))
    found.push(id)
  }
  assert.deepEqual(found, ids.reverse())
})
