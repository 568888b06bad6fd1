import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, ENGINE, startApp } from '../../test/app.ts'
import { hold, untilWaiting } from '../../test/locks.ts'
import {
  assertError,
  dataOf,
  idsOf,
  makeComment,
  makeContent,
  makeConversation,
  makePost,
  suspend,
  times,
} from '../../test/make.ts'

const app = await startApp()

const block = async (user: Actor, target: Actor) =>
  dataOf(await user.put(`/creators/${target.handle}/block`))
const mute = async (user: Actor, target: Actor) =>
  dataOf(await user.put(`/creators/${target.handle}/mute`))
const profileOf = async (user: typeof app.anon, target: Actor) =>
  dataOf(await user.get(`/creators/${target.handle}`)).creator

async function pair(): Promise<[Actor, Actor]> {
  return [await app.user(), await app.user()]
}

const countRows = (table: string, where: string) => app.count(`${table} where ${where}`)

for (const [kind, flag] of [
  ['block', 'is_blocked'],
  ['mute', 'is_muted'],
] as const) {
  test(`sets and unsets a ${kind} without toggling, and shows only the caller's own`, async () => {
    const [ana, ben] = await pair()
    const path = `/creators/${ben.handle.toUpperCase()}/${kind}`
    assert.deepEqual(dataOf(await ana.delete(path)), { [flag]: false })
    for (let i = 0; i < 2; i++) assert.deepEqual(dataOf(await ana.put(path)), { [flag]: true })
    const flags = async (who: typeof app.anon, whom: Actor) => {
      const { is_blocked, is_muted } = await profileOf(who, whom)
      return { is_blocked, is_muted }
    }
    const none = { is_blocked: false, is_muted: false }
    assert.deepEqual(await flags(ana, ben), { ...none, [flag]: true })
    assert.deepEqual(await flags(ben, ana), none)
    assert.deepEqual(await flags(app.anon, ben), none)
    for (let i = 0; i < 2; i++) assert.deepEqual(dataOf(await ana.delete(path)), { [flag]: false })
    assert.deepEqual(await flags(ana, ben), none)
    assert.equal(await countRows('user_filters', `user_id = '${ana.id}'`), 0)
  })

  test(`rejects a ${kind} of oneself, of unknown and of suspended users`, async () => {
    const [ana, ben] = await pair()
    const own = `/creators/${ana.handle}/${kind}`
    assertError(await ana.put(own), 409, 'CANNOT_BLOCK_SELF')
    assertError(await ana.delete(own), 409, 'CANNOT_BLOCK_SELF')
    for (const handle of ['nobody_here', 'x', '%20']) {
      assertError(await ana.put(`/creators/${handle}/${kind}`), 404, 'CREATOR_NOT_FOUND')
      assertError(await ana.delete(`/creators/${handle}/${kind}`), 404, 'CREATOR_NOT_FOUND')
    }
    const path = `/creators/${ben.handle}/${kind}`
    dataOf(await ana.put(path))
    await suspend(app, ben)
    assertError(await ana.put(path), 404, 'CREATOR_NOT_FOUND')
    const list = `/${kind}s`
    assert.deepEqual(idsOf(dataOf(await ana.get(list)).users), [ben.id])
    assert.deepEqual(dataOf(await ana.delete(path)), { [flag]: false })
    assert.deepEqual(dataOf(await ana.get(list)).users, [])
  })

  test(`lists one's own ${kind}s only, the newest first`, async () => {
    const [ana, ben] = await pair()
    const others = [ben, await app.user(), await app.user()]
    for (const target of others) {
      dataOf(await ana.put(`/creators/${target.handle}/${kind}`))
      app.clock.advance(5)
    }
    dataOf(await ana.put(`/creators/${ben.handle}/${kind}`))
    const { users, pagination } = dataOf(await ana.get(`/${kind}s?per_page=2`))
    assert.deepEqual(idsOf(users), idsOf(others.toReversed().slice(0, 2)))
    assert.deepEqual([pagination.total, pagination.has_next], [3, true])
    const keys = ['id', 'handle', 'display_name', 'avatar_url', 'avatar_sizes', 'created_at']
    assert.deepEqual(Object.keys(users[0]), keys)
    const rest = dataOf(await ana.get(`/${kind}s?per_page=2&page=2`))
    assert.deepEqual(idsOf(rest.users), [ben.id])
    assert.deepEqual(dataOf(await ben.get(`/${kind}s`)).users, [])
    const otherList = kind === 'block' ? 'mutes' : 'blocks'
    assert.deepEqual(dataOf(await ana.get(`/${otherList}`)).users, [])
  })

  test(`limits ${kind}s to 10,000`, async () => {
    const [ana, ben] = await pair()
    const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 10000)`
    const prefix = `f${kind}`
    await app.sql(`insert into users (id, handle, email, email_key, password_hash, display_name, role,
        tier, is_suspended, created_at, search_text)
      ${numbers} select '${prefix}' || i, '${prefix}' || i, '${prefix}' || i, '${prefix}' || i, '', 'x',
        'user', 'regular', 0, 1, '' from n`)
    await app.sql(`insert into user_filters (user_id, filtered_id, ${kind === 'block' ? 'blocked_at' : 'muted_at'})
      ${numbers} select '${ana.id}', '${prefix}' || i, 1 from n`)
    const path = `/creators/${ben.handle}/${kind}`
    assertError(await ana.put(path), 409, 'LIMIT_REACHED')
    assert.equal((await profileOf(ana, ben))[flag], false)
    dataOf(await ana.put(`/creators/${ben.handle}/${kind === 'block' ? 'mute' : 'block'}`))
    await app.sql(
      `delete from user_filters where user_id = '${ana.id}' and filtered_id = '${prefix}1'`,
    )
    dataOf(await ana.put(path))
  })
}

test('keeps a block when a mute ends, and the other way round', async () => {
  const [ana, ben] = await pair()
  await block(ana, ben)
  await mute(ana, ben)
  dataOf(await ana.delete(`/creators/${ben.handle}/mute`))
  assert.equal((await profileOf(ana, ben)).is_blocked, true)
  await mute(ana, ben)
  dataOf(await ana.delete(`/creators/${ben.handle}/block`))
  const { is_blocked, is_muted } = await profileOf(ana, ben)
  assert.deepEqual([is_blocked, is_muted], [false, true])
})

test('ends the follows in both directions with their counts, and a mute ends none', async () => {
  const [ana, ben] = await pair()
  const follow = async () => {
    dataOf(await ana.put(`/creators/${ben.handle}/follow`))
    dataOf(await ben.put(`/creators/${ana.handle}/follow`))
  }
  const countsOf = async (user: Actor) => {
    const { follower_count, following_count } = await profileOf(app.anon, user)
    return [follower_count, following_count]
  }
  await follow()
  await mute(ana, ben)
  assert.deepEqual(
    [await countsOf(ana), await countsOf(ben)],
    [
      [1, 1],
      [1, 1],
    ],
  )
  await block(ana, ben)
  assert.deepEqual(
    [await countsOf(ana), await countsOf(ben)],
    [
      [0, 0],
      [0, 0],
    ],
  )
  assert.equal((await profileOf(ana, ben)).is_following, false)
  const about = `'${ana.id}', '${ben.id}'`
  assert.equal(await countRows('follows', `creator_id in (${about})`), 0)
  assert.equal(await countRows('notifications', `user_id in (${about}) and is_read = 0`), 0)
  dataOf(await ana.delete(`/creators/${ben.handle}/block`))
  assert.deepEqual(await countsOf(ana), [0, 0])
  await follow()
  assert.deepEqual(await countsOf(ana), [1, 1])
})

for (const side of ['who blocked', 'who is blocked']) {
  test(`forbids the user ${side} to comment, reply, like, follow and message`, async () => {
    const [ana, ben] = await pair()
    const content = await makeContent(ana)
    const elsewhere = await makeContent(await app.user())
    const comment = await makeComment(ana, elsewhere.id)
    const post = await makePost(ana)
    const conversation = await makeConversation(ben, ana)
    await (side === 'who blocked' ? block(ben, ana) : block(ana, ben))
    const refuse = async (method: string, path: string, body?: object) =>
      assertError(await ben.request(method, path, body), 403, 'NOT_ALLOWED_HERE')
    await refuse('POST', `/contents/${content.id}/comments`, { body: 'hello' })
    await refuse('POST', `/contents/${elsewhere.id}/comments`, {
      body: 'hello',
      parent_id: comment.id,
    })
    await refuse('POST', `/posts/${post.id}/replies`, { body: 'hello' })
    for (const method of ['POST', 'PUT']) {
      await refuse(method, `/contents/${content.id}/like`)
      await refuse(method, `/creators/${ana.handle}/follow`)
    }
    await refuse('POST', `/posts/${post.id}/like`)
    const messages = `/dm/conversations/${conversation.id}/messages`
    assertError(await ben.post(messages, { body: 'hello' }), 409, 'PEER_UNAVAILABLE')
    assertError(await ana.post(messages, { body: 'hello' }), 409, 'PEER_UNAVAILABLE')

    const after = dataOf(await app.anon.get(`/contents/${content.id}`)).content
    assert.deepEqual([after.comment_count, after.like_count], [0, 0])
    const thread = dataOf(await app.anon.get(`/posts/${post.id}/thread`))
    assert.deepEqual([thread.post.reply_count, thread.post.like_count, thread.replies], [0, 0, []])
    const parent = dataOf(await app.anon.get(`/contents/${elsewhere.id}/comments`)).comments[0]
    assert.equal(parent.reply_count, 0)
    assert.deepEqual(
      dataOf(await ben.get(`/dm/conversations/${conversation.id}/messages`)).messages,
      [],
    )

    // A block does not prevent reading, bookmarking, opening a conversation, or commenting on content of other users.
    dataOf(await ben.get(`/contents/${content.id}`))
    dataOf(await ben.put(`/contents/${content.id}/bookmark`))
    await makeComment(ben, elsewhere.id)
    dataOf(await ben.post('/dm/conversations', { handle: ana.handle }), 201)
  })
}

test('lets users undo a like, a comment and a post like across a block', async () => {
  const [ana, ben] = await pair()
  const [first, second] = [await makeContent(ana), await makeContent(ana)]
  const comment = await makeComment(ben, first.id)
  const post = await makePost(ana)
  for (const { id } of [first, second]) dataOf(await ben.put(`/contents/${id}/like`))
  dataOf(await ben.post(`/posts/${post.id}/like`))
  await block(ana, ben)
  const now = dataOf(await app.anon.get(`/contents/${first.id}`)).content
  assert.deepEqual([now.like_count, now.comment_count], [1, 1])
  dataOf(await ben.put(`/contents/${first.id}/like`))
  dataOf(await ben.patch(`/comments/${comment.id}`, { body: 'changed' }))
  assert.deepEqual(dataOf(await ben.post(`/contents/${first.id}/like`)), {
    is_liked: false,
    like_count: 0,
  })
  assertError(await ben.post(`/contents/${first.id}/like`), 403, 'NOT_ALLOWED_HERE')
  dataOf(await ben.delete(`/contents/${second.id}/like`))
  dataOf(await ben.delete(`/posts/${post.id}/like`))
  dataOf(await ben.delete(`/comments/${comment.id}`), 204)
  dataOf(await ben.delete(`/creators/${ana.handle}/follow`))
})

test('allows everything again after the block ends', async () => {
  const [ana, ben] = await pair()
  const content = await makeContent(ana)
  await block(ana, ben)
  await block(ben, ana)
  dataOf(await ana.delete(`/creators/${ben.handle}/block`))
  assertError(await ben.put(`/contents/${content.id}/like`), 403, 'NOT_ALLOWED_HERE')
  dataOf(await ben.delete(`/creators/${ana.handle}/block`))
  dataOf(await ben.put(`/contents/${content.id}/like`))
})

test('reports missing things before a block, and a block before a missing parent', async () => {
  const [ana, ben] = await pair()
  const draft = await makeContent(ana, { publish: false })
  const content = await makeContent(ana)
  await block(ana, ben)
  assertError(await ben.put(`/contents/${draft.id}/like`), 404, 'CONTENT_NOT_FOUND')
  const body = { body: 'x', parent_id: draft.id.replace('cnt', 'cmt') }
  const path = `/contents/${content.id}/comments`
  assertError(await ben.post(path, body), 403, 'NOT_ALLOWED_HERE')
  assertError(await ben.post(path, { body: '' }), 422, 'VALIDATION_ERROR')
})

test('leaves a block without follows when both happen at once', async () => {
  const sibling = await app.sibling()
  for (let round = 0; round < 12; round++) {
    const [ana, ben] = await pair()
    const answers = await times(6, (i) => {
      const url = i % 2 ? app.url : sibling.url
      if (i === 3) return ana.at(url).put(`/creators/${ben.handle}/block`)
      return i < 3
        ? ben.at(url).put(`/creators/${ana.handle}/follow`)
        : ana.at(url).put(`/creators/${ben.handle}/follow`)
    })
    dataOf(answers[3] as never)
    for (const answer of answers) assert.ok([200, 403].includes(answer.status), answer.text)
    for (const user of [ana, ben]) {
      const { follower_count, following_count } = await profileOf(app.anon, user)
      assert.deepEqual([follower_count, following_count], [0, 0])
    }
    assert.equal(await countRows('follows', `creator_id in ('${ana.id}', '${ben.id}')`), 0)
  }
})

test('accepts no message after a block when both happen at once', async () => {
  const sibling = await app.sibling()
  for (let round = 0; round < 10; round++) {
    const [ana, ben] = await pair()
    const { id } = await makeConversation(ben, ana)
    const path = `/dm/conversations/${id}/messages`
    let seen: string[] | undefined
    const sent = await times(8, async (i) => {
      if (i !== 4) return ben.at(i % 2 ? app.url : sibling.url).post(path, { body: `m${i}` })
      const answer = await ana.put(`/creators/${ben.handle}/block`)
      seen = idsOf(dataOf(await ana.get(path)).messages)
      return answer
    })
    const accepted = sent.filter(({ status }) => status === 201)
    for (const answer of sent.filter(({ status }) => status !== 201 && status !== 200))
      assertError(answer, 409, 'PEER_UNAVAILABLE')
    assert.deepEqual(seen?.toSorted(), accepted.map(({ data }) => data.message.id).toSorted())
  }
})

test('makes two rows when both users block each other at once', async () => {
  for (let round = 0; round < 10; round++) {
    const [ana, ben] = await pair()
    await Promise.all([block(ana, ben), block(ben, ana), block(ana, ben), block(ben, ana)])
    assert.equal(await countRows('user_filters', `user_id in ('${ana.id}', '${ben.id}')`), 2)
  }
})

for (const kind of ['block', 'mute'] as const) {
  test(`a notification that waits while its recipient makes a ${kind} is not written`, {
    skip: ENGINE !== 'postgres' && 'the embedded engine has one writer',
  }, async () => {
    const [ana, ben] = await pair()
    const stranger = await app.user()
    const content = await makeContent(ana)
    await makeComment(ben, content.id)
    // The block withdraws the notification in its last step before the commit, after it has locked the list of
    // notifications.
    const release = await hold(app, `select 1 from notifications where user_id = '${ana.id}'`)
    const filtering = ana.put(`/creators/${ben.handle}/${kind}`)
    await untilWaiting(app, 1)
    const liking = ben.put(`/contents/${content.id}/like`)
    await untilWaiting(app, 2)
    await release()
    assert.equal((await filtering).status, 200)
    assert.deepEqual(dataOf(await liking), { is_liked: true, like_count: 1 })
    assert.equal(await countRows('notifications', `user_id = '${ana.id}'`), 0)
    assert.equal(dataOf(await ana.get('/notifications/unread-count')).unread_count, 0)
    dataOf(await stranger.put(`/contents/${content.id}/like`))
    assert.equal(await countRows('notifications', `user_id = '${ana.id}'`), 1)
  })
}
