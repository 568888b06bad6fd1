import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Anyone, startApp } from '../../test/app.ts'
import { assertInvalid, dataOf, idsOf, makePost, times } from '../../test/make.ts'

const app = await startApp()
const [ana, ben] = [await app.user(), await app.user()]

const reply = async (author: Actor, id: string): Promise<string> =>
  dataOf(await author.post(`/posts/${id}/replies`, { body: 'A reply' }), 201).post.id
const MISSING = 'pst_01kazr4jd6f2gt8y3hnq5vx0ce'

const post = async (author: Actor): Promise<string> => (await makePost(author)).id

/** Reads all pages and returns the ids. Calls `each` after every page except the last. */
async function walk(
  caller: Anyone,
  path: string,
  list: 'posts' | 'replies',
  each: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 100; pages++) {
    const data = dataOf(await caller.get(`${path}?limit=3${cursor}`))
    ids.push(...idsOf(data[list]))
    if (data.next_cursor === null) return ids
    assert.equal(data.next_cursor, ids.at(-1))
    cursor = `&before=${data.next_cursor}`
    await each()
  }
  throw new Error('the cursors never end')
}

describe('the timeline', () => {
  const pageOf = async (query: string) => {
    const { posts, next_cursor, prev_cursor } = dataOf(await app.anon.get(`/feed?${query}`))
    return [idsOf(posts), next_cursor, prev_cursor]
  }

  test('contains top-level posts, newest first, without a session', async () => {
    const [first, second, third] = [await post(ana), await post(ben), await post(ana)]
    await reply(ben, third)
    assert.deepEqual(await pageOf('limit=2'), [[third, second], second, third])
    assert.deepEqual(await pageOf(`before=${second}&limit=1`), [[first], null, first])
  })

  test('returns older posts with before, the next newer ones with after, and those between with both', async () => {
    const [a, b, c] = [await post(ana), await post(ben), await post(ana)]
    const [d, e] = [await post(ben), await post(ana)]
    assert.deepEqual(await pageOf(`before=${d}&limit=2`), [[c, b], b, c])
    assert.deepEqual(await pageOf(`after=${a}&limit=2`), [[c, b], b, c])
    assert.deepEqual(await pageOf(`after=${c}`), [[e, d], d, e])
    assert.deepEqual(await pageOf(`after=${e}`), [[], null, null])
    assert.deepEqual(await pageOf(`after=${a}&before=${e}&limit=2`), [[d, c], c, d])
    assert.deepEqual(await pageOf(`after=${a}&before=${c}`), [[b], null, b])
  })

  test('returns a null next_cursor exactly when no older post is left', async () => {
    const own = await startApp()
    const author = await own.user()
    const [a, b, c] = [await post(author), await post(author), await post(author)]
    const cursorOf = async (query: string) =>
      dataOf(await own.anon.get(`/feed?${query}`)).next_cursor
    assert.deepEqual([await cursorOf('limit=2'), await cursorOf('limit=3')], [b, null])
    assert.deepEqual(
      [await cursorOf(`before=${c}&limit=1`), await cursorOf(`before=${b}`)],
      [b, null],
    )
    assert.equal(await cursorOf(`after=${a}`), b)
    await author.delete(`/posts/${a}`)
    assert.equal(await cursorOf(`after=${a}`), null)
    await own.close()
  })

  test('accepts a deleted post as a cursor', async () => {
    const [a, b, c] = [await post(ana), await post(ana), await post(ana)]
    const d = await post(ana)
    await ana.delete(`/posts/${c}`)
    assert.deepEqual(await pageOf(`before=${c}&limit=2`).then(([ids]) => ids), [b, a])
    assert.deepEqual(await pageOf(`after=${c}`).then(([ids]) => ids), [d])
  })

  test('rejects a cursor that was never a top-level post', async () => {
    const answer = await reply(ben, await post(ana))
    for (const cursor of ['zzz', MISSING, ana.id, answer]) {
      assertInvalid(await app.anon.get(`/feed?before=${cursor}`), 'before')
      assertInvalid(await app.anon.get(`/feed?after=${cursor}`), 'after')
      const both = await app.anon.get(`/feed?before=${cursor}&after=${cursor}`)
      for (const field of ['before', 'after']) assertInvalid(both, field)
    }
  })

  test('returns every post once while others write', async () => {
    const present: string[] = []
    while (present.length < 10) present.push(await post(ana))
    const seen = await walk(app.anon, '/feed', 'posts', () => times(2, () => post(ben)))
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      seen.filter((id) => present.includes(id)),
      present.toReversed(),
    )
  })

  test('misses no newer posts while many users write', async () => {
    const second = await app.sibling()
    let last = await post(ana)
    const seen: string[] = []
    const poll = async () => {
      const { posts, prev_cursor } = dataOf(await app.anon.get(`/feed?after=${last}&limit=100`))
      seen.push(...idsOf(posts).toReversed())
      last = prev_cursor ?? last
    }
    const writing = times(40, async (i): Promise<string> => {
      const writer = i % 2 ? ana : ben.at(second.url)
      return dataOf(await writer.post('/posts', { body: `n ${i}` }), 201).post.id
    })
    for (let i = 0; i < 20; i++) await poll()
    const written = await writing
    await poll()
    assert.deepEqual(seen, written.sort())
    await second.close()
  })
})

describe('a thread', () => {
  test('returns ancestors, first post first, and direct replies, oldest first', async () => {
    const top = await post(ana)
    const middle = await reply(ben, top)
    const sibling = await reply(ana, top)
    const below = await reply(ana, middle)
    const shape = async (id: string) => {
      const {
        ancestors,
        post: self,
        replies,
        next_cursor,
      } = dataOf(await app.anon.get(`/posts/${id}/thread`))
      return [idsOf(ancestors), self.id, idsOf(replies), next_cursor]
    }
    assert.deepEqual(await shape(top), [[], top, [middle, sibling], null])
    assert.deepEqual(await shape(middle), [[top], middle, [below], null])
    assert.deepEqual(await shape(below), [[top, middle], below, [], null])
  })

  test('returns every reply in order, including those written meanwhile', async () => {
    const top = await post(ana)
    for (let i = 0; i < 10; i++) await reply(i % 2 ? ana : ben, top)
    let more = 3
    const seen = await walk(app.anon, `/posts/${top}/thread`, 'replies', async () => {
      if (more-- > 0) await times(2, () => reply(ben, top))
    })
    const { replies } = dataOf(await app.anon.get(`/posts/${top}/thread?limit=100`))
    assert.equal(replies.length, 16)
    assert.deepEqual(seen, idsOf(replies))
  })

  test('returns the nearest 50 ancestors, oldest first, and whether there are more', async () => {
    const chain = [await post(ana)]
    while (chain.length < 53) chain.push(await reply(ana, chain.at(-1) as string))
    const read = async (id: string) => {
      const { ancestors, has_more_ancestors } = dataOf(await app.anon.get(`/posts/${id}/thread`))
      return [idsOf(ancestors), has_more_ancestors]
    }
    assert.deepEqual(await read(chain[52] as string), [chain.slice(2, 52), true])
    assert.deepEqual(await read(chain[50] as string), [chain.slice(0, 50), false])
    assert.deepEqual(await read(chain[2] as string), [chain.slice(0, 2), false])
    assert.deepEqual(await read(chain[0] as string), [[], false])
  })

  test('limits a response to 256 KiB and still returns every reply page by page', async () => {
    for (const [letter, ancestors] of [
      ['가', 50],
      ['😀', 50],
      ['\u0001x', 50],
      ['\u0001', 36],
    ] as const) {
      const body = letter.repeat(1000 / [...letter].length)
      const write = async (id: string) =>
        dataOf(await ana.post(`/posts/${id}/replies`, { body }), 201).post.id as string
      let last = dataOf(await ana.post('/posts', { body }), 201).post.id as string
      for (let i = 0; i < 51; i++) last = await write(last)
      const replies: string[] = []
      for (let i = 0; i < 100; i++) replies.push(await write(last))
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path = `/posts/${last}/thread?limit=100${cursor && `&before=${cursor}`}`
        const answer = await app.anon.get(path)
        assert.ok(Buffer.byteLength(answer.text) <= 256 * 1024, `${answer.text.length}`)
        const thread = dataOf(answer)
        assert.equal(thread.ancestors.length, ancestors)
        assert.equal(thread.has_more_ancestors, true)
        assert.ok(thread.replies.length > 0)
        seen.push(...idsOf(thread.replies))
        cursor = thread.next_cursor
      }
      assert.deepEqual(seen, replies)
    }
  })

  test('accepts a deleted reply as a cursor, but no other post', async () => {
    const top = await post(ana)
    const [a, b] = [await reply(ana, top), await reply(ana, top)]
    const below = await reply(ana, b)
    await ana.delete(`/posts/${a}`)
    const next = await app.anon.get(`/posts/${top}/thread?before=${a}`)
    assert.deepEqual(idsOf(dataOf(next).replies), [b])
    for (const cursor of [top, below, MISSING, 'zzz']) {
      assertInvalid(await app.anon.get(`/posts/${top}/thread?before=${cursor}`), 'before')
    }
  })
})

describe("a user's posts", () => {
  test("contain only the user's posts and replies, newest first", async () => {
    const me = await app.user()
    const theirs = await post(ana)
    const first = await post(me)
    const answer = await reply(me, theirs)
    const { posts, next_cursor } = dataOf(await me.get('/users/me/posts'))
    assert.deepEqual([idsOf(posts), next_cursor], [[answer, first], null])
    assert.equal((await app.anon.get('/users/me/posts')).status, 401)
    const path = `/creators/${me.handle}/posts`
    dataOf(await ana.post(`/posts/${first}/like`))
    for (const viewer of [app.anon, ana, me]) {
      const list = dataOf(await viewer.get(path))
      assert.deepEqual([idsOf(list.posts), list.next_cursor], [[answer, first], null])
      assert.equal(list.posts[1].is_liked, viewer === ana)
    }
    const { posts: older } = dataOf(await ana.get(`${path}?before=${answer}`))
    assert.deepEqual(idsOf(older), [first])
    assertInvalid(await me.get(`${path}?before=${theirs}`), 'before')
  })

  test('are returned once each while the user writes and deletes', async () => {
    const me = await app.user()
    const present = [await post(me)]
    const removed = await post(me)
    while (present.length < 8) present.push(await post(me))
    const seen = await walk(me, '/users/me/posts', 'posts', async () => {
      await post(me)
      await me.delete(`/posts/${removed}`)
    })
    assert.deepEqual(seen, present.toReversed())
  })

  test("accept a deleted own post as a cursor, but not another user's", async () => {
    const me = await app.user()
    const [a, b] = [await post(me), await post(me)]
    await me.delete(`/posts/${b}`)
    assert.deepEqual(idsOf(dataOf(await me.get(`/users/me/posts?before=${b}`)).posts), [a])
    const theirs = await post(ana)
    for (const cursor of [theirs, MISSING, 'zzz']) {
      assertInvalid(await me.get(`/users/me/posts?before=${cursor}`), 'before')
    }
  })
})

test("sorts a post or reply after the last one, even when that one's clock was ahead", async () => {
  const future = 'pst_70000000000000000000000000'
  const farther = 'pst_71000000000000000000000000'
  await app.sql(`update post_timeline set last_post_id = '${future}'`)
  const [first, second] = [await post(ana), await post(ben)]
  assert.ok(first > future && second > first)
  await app.sql(`update posts set last_reply_id = '${farther}' where id = '${first}'`)
  assert.ok((await reply(ben, first)) > farther)
  const below = await reply(ben, second)
  const { ancestors } = dataOf(await app.anon.get(`/posts/${await reply(ana, below)}/thread`))
  assert.deepEqual(idsOf(ancestors), [second, below])
})
