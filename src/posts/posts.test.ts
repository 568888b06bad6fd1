import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makePost,
  suspend,
  times,
  valuesOf,
} from '../../test/make.ts'

const app = await startApp()
const [ana, ben, cho] = [await app.user(), await app.user(), await app.user()]

const reply = async (author: Actor, id: string, body = 'A reply') =>
  dataOf(await author.post(`/posts/${id}/replies`, { body }), 201).post
const read = async (id: string, viewer = ana) => dataOf(await viewer.get(`/posts/${id}`)).post
const threadOf = async (id: string) => dataOf(await app.anon.get(`/posts/${id}/thread`))

describe('writing', () => {
  test('returns a post and a reply as submitted', async () => {
    const post = await makePost(ana, '  첫 글 ✨ ')
    const answer = await reply(ben, post.id, 'yes')
    const nested = await reply(ana, answer.id, 'no')
    assert.deepEqual(post, {
      id: post.id,
      author: {
        id: ana.id,
        handle: ana.handle,
        display_name: ana.handle,
        avatar_url: null,
        avatar_sizes: [],
      },
      body: '첫 글 ✨',
      parent_id: null,
      root_id: null,
      reply_count: 0,
      like_count: 0,
      is_liked: false,
      is_deleted: false,
      hidden_by: null,
      is_filtered: false,
      created_at: post.created_at,
    })
    assert.deepEqual([answer.parent_id, answer.root_id], [post.id, post.id])
    assert.deepEqual([nested.parent_id, nested.root_id], [answer.id, post.id])
    assert.deepEqual(await read(post.id), { ...post, reply_count: 1 })
    assert.deepEqual(await read(answer.id, cho), { ...answer, reply_count: 1 })
  })

  test('rejects a missing, blank or too long text and stores nothing', async () => {
    const post = await makePost(ana)
    for (const body of [undefined, null, 5, ' \n', '😀'.repeat(1001)]) {
      assertInvalid(await ana.post('/posts', { body }), 'body')
      assertInvalid(await ben.post(`/posts/${post.id}/replies`, { body }), 'body')
    }
    assert.equal((await read(post.id)).reply_count, 0)
    assert.equal(dataOf(await app.anon.get('/feed?limit=1')).posts[0].id, post.id)
    assert.equal((await makePost(ana, '😀'.repeat(1000))).body, '😀'.repeat(1000))
  })
})

describe('deleting', () => {
  test('removes a post without replies', async () => {
    const post = await makePost(ana)
    assert.equal((await ana.delete(`/posts/${post.id}`)).status, 204)
    for (const path of [`/posts/${post.id}`, `/posts/${post.id}/thread`]) {
      assertError(await app.anon.get(path), 404, 'POST_NOT_FOUND')
    }
    assertError(await ana.delete(`/posts/${post.id}`), 404, 'POST_NOT_FOUND')
    assert.ok(!idsOf(dataOf(await app.anon.get('/feed')).posts).includes(post.id))
    assert.ok(!idsOf(dataOf(await ana.get('/users/me/posts')).posts).includes(post.id))
  })

  test('keeps a post with replies in place, without text and author', async () => {
    const post = await makePost(ana, 'a text that must disappear')
    const middle = await reply(ben, post.id)
    const last = await reply(cho, middle.id)
    await ana.delete(`/posts/${post.id}`)
    await ben.delete(`/posts/${middle.id}`)
    assertError(await app.anon.get(`/posts/${post.id}`), 404, 'POST_NOT_FOUND')
    const top = await threadOf(post.id)
    assert.deepEqual(
      [top.post, ...top.replies].map((p) => [p.id, p.body, p.author, p.is_deleted, p.reply_count]),
      [
        [post.id, '', null, true, 0],
        [middle.id, '', null, true, 1],
      ],
    )
    const bottom = await threadOf(last.id)
    assert.deepEqual(idsOf(bottom.ancestors), [post.id, middle.id])
    assert.ok(!JSON.stringify([top, bottom]).includes('must disappear'))
    assert.deepEqual(await app.value(`select body from posts where id = '${post.id}'`), '')
  })

  test('rejects replies to and likes of a deleted post', async () => {
    const post = await makePost(ana)
    await reply(ben, post.id)
    await ana.delete(`/posts/${post.id}`)
    assertError(await ben.post(`/posts/${post.id}/replies`, { body: 'x' }), 404, 'POST_NOT_FOUND')
    assertError(await ben.post(`/posts/${post.id}/like`), 404, 'POST_NOT_FOUND')
    assertError(await ben.delete(`/posts/${post.id}/like`), 404, 'POST_NOT_FOUND')
    const thread = await threadOf(post.id)
    assert.deepEqual([thread.post.like_count, thread.replies.length], [0, 1])
  })
})

describe('liking', () => {
  test('sets and unsets a like, and does nothing when repeated', async () => {
    const path = `/posts/${(await makePost(ana)).id}/like`
    const answers = [
      await ben.delete(path),
      await ben.post(path),
      await ben.post(path),
      await cho.post(path),
      await ben.delete(path),
      await ben.delete(path),
    ].map((answer) => Object.values(dataOf(answer)))
    assert.deepEqual(answers, [
      [false, 0],
      [true, 1],
      [true, 1],
      [true, 2],
      [false, 1],
      [false, 1],
    ])
  })

  test("returns the viewer's own is_liked wherever a post appears", async () => {
    const post = await makePost(ana)
    const answer = await reply(ana, post.id)
    for (const { id } of [post, answer]) await ben.post(`/posts/${id}/like`)
    const seen = async (viewer: { get: Actor['get'] }) => {
      const feed = dataOf(await viewer.get('/feed')).posts.find(
        (p: { id: string }) => p.id === post.id,
      )
      const thread = dataOf(await viewer.get(`/posts/${post.id}/thread`))
      const below = dataOf(await viewer.get(`/posts/${answer.id}/thread`))
      const shown = [feed, thread.post, thread.replies[0], below.ancestors[0], below.post]
      assert.deepEqual(valuesOf(shown, 'like_count'), [1, 1, 1, 1, 1])
      return shown.map((p) => p.is_liked)
    }
    assert.deepEqual(await seen(ben), Array(5).fill(true))
    assert.deepEqual(await seen(cho), Array(5).fill(false))
    assert.deepEqual(await seen(app.anon), Array(5).fill(false))
  })

  test('counts each user once when many like and unlike in parallel', async () => {
    const post = await makePost(ana)
    const users = await times(8, () => app.user())
    const second = await app.sibling()
    const path = `/posts/${post.id}/like`
    const likes = await Promise.all(
      users.flatMap((user) => [user.post(path), user.at(second.url).post(path)]),
    )
    for (const answer of likes) assert.equal(dataOf(answer).is_liked, true)
    assert.equal((await read(post.id)).like_count, 8)
    await Promise.all([
      ...users.slice(0, 5).map((user) => user.delete(path)),
      ...users.slice(0, 5).map((user) => user.at(second.url).delete(path)),
      ...users.slice(5).map((user) => user.post(path)),
    ])
    assert.equal((await read(post.id)).like_count, 3)
    assert.equal(await app.count(`post_likes where post_id = '${post.id}'`), 3)
    await second.close()
  })
})

describe('notifications', () => {
  const notesOf = async (user: Actor) =>
    dataOf(await user.get('/notifications')).notifications.map(
      (n: { type: string; actor: { id: string }; link: string }) => [n.type, n.actor.id, n.link],
    )

  test('notify the author of a reply, and of a like until it is removed unread', async () => {
    const author = await app.user()
    const post = await makePost(author)
    const answer = await reply(ben, post.id)
    assert.deepEqual(await notesOf(author), [['comment', ben.id, `/posts/${answer.id}`]])
    await ben.post(`/posts/${post.id}/like`)
    await ben.post(`/posts/${post.id}/like`)
    assert.deepEqual((await notesOf(author))[0], ['like', ben.id, `/posts/${post.id}`])
    await ben.delete(`/posts/${post.id}/like`)
    assert.deepEqual(await notesOf(author), [['comment', ben.id, `/posts/${answer.id}`]])
    await ben.post(`/posts/${post.id}/like`)
    await author.post('/notifications/read-all')
    await ben.delete(`/posts/${post.id}/like`)
    assert.equal((await notesOf(author)).length, 2)
  })

  test('notify a mentioned user once, also when the post replies to that user', async () => {
    const [author, friend] = [await app.user(), await app.user()]
    const post = await makePost(
      author,
      `@${friend.handle} and again @${friend.handle.toUpperCase()}`,
    )
    assert.deepEqual(await notesOf(friend), [['mention', author.id, `/posts/${post.id}`]])
    const answer = await reply(friend, post.id, `thanks @${author.handle}`)
    assert.deepEqual(await notesOf(author), [['comment', friend.id, `/posts/${answer.id}`]])
  })

  test("skip a user's own actions", async () => {
    const author = await app.user()
    const post = await makePost(author, `me, @${author.handle}`)
    await reply(author, post.id, `@${author.handle}`)
    await author.post(`/posts/${post.id}/like`)
    assert.deepEqual(await notesOf(author), [])
  })
})

test('keeps the posts of a suspended user in place', async () => {
  const author = await app.user()
  const post = await makePost(author, 'still here')
  await suspend(app, author)
  assert.equal((await read(post.id)).author.id, author.id)
  assert.equal(dataOf(await app.anon.get('/feed?limit=1')).posts[0].body, 'still here')
})
