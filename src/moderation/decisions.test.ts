import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
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
  times,
} from '../../test/make.ts'
import { receive } from '../../test/receiver.ts'

const app = await startApp()
const admin = await app.admin()
const moderator = await app.user()
dataOf(await admin.put(`/admin/users/${moderator.id}/permissions`, { permissions: ['moderate'] }))
const [ana, ben] = [await app.user(), await app.user()]

const decide = (actor: Actor, action: string, kind: string, id: string, over: object = {}) =>
  actor.post('/admin/decisions', { subject: { kind, id }, action, reason: 'Advertising', ...over })
const hide = async (kind: string, { id }: { id: string }, over: object = {}) =>
  dataOf(await decide(moderator, 'hide', kind, id, over), 201).decision
const undo = (actor: Actor, { id }: { id: string }, body: object | undefined = {}) =>
  actor.post(`/admin/decisions/${id}/undo`, body)
const notesOf = async (actor: Actor) =>
  dataOf(await actor.get('/notifications', { headers: { 'accept-language': 'en' } })).notifications

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
    const [hidden, other] = [await makeContent(author), await makeContent(author)]
    const decision = await hide('content', hidden)
    const path = `/admin/users/${author.id}`
    dataOf(await admin.patch(path, { is_suspended: true }))
    dataOf(await admin.patch(path, { is_suspended: false }))
    assertError(await app.anon.get(`/contents/${hidden.id}`), 404, 'CONTENT_NOT_FOUND')
    dataOf(await app.anon.get(`/contents/${other.id}`))
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
    const told = rows.map(({ kind, payload }) => [kind, JSON.parse(String(payload)).data])
    assert.deepEqual(
      told.map(([kind, data]) => [kind, data.content.id, data.decision]),
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

describe('deciding', () => {
  test('again with the same fields returns the decision in effect', async () => {
    const content = await makeContent(ana)
    const decision = await hide('content', content)
    assert.deepEqual(
      dataOf(await decide(moderator, 'hide', 'content', content.id)).decision,
      decision,
    )
    const other = await hide('content', content, { reason: 'Hate' })
    assert.notEqual(other.id, decision.id)
    dataOf(await undo(moderator, other))
    const { moderation } = dataOf(await ana.get(`/contents/${content.id}`)).content
    assert.equal(moderation.decision_id, decision.id)
    dataOf(await undo(moderator, decision))
    dataOf(await app.anon.get(`/contents/${content.id}`))
    assert.notEqual((await hide('content', content)).id, decision.id)
  })

  test('makes a new warning each time', async () => {
    const [first, second] = await times(2, () => decide(moderator, 'warn', 'user', ana.id))
    assert.ok(first && second)
    assert.notEqual(dataOf(first, 201).decision.id, dataOf(second, 201).decision.id)
  })

  test('checks the action, the subject and the fields, and stores nothing', async () => {
    const post = await makePost(ana)
    const total = async () => dataOf(await admin.get('/admin/decisions')).pagination.total
    const before = await total()
    assertInvalid(await decide(moderator, 'hide', 'user', ana.id), 'action')
    assertInvalid(await decide(moderator, 'rate', 'post', post.id, { rating: 'teen' }), 'action')
    assertInvalid(await decide(moderator, 'rate', 'content', 'cnt_x'), 'rating')
    assertInvalid(await decide(moderator, 'rate', 'content', 'x', { rating: 'everyone' }), 'rating')
    assertInvalid(await decide(moderator, 'hide', 'post', post.id, { reason: ' ' }), 'reason')
    assertInvalid(await decide(moderator, 'hide', 'post', post.id, { rule_id: 'x' }), 'rule_id')
    assertInvalid(await decide(moderator, 'none', 'post', post.id), 'case_id')
    assertError(await decide(moderator, 'hide', 'post', 'pst_x'), 404, 'POST_NOT_FOUND')
    assertError(
      await decide(moderator, 'hide', 'post', post.id, { case_id: 'cas_x' }),
      404,
      'CASE_NOT_FOUND',
    )
    assertError(await decide(moderator, 'suspend', 'user', ana.id), 403, 'FORBIDDEN')
    const draft = await makeContent(ana, { publish: false })
    assertError(await decide(moderator, 'hide', 'content', draft.id), 404, 'CONTENT_NOT_FOUND')
    assert.equal(await total(), before)
    assert.equal(dataOf(await ana.get(`/posts/${post.id}`)).post.is_deleted, false)
  })

  test('spares own things, and the things of admins unless an admin decides', async () => {
    const other = await app.admin()
    const [own, theirs] = [await makePost(moderator), await makePost(other)]
    assertError(await decide(moderator, 'hide', 'post', own.id), 409, 'SELF_ACTION_FORBIDDEN')
    assertError(await decide(moderator, 'hide', 'post', theirs.id), 403, 'FORBIDDEN')
    const { decision } = dataOf(await decide(admin, 'hide', 'post', theirs.id), 201)
    assertError(await undo(other, decision), 409, 'SELF_ACTION_FORBIDDEN')
    dataOf(await undo(admin, decision))
    assertError(await undo(admin, decision), 409, 'DECISION_NOT_IN_EFFECT')
    assertError(await undo(admin, { id: 'dec_x' }), 404, 'DECISION_NOT_FOUND')
  })

  test('ends with equal counts in any order of hide, delete, reply, like and undo', async () => {
    const content = await makeContent(ana)
    for (let round = 0; round < 5; round++) {
      const comment = await makeComment(ben, content.id)
      const post = await makePost(ben)
      const decisions = await Promise.all([
        decide(moderator, 'hide', 'comment', comment.id),
        decide(admin, 'hide', 'post', post.id),
        decide(admin, 'hide', 'content', content.id),
        ben.delete(`/comments/${comment.id}`),
        ana.post(`/contents/${content.id}/comments`, { body: 'x', parent_id: comment.id }),
        ana.post(`/posts/${post.id}/replies`, { body: 'x' }),
        ana.post(`/posts/${post.id}/like`),
        ben.put(`/contents/${content.id}/like`),
        ben.delete(`/posts/${post.id}`),
      ])
      const made = decisions.slice(0, 3).filter(({ status }) => status === 201)
      await Promise.all([
        ...made.map(({ data }) => undo(admin, data.decision)),
        ana.post(`/posts/${post.id}/replies`, { body: 'y' }),
      ])
    }
    assert.deepEqual(await app.drifted(), [])
    dataOf(await app.anon.get(`/contents/${content.id}`))
  })
})

describe('the affected user', () => {
  test('is notified of the decision and of its undo, and reads both without names', async () => {
    const author = await app.user()
    const post = await makePost(author, `${'가'.repeat(190)} and more text than fits`)
    const decision = await hide('post', post)
    const [note] = await notesOf(author)
    assert.deepEqual(
      [note.type, note.actor, note.link, note.message],
      ['system', null, `/decisions/${decision.id}`, 'A moderator hid your post.'],
    )
    const read = dataOf(await author.get(`/decisions/${decision.id}`)).decision
    const { decided_by, undone_by, ...common } = decision
    assert.ok(decided_by && undone_by === null)
    assert.deepEqual(read, {
      ...common,
      excerpt: `${'가'.repeat(190)} and more `,
      can_appeal: true,
      appeal: null,
    })
    assert.deepEqual(dataOf(await author.get('/decisions')).decisions, [read])
    assertError(await ana.get(`/decisions/${decision.id}`), 404, 'DECISION_NOT_FOUND')
    dataOf(await undo(moderator, decision, { reason: 'Fine after all' }))
    const [undone] = await notesOf(author)
    assert.deepEqual(
      [undone.link, undone.message],
      [`/decisions/${decision.id}`, 'A decision about you was undone.'],
    )
    const after = dataOf(await author.get(`/decisions/${decision.id}`)).decision
    assert.deepEqual([after.status, after.can_appeal], ['undone', false])
    const { audit } = dataOf(await admin.get(`/admin/audit?target=${post.id}`))
    assert.deepEqual(
      audit.map((row: { action: string; reason: string; actor: { id: string } }) => [
        row.action,
        row.reason,
        row.actor.id,
      ]),
      [
        ['decision_undone', 'Fine after all', moderator.id],
        ['decision_made', 'Advertising', moderator.id],
      ],
    )
  })

  test('is found in the list of decisions by user, action and status', async () => {
    const author = await app.user()
    const first = await hide('post', await makePost(author))
    const second = dataOf(await decide(moderator, 'warn', 'user', author.id), 201).decision
    const list = async (query: string) =>
      idsOf(dataOf(await moderator.get(`/admin/decisions?user=${author.id}${query}`)).decisions)
    assert.deepEqual(await list(''), [second.id, first.id])
    assert.deepEqual(await list('&action=warn'), [second.id])
    dataOf(await undo(moderator, first, undefined))
    assert.deepEqual(await list('&status=undone'), [first.id])
    assert.deepEqual(await list('&status=in_effect&action=hide'), [])
    assert.equal(dataOf(await moderator.get(`/admin/decisions/${first.id}`)).decision.id, first.id)
  })
})
