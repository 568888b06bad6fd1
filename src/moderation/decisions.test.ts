import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeComment,
  makeContent,
  makePost,
  times,
} from '../../test/make.ts'
import { makeDecision, decide, makeModerator, undo } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
const moderator = await makeModerator(app, admin)
const [ana, ben] = [await app.user(), await app.user()]

const hide = (kind: string, { id }: { id: string }, over: object = {}) =>
  makeDecision(moderator, 'hide', kind, id, over)
const notesOf = async (actor: Actor) =>
  dataOf(await actor.get('/notifications', { headers: { 'accept-language': 'en' } })).notifications

describe('deciding', () => {
  test('again with the same fields returns the decision in effect', async () => {
    const content = await makeContent(ana)
    const decision = await hide('content', content)
    assert.deepEqual(
      dataOf(await decide(moderator, 'hide', 'content', content.id)).decision,
      decision,
    )
    const laterDecision = await hide('content', content, { reason: 'Hate' })
    assert.notEqual(laterDecision.id, decision.id)
    dataOf(await undo(moderator, laterDecision))
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
    const otherAdmin = await app.admin()
    const [own, theirs] = [await makePost(moderator), await makePost(otherAdmin)]
    assertError(await decide(moderator, 'hide', 'post', own.id), 409, 'SELF_ACTION_FORBIDDEN')
    assertError(await decide(moderator, 'hide', 'post', theirs.id), 403, 'FORBIDDEN')
    const { decision } = dataOf(await decide(admin, 'hide', 'post', theirs.id), 201)
    assertError(await undo(otherAdmin, decision), 409, 'SELF_ACTION_FORBIDDEN')
    assertError(await undo(moderator, decision), 403, 'FORBIDDEN')
    const path = `/decisions/${decision.id}/appeal`
    const { appeal } = dataOf(await otherAdmin.post(path, { body: 'Why?' }), 201)
    const answer = { outcome: 'granted', answer: 'Yes' }
    const answered = await moderator.post(`/admin/appeals/${appeal.id}/answer`, answer)
    assertError(answered, 403, 'FORBIDDEN')
    assertError(await ana.get(`/posts/${theirs.id}`), 404, 'POST_NOT_FOUND')
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

test('shows the rule in the language of the reader everywhere', async () => {
  const { revision } = dataOf(await admin.get('/admin/site'))
  const rules = [{ text: { ko: '광고 금지', en: 'No advertising' } }, { text: { ko: '친절하게' } }]
  const saved = dataOf(await admin.put('/admin/site/rules', { revision, rules })).rules
  const author = await app.user()
  const content = await makeContent(author)
  const report = { subject: { kind: 'content', id: content.id }, reason: 'spam' }
  dataOf(await ben.post('/reports', report), 201)
  const decision = await hide('content', content, { rule_id: saved[0].id })
  dataOf(await author.post(`/decisions/${decision.id}/appeal`, { body: 'Why?' }), 201)
  const { cases } = dataOf(await admin.get('/admin/cases?status=decided&per_page=100'))
  const { id: caseId } = cases.find((row: Loose) => row.subject.id === content.id)
  for (const [language, text] of [
    ['ko', '광고 금지'],
    ['en', 'No advertising'],
  ] as const) {
    const read = async (actor: Actor, path: string) =>
      dataOf(await actor.get(path, { headers: { 'accept-language': language } }))
    const edited = await author.request(
      'PATCH',
      `/contents/${content.id}`,
      {},
      {
        headers: { 'accept-language': language },
      },
    )
    const shown = {
      own: (await read(author, `/decisions/${decision.id}`)).decision,
      ownList: (await read(author, '/decisions')).decisions[0],
      content: (await read(author, `/contents/${content.id}`)).content.moderation,
      contents: (await read(author, '/users/me/contents')).feeds[0].moderation,
      edited: dataOf(edited).content.moderation,
      decision: (await read(moderator, `/admin/decisions/${decision.id}`)).decision,
      decisions: (await read(moderator, `/admin/decisions?user=${author.id}`)).decisions[0],
      case: (await read(moderator, `/admin/cases/${caseId}`)).case.decision,
      history: (await read(moderator, `/admin/cases/${caseId}`)).history[0],
      appeal: (await read(moderator, '/admin/appeals?per_page=100')).appeals.at(-1).decision,
    }
    for (const [name, { rule }] of Object.entries(shown)) {
      assert.deepEqual(rule, { id: saved[0].id, text }, `${name} in ${language}`)
    }
  }
  const untranslated = await hide('post', await makePost(author), { rule_id: saved[1].id })
  const english = await author.get(`/decisions/${untranslated.id}`, {
    headers: { 'accept-language': 'en' },
  })
  assert.equal(dataOf(english).decision.rule.text, '친절하게')
})
