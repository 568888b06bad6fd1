import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  makeComment,
  makeContent,
  makeConversation,
  makePost,
  sendMessage,
  times,
} from '../../test/make.ts'
import { until } from '../../test/receiver.ts'
import { decide, makeModerator, undo } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
const moderator = await makeModerator(app, admin)

const isoNow = () => new Date(app.clock.now()).toISOString()

async function reach(id: string, status: string) {
  const read = async () => dataOf(await admin.get(`/admin/decisions/${id}`)).decision
  await until(async () => (await read()).status === status, status)
  return read()
}

test('hides everything that a user created since a time, and shows it again', async () => {
  const [spammer, ana] = [await app.user(), await app.user()]
  const before = await makePost(spammer, 'An earlier post')
  app.clock.advance(60_000)
  const since = isoNow()
  const mine = await makeContent(ana)
  const content = await makeContent(spammer)
  const draft = await makeContent(spammer, { publish: false })
  const comment = await makeComment(spammer, mine.id)
  const reply = await makeComment(ana, mine.id, { parent_id: comment.id })
  const posts = await times(60, () => makePost(spammer))
  const hidden = posts[0]
  const conversation = await makeConversation(spammer, ana)
  const message = await sendMessage(spammer, conversation.id)
  const answer = await sendMessage(ana, conversation.id)
  dataOf(await decide(moderator, 'hide', 'post', hidden.id), 201)
  const subject = { kind: 'comment', id: comment.id }
  dataOf(await ana.post('/reports', { subject, reason: 'spam' }), 201)
  app.clock.advance(1000)

  assertError(await decide(moderator, 'sweep', 'user', spammer.id, { since }), 403, 'FORBIDDEN')
  assertInvalid(await decide(admin, 'sweep', 'user', spammer.id), 'since')
  const later = new Date(app.clock.now() + 60_000).toISOString()
  assertInvalid(await decide(admin, 'sweep', 'user', spammer.id, { since: later }), 'since')
  const { decision } = dataOf(await decide(admin, 'sweep', 'user', spammer.id, { since }), 201)
  assert.equal(decision.status, 'applying')
  const swept = await reach(decision.id, 'in_effect')
  assert.deepEqual([swept.affected_count, swept.since], [2 + 1 + 59 + 1, since])

  dataOf(await app.anon.get(`/posts/${before.id}`))
  for (const { id } of posts) assertError(await app.anon.get(`/posts/${id}`), 404, 'POST_NOT_FOUND')
  assertError(await app.anon.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
  dataOf(await spammer.patch(`/contents/${draft.id}`, { status: 'published' }))
  assertError(await app.anon.get(`/contents/${draft.id}`), 404, 'CONTENT_NOT_FOUND')
  const { comments } = dataOf(await app.anon.get(`/contents/${mine.id}/comments`))
  assert.deepEqual([comments[0].hidden_by, comments[1].id], ['moderator', reply.id])
  const path = `/dm/conversations/${conversation.id}/messages`
  const { messages } = dataOf(await ana.get(path))
  assert.deepEqual([messages[0].hidden_by, messages[1].body], ['moderator', answer.body])
  assert.equal(dataOf(await ana.get('/reports')).reports[0].status, 'actioned')
  const { cases } = dataOf(await admin.get('/admin/cases?status=decided'))
  assert.equal(cases[0].decision.id, decision.id)
  dataOf(await spammer.get(`/decisions/${decision.id}`))
  assert.deepEqual(await app.drifted(), [])

  assertError(await undo(moderator, decision), 403, 'FORBIDDEN')
  const undone = dataOf(await undo(admin, decision)).decision
  assert.equal(undone.status, 'undoing')
  await reach(decision.id, 'undone')
  dataOf(await app.anon.get(`/contents/${content.id}`))
  dataOf(await app.anon.get(`/contents/${draft.id}`))
  assertError(await app.anon.get(`/posts/${hidden.id}`), 404, 'POST_NOT_FOUND')
  for (const { id } of posts.slice(1)) dataOf(await app.anon.get(`/posts/${id}`))
  assert.equal(dataOf(await ana.get(path)).messages[0].body, message.body)
  assert.deepEqual(await app.drifted(), [])
  assertError(await undo(admin, decision), 409, 'DECISION_NOT_IN_EFFECT')
})

test('shows everything again when it is undone while it applies', async () => {
  const spammer = await app.user()
  const since = isoNow()
  const posts = await times(120, () => makePost(spammer))
  const { decision } = dataOf(await decide(admin, 'sweep', 'user', spammer.id, { since }), 201)
  dataOf(await undo(admin, decision))
  await reach(decision.id, 'undone')
  for (const { id } of posts) dataOf(await app.anon.get(`/posts/${id}`))
  assert.deepEqual(await app.drifted(), [])
  assert.equal(await app.count('hidden_subjects'), 1, 'only the post of the other test')
})
