import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { type Actor, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeContent,
  makePost,
  valuesOf,
} from '../../test/make.ts'
import { makeDecision, decide, makeModerator, undo } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
const moderator = await makeModerator(app, admin)

const appeal = (actor: Actor, { id }: { id: string }, body = 'It was a quote.') =>
  actor.post(`/decisions/${id}/appeal`, { body })
const answer = (actor: Actor, { id }: { id: string }, outcome: string) =>
  actor.post(`/admin/appeals/${id}/answer`, { outcome, answer: 'We looked again.' })
const ofSuspended = ({ handle }: Actor, password = PASSWORD) =>
  app.anon.post('/appeals', { identifier: handle, password, body: 'It was not me.' })
const notesOf = async (actor: Actor) =>
  dataOf(
    await actor.get('/notifications', { headers: { 'accept-language': 'en' } }),
  ).notifications.map(({ message, link }: { message: string; link: string }) => [message, link])

describe('an appeal', () => {
  test('is possible once, and only for the affected user', async () => {
    const [author, stranger] = [await app.user(), await app.user()]
    const decision = await makeDecision(moderator, 'hide', 'post', (await makePost(author)).id)
    assertError(await appeal(stranger, decision), 404, 'DECISION_NOT_FOUND')
    assertInvalid(await appeal(author, decision, ''), 'body')
    const made = dataOf(await appeal(author, decision), 201).appeal
    assert.deepEqual(made, {
      id: made.id,
      decision_id: decision.id,
      body: 'It was a quote.',
      status: 'open',
      answer: null,
      created_at: made.created_at,
      answered_at: null,
    })
    assertError(await appeal(author, decision), 409, 'LIMIT_REACHED')
    const own = dataOf(await author.get(`/decisions/${decision.id}`)).decision
    assert.deepEqual([own.can_appeal, own.appeal], [false, made])
    const { appeals } = dataOf(await moderator.get('/admin/appeals?status=open&per_page=100'))
    const { user, decision: about, ...rest } = appeals.at(-1)
    assert.deepEqual([rest, user.id, about.id], [made, author.id, decision.id])
    assertError(await author.get('/admin/appeals'), 403, 'FORBIDDEN')
  })

  test('that is granted restores the subject at once', async () => {
    const author = await app.user()
    const content = await makeContent(author)
    const decision = await makeDecision(moderator, 'hide', 'content', content.id)
    const made = dataOf(await appeal(author, decision), 201).appeal
    const answered = dataOf(await answer(moderator, made, 'granted')).appeal
    assert.deepEqual([answered.status, answered.answer], ['granted', 'We looked again.'])
    dataOf(await app.anon.get(`/contents/${content.id}`))
    const own = dataOf(await author.get(`/decisions/${decision.id}`)).decision
    assert.deepEqual([own.status, own.appeal], ['undone', answered])
    const link = `/decisions/${decision.id}`
    assert.deepEqual((await notesOf(author)).slice(0, 2), [
      ['Your appeal was answered.', link],
      ['A decision about you was undone.', link],
    ])
    assertError(await answer(moderator, made, 'upheld'), 409, 'APPEAL_ANSWERED')
  })

  test('that is upheld changes nothing else', async () => {
    const author = await app.user()
    const content = await makeContent(author)
    const decision = await makeDecision(moderator, 'hide', 'content', content.id)
    const made = dataOf(await appeal(author, decision), 201).appeal
    assert.equal(dataOf(await answer(moderator, made, 'upheld')).appeal.status, 'upheld')
    assertError(await app.anon.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
    assertError(await appeal(author, decision), 409, 'LIMIT_REACHED')
    assertError(await answer(moderator, { id: 'apl_x' }, 'upheld'), 404, 'APPEAL_NOT_FOUND')
  })

  test('is granted when the decision is undone, and then no longer possible', async () => {
    const author = await app.user()
    const [first, second] = [
      await makeDecision(moderator, 'warn', 'user', author.id),
      await makeDecision(moderator, 'warn', 'user', author.id),
    ]
    dataOf(await appeal(author, first), 201)
    dataOf(await undo(moderator, first))
    dataOf(await undo(moderator, second))
    const own = dataOf(await author.get(`/decisions/${first.id}`)).decision
    assert.deepEqual([own.appeal.status, own.appeal.answer], ['granted', null])
    assertError(await appeal(author, second), 409, 'DECISION_NOT_IN_EFFECT')
  })

  test('is closed when its subject is erased', async () => {
    const author = await app.user()
    const content = await makeContent(author)
    const decision = await makeDecision(moderator, 'hide', 'content', content.id)
    dataOf(await appeal(author, decision), 201)
    dataOf(await author.delete(`/contents/${content.id}`), 204)
    dataOf(await author.post(`/contents/${content.id}/erasure`), 202)
    const own = dataOf(await author.get(`/decisions/${decision.id}`)).decision
    assert.equal(own.appeal.status, 'closed')
    assertError(await moderator.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
  })

  test('ends in one of two simultaneous answers', async () => {
    const author = await app.user()
    const decision = await makeDecision(moderator, 'hide', 'post', (await makePost(author)).id)
    const made = dataOf(await appeal(author, decision), 201).appeal
    const answers = await Promise.all([
      answer(moderator, made, 'granted'),
      answer(admin, made, 'upheld'),
      undo(admin, decision),
    ])
    const good = answers.filter(({ status }) => status === 200)
    const { status, appeal: storedAppeal } = dataOf(
      await author.get(`/decisions/${decision.id}`),
    ).decision
    assert.ok(good.length === 1 || (good.length === 2 && storedAppeal.status === 'upheld'))
    assert.ok(status === 'undone' || storedAppeal.status === 'upheld')
  })
})

describe('a suspension', () => {
  test('by either route is one decision, which lifting marks as undone', async () => {
    const user = await app.user()
    const path = `/admin/users/${user.id}`
    dataOf(await admin.patch(path, { is_suspended: true, reason: 'Spam' }))
    const list = async () =>
      dataOf(await moderator.get(`/admin/decisions?user=${user.id}&action=suspend`)).decisions
    const [made] = await list()
    assert.deepEqual(
      [made.status, made.reason, made.decided_by.id, made.subject],
      ['in_effect', 'Spam', admin.id, { kind: 'user', id: user.id }],
    )
    const again = await decide(admin, 'suspend', 'user', user.id, { reason: 'Spam' })
    assert.equal(dataOf(again).decision.id, made.id)
    assertError(await undo(moderator, made), 403, 'FORBIDDEN')
    dataOf(await admin.patch(path, { is_suspended: false }))
    const [lifted] = await list()
    assert.deepEqual([lifted.status, lifted.undone_by.id], ['undone', admin.id])
    const second = await makeDecision(admin, 'suspend', 'user', user.id)
    assert.equal(dataOf(await admin.get(path)).user.is_suspended, true)
    assert.equal(dataOf(await admin.get(path)).user.suspension_reason, 'Advertising')
    dataOf(await undo(admin, second))
    assert.equal(dataOf(await admin.get(path)).user.is_suspended, false)
    assert.equal((await list()).length, 2)
  })

  test('spares the last admin and oneself', async () => {
    assertError(await decide(admin, 'suspend', 'user', admin.id), 409, 'SELF_ACTION_FORBIDDEN')
    assert.equal(dataOf(await admin.get(`/admin/users/${admin.id}`)).user.is_suspended, false)
  })

  test('can be appealed with the password, and only while it lasts', async () => {
    const user = await app.user()
    assertError(await ofSuspended(user), 409, 'DECISION_NOT_IN_EFFECT')
    const decision = await makeDecision(admin, 'suspend', 'user', user.id)
    assertError(await ofSuspended(user, 'another password'), 401, 'INVALID_CREDENTIALS')
    const made = dataOf(await ofSuspended(user), 201).appeal
    assert.deepEqual([made.decision_id, made.status], [decision.id, 'open'])
    assert.deepEqual(dataOf(await ofSuspended(user)).appeal, made)
    assertError(await answer(moderator, made, 'upheld'), 403, 'FORBIDDEN')
    dataOf(await answer(admin, made, 'granted'))
    assert.equal(dataOf(await admin.get(`/admin/users/${user.id}`)).user.is_suspended, false)
    assertError(await ofSuspended(user), 409, 'DECISION_NOT_IN_EFFECT')
  })

  test('keeps its open appeal when an admin changes the reason', async () => {
    const user = await app.user()
    const path = `/admin/users/${user.id}`
    const first = await makeDecision(admin, 'suspend', 'user', user.id)
    const made = dataOf(await ofSuspended(user), 201).appeal
    dataOf(await admin.patch(path, { is_suspended: true, reason: 'Spam in messages' }))
    const { appeals } = dataOf(await admin.get('/admin/appeals?status=open'))
    const open = appeals.find(({ id }: { id: string }) => id === made.id)
    assert.equal(open.decision.reason, 'Spam in messages')
    assert.notEqual(open.decision_id, first.id)
    assert.deepEqual(dataOf(await ofSuspended(user)).appeal, {
      ...made,
      decision_id: open.decision_id,
    })
    const earlier = dataOf(await admin.get(`/admin/decisions/${first.id}`)).decision
    assert.equal(earlier.status, 'undone')
    dataOf(await answer(admin, made, 'granted'))
    assert.equal(dataOf(await admin.get(path)).user.is_suspended, false)
    const later = dataOf(await admin.get(`/admin/decisions/${open.decision_id}`)).decision
    assert.equal(later.status, 'undone')
  })

  test('returns the answer of an upheld appeal', async () => {
    const user = await app.user()
    await makeDecision(admin, 'suspend', 'user', user.id)
    const made = dataOf(await ofSuspended(user), 201).appeal
    dataOf(await answer(admin, made, 'upheld'))
    const again = dataOf(await ofSuspended(user)).appeal
    assert.deepEqual(
      [again.id, again.status, again.answer],
      [made.id, 'upheld', 'We looked again.'],
    )
  })
})

describe('a rating', () => {
  test('is set and locked, replaced by another one, and taken back to the own choice', async () => {
    const author = await app.user()
    const content = await makeContent(author)
    const read = async () => {
      const { content: found } = dataOf(await app.anon.get(`/contents/${content.id}`))
      return [found.rating, found.rating_locked]
    }
    assert.deepEqual(await read(), ['everyone', false])
    const teen = await makeDecision(moderator, 'rate', 'content', content.id, { rating: 'teen' })
    assert.deepEqual([teen.rating, await read()], ['teen', ['teen', true]])
    const adult = await makeDecision(moderator, 'rate', 'content', content.id, { rating: 'adult' })
    assert.deepEqual(await read(), ['adult', true])
    const { decisions } = dataOf(await moderator.get(`/admin/decisions?user=${author.id}`))
    assert.deepEqual(idsOf(decisions), [adult.id, teen.id])
    assert.deepEqual(valuesOf(decisions, 'status'), ['in_effect', 'undone'])
    assertError(await undo(moderator, teen), 409, 'DECISION_NOT_IN_EFFECT')
    dataOf(await undo(moderator, adult))
    assert.deepEqual(await read(), ['everyone', false])
  })
})
