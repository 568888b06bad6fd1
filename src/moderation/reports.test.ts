import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeComment,
  makeContent,
  makeConversation,
  makePost,
  sendMessage,
  suspend,
  times,
} from '../../test/make.ts'
import { makeModerator } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
const [ana, ben, cho] = [await app.user(), await app.user(), await app.user()]
const moderator = await makeModerator(app, admin)

const report = (reporter: Actor, kind: string, id: string, over: object = {}) =>
  reporter.post('/reports', { subject: { kind, id }, reason: 'spam', ...over })
const caseOf = async (id: string, status = 'open') => {
  const { cases } = dataOf(await moderator.get(`/admin/cases?status=${status}&per_page=100`))
  return cases.find((row: { subject: { id: string } }) => row.subject.id === id)
}
const decide = (actor: Actor, kind: string, id: string, over: object = {}) =>
  actor.post('/admin/decisions', { subject: { kind, id }, action: 'none', reason: 'Fine', ...over })

describe('reporting', () => {
  test('returns the report, lists it as own, and opens one case with a snapshot', async () => {
    const content = await makeContent(ana, { title: 'Cheap offers' })
    const made = dataOf(await report(ben, 'content', content.id, { note: ' Look ' }), 201).report
    assert.deepEqual(made, {
      id: made.id,
      subject: { kind: 'content', id: content.id },
      reason: 'spam',
      rule_id: null,
      note: 'Look',
      status: 'open',
      created_at: made.created_at,
      decided_at: null,
    })
    dataOf(await report(cho, 'content', content.id, { reason: 'copyright' }), 201)
    assert.deepEqual(dataOf(await ben.get('/reports')).reports[0], made)
    const found = await caseOf(content.id)
    assert.deepEqual(
      [found.report_count, found.reasons, found.status, found.decision, found.assignee],
      [2, { spam: 1, copyright: 1 }, 'open', null, null],
    )
    assert.equal(found.subject_user.id, ana.id)
    assert.equal(found.snapshot.title, 'Cheap offers')
    const detail = dataOf(await moderator.get(`/admin/cases/${found.id}`))
    assert.deepEqual(
      detail.reports.map((row: { reporter: { id: string } }) => row.reporter.id),
      [cho.id, ben.id],
    )
    assert.deepEqual([detail.case, detail.history], [found, []])
  })

  test('returns the earlier open report of the same user, also when both are sent at once', async () => {
    const post = await makePost(ana)
    const answers = await times(6, () => report(ben, 'post', post.id))
    const ids = new Set(answers.map((answer) => dataOf(answer, 201).report.id))
    assert.equal(ids.size, 1)
    assert.equal((await caseOf(post.id)).report_count, 1)
  })

  test('puts simultaneous reports of several users into one case', async () => {
    const post = await makePost(ana)
    const reporters = await times(5, () => app.user())
    await Promise.all(
      reporters.map(async (user) => dataOf(await report(user, 'post', post.id), 201)),
    )
    assert.equal((await caseOf(post.id)).report_count, 5)
  })

  test('rejects own things with 422, and stores nothing', async () => {
    const content = await makeContent(ben)
    const comment = await makeComment(ben, (await makeContent(ana)).id)
    const post = await makePost(ben)
    const message = await sendMessage(ben, (await makeConversation(ben, ana)).id)
    for (const [kind, { id }] of Object.entries({ content, comment, post, message, user: ben })) {
      assertInvalid(await report(ben, kind, id), 'subject')
      assert.equal(await caseOf(id), undefined)
    }
  })

  test("returns the kind's own 404 for what the reporter cannot see", async () => {
    const draft = await makeContent(ana, { publish: false })
    const content = await makeContent(ana)
    const comment = await makeComment(ana, content.id)
    dataOf(await ana.delete(`/comments/${comment.id}`), 204)
    const post = await makePost(ana)
    dataOf(await ana.delete(`/posts/${post.id}`), 204)
    const message = await sendMessage(ana, (await makeConversation(ana, cho)).id)
    const suspended = await app.user()
    await suspend(app, suspended)
    for (const [kind, id, code] of [
      ['content', draft.id, 'CONTENT_NOT_FOUND'],
      ['content', comment.id, 'CONTENT_NOT_FOUND'],
      ['comment', comment.id, 'COMMENT_NOT_FOUND'],
      ['post', post.id, 'POST_NOT_FOUND'],
      ['post', 'zzz', 'POST_NOT_FOUND'],
      ['message', message.id, 'MESSAGE_NOT_FOUND'],
      ['user', suspended.id, 'USER_NOT_FOUND'],
    ] as const) {
      assertError(await report(ben, kind, id), 404, code)
      assert.equal(await caseOf(id), undefined)
    }
    dataOf(await report(cho, 'message', message.id), 201)
    const { snapshot } = await caseOf(message.id)
    assert.deepEqual([snapshot.id, snapshot.body], [message.id, message.body])
  })

  test('checks the fields, and knows no rule yet', async () => {
    const { id } = await makePost(ana)
    assertInvalid(await report(ben, 'post', id, { reason: 'boring' }), 'reason')
    assertInvalid(await report(ben, 'post', id, { note: 'x'.repeat(1001) }), 'note')
    assertInvalid(await report(ben, 'file', id), 'subject.kind')
    assertInvalid(
      await report(ben, 'post', id, { rule_id: 'rul_01kazr0p5vfq1s9m7c2xw4hd3t' }),
      'rule_id',
    )
    assert.equal(await caseOf(id), undefined)
  })

  test('rejects the 61st report of a user within an hour', async () => {
    const user = await app.user()
    const { id } = await makePost(ana)
    await times(60, () => report(user, 'post', id))
    const refused = await report(user, 'post', id)
    assertError(refused, 429, 'RATE_LIMITED')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    await app.sql(`update attempts set resets_at = 1 where bucket = 'report:user:${user.id}'`)
    dataOf(await report(user, 'post', id), 201)
  })

  test('counts reports that fail', async () => {
    const user = await app.user()
    const { id } = await makePost(ana)
    const missing = 'pst_01kazr0p5vfq1s9m7c2xw4hd3t'
    const answers = await times(60, () => report(user, 'post', missing))
    for (const failed of answers) assertError(failed, 404, 'POST_NOT_FOUND')
    assertError(await report(user, 'post', id), 429, 'RATE_LIMITED')
    assert.equal(await caseOf(id), undefined)
  })
})

describe('cases', () => {
  test('admit moderators and admins only', async () => {
    const { id } = await makePost(ana)
    dataOf(await report(ben, 'post', id), 201)
    const found = await caseOf(id)
    for (const path of ['/admin/cases', `/admin/cases/${found.id}`, '/admin/decisions']) {
      assertError(await ben.get(path), 403, 'FORBIDDEN')
      assertError(await app.anon.get(path), 401, 'UNAUTHORIZED')
      dataOf(await admin.get(path))
    }
    assertError(await ben.get('/admin/counts'), 403, 'FORBIDDEN')
    assertError(await decide(ben, 'post', id, { case_id: found.id }), 403, 'FORBIDDEN')
    assert.equal((await caseOf(id)).status, 'open')
  })

  test('are listed oldest first, by status, kind, reason and assignee', async () => {
    const [first, second] = [await makePost(ana), await makeContent(ana)]
    dataOf(await report(ben, 'post', first.id, { reason: 'violence' }), 201)
    dataOf(await report(ben, 'content', second.id, { reason: 'violence' }), 201)
    const subjects = async (query: string) =>
      dataOf(await moderator.get(`/admin/cases?per_page=100&${query}`)).cases.map(
        (row: { subject: { id: string } }) => row.subject.id,
      )
    assert.deepEqual(await subjects('reason=violence'), [first.id, second.id])
    assert.deepEqual(await subjects('reason=violence&kind=post'), [first.id])
    assert.deepEqual(await subjects('reason=minors'), [])
    assert.deepEqual(await subjects('assignee=me'), [])
    const { id } = await caseOf(first.id)
    dataOf(await moderator.put(`/admin/cases/${id}/assignee`))
    assert.deepEqual(await subjects('assignee=me'), [first.id])
    assert.deepEqual(await subjects('reason=violence&assignee=none'), [second.id])
    const taken = dataOf(await admin.put(`/admin/cases/${id}/assignee`)).case
    assert.equal(taken.assignee.id, admin.id)
    assert.deepEqual(await subjects('assignee=me'), [])
    assert.equal(dataOf(await moderator.delete(`/admin/cases/${id}/assignee`)).case.assignee, null)
    assertError(await moderator.put(`/admin/cases/${first.id}/assignee`), 404, 'CASE_NOT_FOUND')
  })

  test('are closed by `none`, which dismisses the reports and tells the reporters', async () => {
    const { id } = await makePost(ana)
    const [reporter, gone] = [await app.user(), await app.user()]
    for (const user of [reporter, gone]) dataOf(await report(user, 'post', id), 201)
    await suspend(app, gone)
    const found = await caseOf(id)
    assertInvalid(await decide(moderator, 'post', id), 'case_id')
    const { decision } = dataOf(await decide(moderator, 'post', id, { case_id: found.id }), 201)
    assert.deepEqual(
      [decision.action, decision.status, decision.affected_count, decision.decided_by.id],
      ['none', 'in_effect', 0, moderator.id],
    )
    const closed = await caseOf(id, 'decided')
    assert.deepEqual([closed.decision, closed.report_count], [decision, 2])
    const [own] = dataOf(await reporter.get('/reports')).reports
    assert.equal(own.status, 'dismissed')
    assert.ok(own.decided_at)
    const { notifications } = dataOf(
      await reporter.get('/notifications', { headers: { 'accept-language': 'en' } }),
    )
    assert.deepEqual(
      notifications.map((n: Record<string, unknown>) => [n['type'], n['actor'], n['link']]),
      [['system', null, null]],
    )
    assert.equal(await app.count(`notifications where user_id = '${gone.id}'`), 0)
    assert.equal(dataOf(await ana.get('/decisions')).pagination.total, 0)
    assertError(await decide(moderator, 'post', id, { case_id: found.id }), 409, 'CASE_DECIDED')
    assertError(await moderator.put(`/admin/cases/${found.id}/assignee`), 409, 'CASE_DECIDED')
    const again = dataOf(await report(reporter, 'post', id), 201).report
    assert.notEqual(again.id, own.id)
    assert.notEqual((await caseOf(id)).id, found.id)
  })

  test('give one of two moderators the decision', async () => {
    const { id } = await makePost(ana)
    dataOf(await report(ben, 'post', id), 201)
    const { id: case_id } = await caseOf(id)
    const answers = await Promise.all([
      decide(moderator, 'post', id, { case_id }),
      decide(admin, 'post', id, { case_id, action: 'hide' }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
    assertError(answers.find(({ status }) => status === 409) as never, 409, 'CASE_DECIDED')
    const { pagination } = dataOf(await moderator.get(`/admin/decisions?user=${ana.id}`))
    assert.ok(pagination.total >= 1)
  })

  test('about something deleted keep their snapshot and can be closed', async () => {
    const content = await makeContent(ana)
    const comment = await makeComment(ana, content.id, { body: 'Buy followers' })
    dataOf(await report(ben, 'comment', comment.id), 201)
    dataOf(await ana.delete(`/comments/${comment.id}`), 204)
    const found = await caseOf(comment.id)
    assert.equal(found.snapshot.body, 'Buy followers')
    const asked = { case_id: found.id, action: 'hide' }
    assertError(await decide(moderator, 'comment', comment.id, asked), 404, 'COMMENT_NOT_FOUND')
    assert.equal((await caseOf(comment.id)).status, 'open')
    dataOf(await decide(moderator, 'comment', comment.id, { case_id: found.id }), 201)
    assert.equal(await caseOf(comment.id), undefined)
  })

  test('can be closed by a decision about another subject', async () => {
    const { id } = await makePost(cho)
    dataOf(await report(ben, 'post', id), 201)
    const { id: case_id } = await caseOf(id)
    const { decision } = dataOf(
      await decide(moderator, 'user', cho.id, { action: 'warn', case_id }),
      201,
    )
    const closed = await caseOf(id, 'decided')
    assert.deepEqual([closed.id, closed.decision.id], [case_id, decision.id])
  })

  test('about the viewer or an admin cannot be closed by a decision about another subject', async () => {
    const otherAdmin = await app.admin()
    const elsewhere = await makePost(ana)
    for (const [owner, status, code] of [
      [moderator, 409, 'SELF_ACTION_FORBIDDEN'],
      [otherAdmin, 403, 'FORBIDDEN'],
    ] as const) {
      const { id } = await makePost(owner)
      dataOf(await report(ben, 'post', id), 201)
      const { id: case_id } = await caseOf(id)
      for (const [kind, subject, action] of [
        ['post', elsewhere.id, 'none'],
        ['post', elsewhere.id, 'hide'],
        ['user', ana.id, 'warn'],
        ['file', 'a'.repeat(64), 'none'],
      ] as const) {
        assertError(await decide(moderator, kind, subject, { case_id, action }), status, code)
      }
      assert.equal((await caseOf(id)).status, 'open')
      dataOf(await decide(admin, 'post', elsewhere.id, { case_id }), 201)
      assert.equal((await caseOf(id, 'decided')).id, case_id)
    }
    assert.equal(dataOf(await ana.get(`/posts/${elsewhere.id}`)).post.hidden_by, null)
  })

  test('about the viewer hide who reported, and cannot be assigned to the viewer', async () => {
    const { id } = await makePost(moderator)
    dataOf(await report(ben, 'post', id, { note: 'My neighbour' }), 201)
    const path = `/admin/cases/${(await caseOf(id)).id}`
    const reportersOf = async (actor: Actor) =>
      dataOf(await actor.get(path)).reports.map(
        ({ reporter }: { reporter: { id: string } | null }) => reporter && reporter.id,
      )
    assert.deepEqual(await reportersOf(moderator), [null])
    assert.deepEqual(await reportersOf(admin), [ben.id])
    assert.equal(dataOf(await moderator.get(path)).reports[0].note, null)
    assert.equal(dataOf(await admin.get(path)).reports[0].note, 'My neighbour')
    assertError(await moderator.put(`${path}/assignee`), 409, 'SELF_ACTION_FORBIDDEN')
    assert.equal((await caseOf(id)).assignee, null)
    assert.equal(dataOf(await admin.put(`${path}/assignee`)).case.assignee.id, admin.id)
  })

  test('are counted while they are open', async () => {
    const before = dataOf(await moderator.get('/admin/counts'))
    const { id } = await makePost(ana)
    dataOf(await report(ben, 'post', id), 201)
    const during = dataOf(await moderator.get('/admin/counts'))
    assert.deepEqual(during, { ...before, open_cases: before.open_cases + 1 })
    const { id: case_id } = await caseOf(id)
    dataOf(await decide(moderator, 'post', id, { case_id }), 201)
    assert.deepEqual(dataOf(await moderator.get('/admin/counts')), before)
  })

  test('lose their snapshot 180 days after the decision', async () => {
    const { deleteOldSnapshots } = await import('./report-queries.ts')
    const { id } = await makePost(ana)
    dataOf(await report(ben, 'post', id), 201)
    const { id: case_id } = await caseOf(id)
    dataOf(await decide(moderator, 'post', id, { case_id }), 201)
    const days = (n: number) => app.clock.now() + n * 86_400_000
    await deleteOldSnapshots(app.db, days(179))
    assert.ok(dataOf(await moderator.get(`/admin/cases/${case_id}`)).case.snapshot)
    await deleteOldSnapshots(app.db, days(181))
    const closed = dataOf(await moderator.get(`/admin/cases/${case_id}`)).case
    assert.deepEqual([closed.snapshot, closed.report_count], [null, 1])
    assert.ok(idsOf(dataOf(await ben.get('/reports?per_page=100')).reports).length > 0)
  })
})
