import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Anyone, startApp } from '../../test/app.ts'
import { assertInvalid, dataOf, makePost, times } from '../../test/make.ts'

const app = await startApp()
const [ana, ben] = [await app.user(), await app.user()]

const reply = async (author: Actor, id: string): Promise<string> =>
  dataOf(await author.post(`/posts/${id}/replies`, { body: 'A reply' }), 201).post.id
const idsOf = (posts: { id: string }[]) => posts.map(({ id }) => id)
const MISSING = 'pst_01kazr4jd6f2gt8y3hnq5vx0ce'

/** Posts, oldest first. */
async function makePosts(author: Actor, n: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < n) ids.push((await makePost(author)).id)
  return ids
}

/** All ids along `next_cursor`; `each` runs after every page. */
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
  throw new Error('the walk does not end')
}

describe('the timeline', () => {
  const at = async (query: string) => {
    const { posts, next_cursor, prev_cursor } = dataOf(await app.anon.get(`/feed?${query}`))
    return [idsOf(posts), next_cursor, prev_cursor]
  }

  test('holds top-level posts, newest first, with no session needed', async () => {
    const [one, two] = await makePosts(ana, 2)
    await reply(ben, two as string)
    assert.deepEqual(
      await at('limit=2'),
      [[two, one], one, two].map((x) => x ?? null),
    )
  })

  test('before gives older posts, after the newer ones next to it, both the ones between', async () => {
    const [a, b, c, d, e] = (await makePosts(ana, 5)) as [string, string, string, string, string]
    assert.deepEqual(await at(`before=${d}&limit=2`), [[c, b], b, c])
    assert.deepEqual(await at(`after=${a}&limit=2`), [[c, b], b, c])
    assert.deepEqual(await at(`after=${c}`), [[e, d], d, e])
    assert.deepEqual(await at(`after=${e}`), [[], null, null])
    assert.deepEqual(await at(`after=${a}&before=${e}&limit=2`), [[d, c], c, d])
    assert.deepEqual(await at(`after=${a}&before=${c}`), [[b], null, b])
  })

  test('next_cursor is null exactly where nothing older is left', async () => {
    const own = await startApp()
    const author = await own.user()
    const [a, b, c] = await makePosts(author, 3)
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

  test('a deleted post still serves as a cursor', async () => {
    const [a, b, c, d] = await makePosts(ana, 4)
    await ana.delete(`/posts/${c}`)
    assert.deepEqual(await at(`before=${c}&limit=2`).then(([ids]) => ids), [b, a])
    assert.deepEqual(await at(`after=${c}`).then(([ids]) => ids), [d])
  })

  test('what was never a top-level post is no cursor', async () => {
    const answer = await reply(ben, (await makePost(ana)).id)
    for (const cursor of ['zzz', MISSING, ana.id, answer]) {
      assertInvalid(await app.anon.get(`/feed?before=${cursor}`), 'before')
      assertInvalid(await app.anon.get(`/feed?after=${cursor}`), 'after')
    }
  })

  test('a walk meets every post once while others write', async () => {
    const present = await makePosts(ana, 10)
    const seen = await walk(app.anon, '/feed', 'posts', () => times(2, () => makePost(ben)))
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      seen.filter((id) => present.includes(id)),
      present.toReversed(),
    )
  })

  test('who asks for newer posts misses none, however many write at once', async () => {
    const second = await app.sibling()
    let last = (await makePost(ana)).id
    const seen: string[] = []
    const poll = async () => {
      const { posts, prev_cursor } = dataOf(await app.anon.get(`/feed?after=${last}&limit=100`))
      seen.push(...idsOf(posts).toReversed())
      last = prev_cursor ?? last
    }
    let writing = true
    const polling = (async () => {
      while (writing) await poll()
    })()
    const written = await times(40, async (i) => {
      const writer = i % 2 ? ana : ben.at(second.url)
      return dataOf(await writer.post('/posts', { body: `n ${i}` }), 201).post.id
    })
    writing = false
    await polling
    await poll()
    assert.deepEqual(seen, written.toSorted())
    await second.close()
  })

  test('a post stands above the last one, whatever clock made that one', async () => {
    const future = 'pst_70000000000000000000000000'
    await app.sql(`update post_timeline set last_post_id = '${future}'`)
    const post = await makePost(ana)
    assert.ok(post.id > future)
    await app.sql(`update posts set last_reply_id = 'pst_7zz' where id = '${post.id}'`)
    assert.ok((await reply(ben, post.id)) > 'pst_7zz')
  })
})

describe('a thread', () => {
  test('shows what is above, the first post first, and direct replies, oldest first', async () => {
    const { id: top } = await makePost(ana)
    const middle = await reply(ben, top)
    const other = await reply(ana, top)
    const below = await reply(ana, middle)
    const shape = async (id: string) => {
      const { ancestors, post, replies, next_cursor } = dataOf(
        await app.anon.get(`/posts/${id}/thread`),
      )
      return [idsOf(ancestors), post.id, idsOf(replies), next_cursor]
    }
    assert.deepEqual(await shape(top), [[], top, [middle, other], null])
    assert.deepEqual(await shape(middle), [[top], middle, [below], null])
    assert.deepEqual(await shape(below), [[top, middle], below, [], null])
  })

  test('a walk meets every reply in order, also those written on the way', async () => {
    const { id: top } = await makePost(ana)
    for (let i = 0; i < 10; i++) await reply(i % 2 ? ana : ben, top)
    let more = 3
    const seen = await walk(app.anon, `/posts/${top}/thread`, 'replies', async () => {
      if (more-- > 0) await times(2, () => reply(ben, top))
    })
    const { replies } = dataOf(await app.anon.get(`/posts/${top}/thread?limit=100`))
    assert.equal(replies.length, 16)
    assert.deepEqual(seen, idsOf(replies))
  })

  test('a deleted reply still serves as a cursor; another post does not', async () => {
    const { id: top } = await makePost(ana)
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

describe("one's own posts", () => {
  test('are one’s posts and replies, newest first, and nobody else’s', async () => {
    const me = await app.user()
    const { id: theirs } = await makePost(ana)
    const [one] = await makePosts(me, 1)
    const answer = await reply(me, theirs)
    const { posts, next_cursor } = dataOf(await me.get('/users/me/posts'))
    assert.deepEqual([idsOf(posts), next_cursor], [[answer, one], null])
    assert.equal((await app.anon.get('/users/me/posts')).status, 401)
  })

  test('a walk meets each once while one writes and deletes', async () => {
    const me = await app.user()
    const present = await makePosts(me, 8)
    const removed = present[2] as string
    const seen = await walk(me, '/users/me/posts', 'posts', async () => {
      await makePost(me)
      await me.delete(`/posts/${removed}`)
    })
    const left = present.filter((id) => id !== removed)
    assert.deepEqual(seen, left.toReversed())
  })

  test('a deleted own post still serves as a cursor; another person’s post does not', async () => {
    const me = await app.user()
    const [a, b] = (await makePosts(me, 2)) as [string, string]
    await me.delete(`/posts/${b}`)
    assert.deepEqual(idsOf(dataOf(await me.get(`/users/me/posts?before=${b}`)).posts), [a])
    const { id: theirs } = await makePost(ana)
    for (const cursor of [theirs, MISSING, 'zzz']) {
      assertInvalid(await me.get(`/users/me/posts?before=${cursor}`), 'before')
    }
  })
})
