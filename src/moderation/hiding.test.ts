import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeApp,
  makeComment,
  makeContent,
  makeConversation,
  makePost,
  sendMessage,
} from '../../test/make.ts'
import { receive } from '../../test/receiver.ts'
import { makeDecision, decide, makeModerator, undo } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
const moderator = await makeModerator(app, admin)
const [ana, ben] = [await app.user(), await app.user()]

const hide = (kind: string, { id }: { id: string }, over: object = {}) =>
  makeDecision(moderator, 'hide', kind, id, over)

describe('hidden content', () => {
  test('leaves every public list, is 404 for others, and says why to its author', async () => {
    const author = await app.user()
    const content = await makeContent(author, { tags: ['hidden_tag'] })
    dataOf(await ben.put(`/contents/${content.id}/like`))
    const decision = await hide('content', content)
    assert.deepEqual(
      [decision.status, decision.affected_count, decision.subject_user.id, decision.rule],
      ['in_effect', 1, author.id, null],
    )
    for (const actor of [app.anon, ben]) {
      assertError(await actor.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
      assertError(await actor.get(`/contents/${content.id}/comments`), 404, 'CONTENT_NOT_FOUND')
    }
    assertError(
      await ben.post(`/contents/${content.id}/comments`, { body: 'x' }),
      404,
      'CONTENT_NOT_FOUND',
    )
    assertError(
      await ben.patch(`/contents/${content.id}`, { title: 'x' }),
      404,
      'CONTENT_NOT_FOUND',
    )
    assert.deepEqual(dataOf(await app.anon.get('/feeds/hype?tag=hidden_tag')).feeds, [])
    assert.deepEqual(dataOf(await app.anon.get(`/creators/${author.handle}/contents`)).feeds, [])
    const { creator } = dataOf(await app.anon.get(`/creators/${author.handle}`))
    assert.equal(creator.content_count, 0)
    const own = dataOf(await author.get(`/contents/${content.id}`)).content
    assert.deepEqual(
      [own.status, own.moderation],
      [
        'published',
        { state: 'hidden', decision_id: decision.id, reason: 'Advertising', rule: null },
      ],
    )
    assert.deepEqual(
      dataOf(await author.get('/users/me/contents')).feeds[0].moderation,
      own.moderation,
    )
    const read = dataOf(await moderator.get(`/contents/${content.id}`)).content
    assert.deepEqual([read.id, read.moderation], [content.id, null])
    assertError(
      await moderator.patch(`/contents/${content.id}`, { title: 'x' }),
      403,
      'NOT_CONTENT_AUTHOR',
    )
    assert.deepEqual(dataOf(await ben.get('/users/me/likes')).feeds, [])
    dataOf(await undo(moderator, decision))
    const back = dataOf(await ben.get(`/contents/${content.id}`)).content
    assert.deepEqual([back.like_count, back.is_liked, back.moderation], [1, true, null])
    assert.deepEqual(idsOf(dataOf(await app.anon.get('/feeds/hype?tag=hidden_tag')).feeds), [
      content.id,
    ])
  })

  test('stays hidden while its author edits and archives it', async () => {
    const content = await makeContent(ana, { tags: ['before'] })
    const decision = await hide('content', content)
    dataOf(await ana.patch(`/contents/${content.id}`, { title: 'Better', tags: ['after'] }))
    assertError(await app.anon.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
    dataOf(await undo(moderator, decision))
    assert.deepEqual(dataOf(await app.anon.get(`/contents/${content.id}`)).content.tags, ['after'])
    const second = await hide('content', content)
    dataOf(await ana.delete(`/contents/${content.id}`), 204)
    dataOf(await undo(moderator, second))
    assertError(await app.anon.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
    assert.equal(dataOf(await ana.get(`/contents/${content.id}`)).content.status, 'archived')
  })

  test('stays hidden through a suspension of its author, and through its end', async () => {
    const author = await app.user()
    const [hidden, visible] = [await makeContent(author), await makeContent(author)]
    const decision = await hide('content', hidden)
    const path = `/admin/users/${author.id}`
    dataOf(await admin.patch(path, { is_suspended: true }))
    dataOf(await admin.patch(path, { is_suspended: false }))
    assertError(await app.anon.get(`/contents/${hidden.id}`), 404, 'CONTENT_NOT_FOUND')
    dataOf(await app.anon.get(`/contents/${visible.id}`))
    dataOf(await admin.patch(path, { is_suspended: true }))
    dataOf(await undo(moderator, decision))
    assertError(await app.anon.get(`/contents/${hidden.id}`), 404, 'CONTENT_NOT_FOUND')
    dataOf(await admin.patch(path, { is_suspended: false }))
    dataOf(await app.anon.get(`/contents/${hidden.id}`))
  })

  test('is reported to the webhooks of its owner, when it was public', async () => {
    const receiver = await receive()
    const author = await app.user()
    const { id } = await makeApp(author)
    const events = ['content.hidden', 'content.restored']
    const body = { endpoint_url: receiver.url, events }
    dataOf(await author.post(`/devconsole/apps/${id}/webhooks`, body), 201)
    const content = await makeContent(author)
    const decision = await hide('content', content)
    dataOf(await undo(moderator, decision))
    const archived = await makeContent(author)
    dataOf(await author.delete(`/contents/${archived.id}`), 204)
    await hide('content', archived)
    const rows = await app.sql('select kind, payload from webhook_events order by id')
    const emitted = rows.map(({ kind, payload }) => [kind, JSON.parse(String(payload)).data])
    assert.deepEqual(
      emitted.map(([kind, data]) => [kind, data.content.id, data.decision]),
      [
        ['content.hidden', content.id, { id: decision.id, reason: 'Advertising' }],
        ['content.restored', content.id, undefined],
      ],
    )
  })
})

describe('a hidden comment', () => {
  test('has the form of a deleted one, keeps its place, and comes back as it was', async () => {
    const content = await makeContent(ana)
    const top = await makeComment(ben, content.id, { body: 'Buy followers' })
    const below = await makeComment(ana, content.id, { parent_id: top.id })
    const list = async () => dataOf(await app.anon.get(`/contents/${content.id}/comments`))
    const before = await list()
    const decision = await hide('comment', top)
    const during = await list()
    assert.deepEqual(during.comments, [
      {
        ...before.comments[0],
        author: null,
        body: '',
        is_deleted: true,
        hidden_by: 'moderator',
      },
      below,
    ])
    assert.equal(dataOf(await ana.get(`/contents/${content.id}`)).content.comment_count, 1)
    assertError(await ben.patch(`/comments/${top.id}`, { body: 'x' }), 404, 'COMMENT_NOT_FOUND')
    assertInvalid(
      await ana.post(`/contents/${content.id}/comments`, { body: 'x', parent_id: top.id }),
      'parent_id',
    )
    dataOf(await undo(moderator, decision))
    assert.deepEqual(await list(), before)
  })

  test('without replies leaves the list with its deleted ancestors, and returns with them', async () => {
    const content = await makeContent(ana)
    const top = await makeComment(ben, content.id)
    const below = await makeComment(ana, content.id, { parent_id: top.id })
    dataOf(await ben.delete(`/comments/${top.id}`), 204)
    const list = async () => dataOf(await app.anon.get(`/contents/${content.id}/comments`))
    const before = await list()
    const decision = await hide('comment', below)
    assert.deepEqual((await list()).comments, [])
    dataOf(await undo(moderator, decision))
    assert.deepEqual(await list(), before)
  })

  test('that its author deletes stays deleted', async () => {
    const content = await makeContent(ana)
    const comment = await makeComment(ben, content.id, { body: 'a secret' })
    await makeComment(ana, content.id, { parent_id: comment.id })
    const decision = await hide('comment', comment)
    dataOf(await ben.delete(`/comments/${comment.id}`), 204)
    assertError(await ben.delete(`/comments/${comment.id}`), 404, 'COMMENT_NOT_FOUND')
    dataOf(await undo(moderator, decision))
    const [shown] = dataOf(await app.anon.get(`/contents/${content.id}/comments`)).comments
    assert.deepEqual([shown.is_deleted, shown.body, shown.hidden_by], [true, '', null])
    const [row] = await app.sql(`select body, hidden_body from comments where id = '${comment.id}'`)
    assert.deepEqual(row && [row['body'], row['hidden_body']], ['', null])
    assertError(await decide(moderator, 'hide', 'comment', comment.id), 404, 'COMMENT_NOT_FOUND')
  })
})

test('hides posts and messages for everybody, and shows them again', async () => {
  const post = await makePost(ben, 'Buy followers')
  const reply = dataOf(await ana.post(`/posts/${post.id}/replies`, { body: 'No' }), 201).post
  const ofPost = await hide('post', post)
  const thread = dataOf(await app.anon.get(`/posts/${reply.id}/thread`))
  const [above] = thread.ancestors
  assert.deepEqual(
    [above.id, above.body, above.author, above.is_deleted, above.hidden_by],
    [post.id, '', null, true, 'moderator'],
  )
  assertError(await ana.post(`/posts/${post.id}/like`), 404, 'POST_NOT_FOUND')
  dataOf(await undo(moderator, ofPost))
  const shown = dataOf(await ana.get(`/posts/${post.id}`)).post
  assert.deepEqual([shown.body, shown.reply_count, shown.hidden_by], ['Buy followers', 1, null])

  const conversation = await makeConversation(ben, ana)
  const message = await sendMessage(ben, conversation.id, 'Send money')
  const path = `/dm/conversations/${conversation.id}`
  const ofMessage = await hide('message', message)
  for (const actor of [ana, ben]) {
    const [seen] = dataOf(await actor.get(`${path}/messages`)).messages
    assert.deepEqual(
      [seen.id, seen.body, seen.is_deleted, seen.hidden_by],
      [message.id, '', true, 'moderator'],
    )
    const { conversations } = dataOf(await actor.get('/dm/conversations'))
    assert.equal(conversations[0].last_message.body, '')
  }
  dataOf(await undo(moderator, ofMessage))
  const [seen] = dataOf(await ana.get(`${path}/messages`)).messages
  assert.deepEqual([seen.body, seen.is_deleted, seen.hidden_by], ['Send money', false, null])
})

test('lets moderators read everything but drafts and what is erased', async () => {
  const author = await app.user()
  const [hidden, archived, draft, theirs] = [
    await makeContent(author),
    await makeContent(author),
    await makeContent(author, { publish: false }),
    await makeContent(author),
  ]
  for (const { id } of [hidden, archived, theirs]) await makeComment(ben, id)
  await hide('content', hidden)
  dataOf(await author.delete(`/contents/${archived.id}`), 204)
  const suspended = await app.user()
  const ofSuspended = await makeContent(suspended)
  await makeComment(ben, ofSuspended.id)
  dataOf(await admin.patch(`/admin/users/${suspended.id}`, { is_suspended: true }))
  for (const { id } of [hidden, archived, theirs, ofSuspended]) {
    const path = `/contents/${id}`
    for (const actor of [moderator, admin]) {
      assert.equal(dataOf(await actor.get(path)).content.id, id)
      for (const query of ['', '?parent_id=none', '?sort=oldest&per_page=1']) {
        const { comments, pagination } = dataOf(await actor.get(`${path}/comments${query}`))
        assert.deepEqual([comments.length, pagination.total], [1, 1])
      }
      dataOf(await actor.get(`${path}/conversion`))
      dataOf(await actor.get(`${path}/recommendations`))
    }
    if (id === theirs.id) continue
    for (const actor of [app.anon, ana]) {
      assertError(await actor.get(path), 404, 'CONTENT_NOT_FOUND')
      assertError(await actor.get(`${path}/comments`), 404, 'CONTENT_NOT_FOUND')
    }
    assertError(await moderator.post(`${path}/comments`, { body: 'x' }), 404, 'CONTENT_NOT_FOUND')
    assertError(await moderator.put(`${path}/like`), 404, 'CONTENT_NOT_FOUND')
  }
  dataOf(await author.get(`/contents/${hidden.id}/comments`))
  for (const path of [`/contents/${draft.id}`, `/contents/${draft.id}/comments`]) {
    assertError(await moderator.get(path), 404, 'CONTENT_NOT_FOUND')
  }
  dataOf(await author.post(`/contents/${archived.id}/erasure`, {}), 202)
  assertError(await moderator.get(`/contents/${archived.id}`), 404, 'CONTENT_NOT_FOUND')

  const post = await makePost(author, 'Hidden words')
  const decision = await hide('post', post)
  assert.equal(decision.excerpt, 'Hidden words')
  const read = dataOf(await moderator.get(`/posts/${post.id}`)).post
  assert.deepEqual(
    [read.body, read.author.id, read.hidden_by],
    ['Hidden words', author.id, 'moderator'],
  )
  for (const actor of [app.anon, author, ana]) {
    assertError(await actor.get(`/posts/${post.id}`), 404, 'POST_NOT_FOUND')
  }
  const reply = await makePost(author)
  dataOf(await author.delete(`/posts/${reply.id}`), 204)
  assertError(await moderator.get(`/posts/${reply.id}`), 404, 'POST_NOT_FOUND')
})
