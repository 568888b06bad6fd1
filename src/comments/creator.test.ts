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
  times,
} from '../../test/make.ts'
import { makeDecision, undo } from '../../test/moderating.ts'

const app = await startApp()
const [ana, ben, cho] = [await app.user(), await app.user(), await app.user()]
const admin = await app.admin()

const listOf = async (contentId: string, user: Pick<Actor, 'get'> = app.anon) =>
  dataOf(await user.get(`/contents/${contentId}/comments?per_page=100`))
const contentOf = async (id: string) => dataOf(await ana.get(`/contents/${id}`)).content
const hide = async (id: string) => dataOf(await ana.put(`/comments/${id}/hidden`)).comment
const comment = (user: Actor, contentId: string, over: Loose = {}) =>
  user.post(`/contents/${contentId}/comments`, { body: 'x', ...over })
const setPolicy = (id: string, comment_policy: string) =>
  ana.patch(`/contents/${id}`, { comment_policy })

describe('the comment policy', () => {
  test('is everyone by default and can be chosen at creation and later', async () => {
    assert.equal((await makeContent(ana)).comment_policy, 'everyone')
    const { id, comment_policy } = await makeContent(ana, { comment_policy: 'closed' })
    assert.equal(comment_policy, 'closed')
    const before = await contentOf(id)
    app.clock.advance(1000)
    assert.deepEqual(dataOf(await setPolicy(id, 'closed')).content, before)
    const changed = dataOf(await setPolicy(id, 'followers')).content
    assert.equal(changed.comment_policy, 'followers')
    assert.ok(changed.updated_at > before.updated_at)
    assertInvalid(await setPolicy(id, 'nobody'), 'comment_policy')
    assertError(
      await ben.patch(`/contents/${id}`, { comment_policy: 'everyone' }),
      403,
      'NOT_CONTENT_AUTHOR',
    )
    assert.equal((await contentOf(id)).comment_policy, 'followers')
  })

  test('closed excludes everyone, also the author, and leaves edits and deletions', async () => {
    const content = await makeContent(ana)
    const [first, second] = [await makeComment(ben, content.id), await makeComment(ben, content.id)]
    dataOf(await setPolicy(content.id, 'closed'))
    for (const user of [ana, ben]) {
      assertError(await comment(user, content.id), 403, 'NOT_ALLOWED_HERE')
      const reply = { parent_id: first.id }
      assertError(await comment(user, content.id, reply), 403, 'NOT_ALLOWED_HERE')
    }
    assert.equal(dataOf(await ben.patch(`/comments/${first.id}`, { body: 'y' })).comment.body, 'y')
    dataOf(await ben.delete(`/comments/${second.id}`), 204)
    assert.deepEqual(idsOf((await listOf(content.id)).comments), [first.id])
    dataOf(await setPolicy(content.id, 'everyone'))
    dataOf(await comment(ben, content.id), 201)
  })

  test('followers admits the author and followers only', async () => {
    const content = await makeContent(ana, { comment_policy: 'followers' })
    dataOf(await ana.put(`/creators/${ben.handle}/follow`))
    assertError(await comment(ben, content.id), 403, 'NOT_ALLOWED_HERE')
    dataOf(await ben.put(`/creators/${ana.handle}/follow`))
    dataOf(await comment(ben, content.id), 201)
    dataOf(await comment(ana, content.id), 201)
    dataOf(await ben.delete(`/creators/${ana.handle}/follow`))
    assertError(await comment(ben, content.id), 403, 'NOT_ALLOWED_HERE')
    assert.equal((await contentOf(content.id)).comment_count, 2)
  })

  test('admits no comment after the response to its closing', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await makeContent(ana)
      const closing = setPolicy(id, 'closed').then(async (answer) => {
        dataOf(answer)
        return idsOf((await listOf(id)).comments)
      })
      const answers = await times(8, (index) => comment(index % 2 ? ben : cho, id))
      const seen = await closing
      for (const answer of answers) {
        if (answer.status !== 201) assertError(answer, 403, 'NOT_ALLOWED_HERE')
      }
      assert.deepEqual(idsOf((await listOf(id)).comments), seen)
    }
  })
})

describe('hiding', () => {
  test('gives a comment the form of a deleted one, without a notification', async () => {
    const content = await makeContent(ana)
    const top = await makeComment(ben, content.id, { body: 'unkind' })
    const reply = await makeComment(cho, content.id, { parent_id: top.id })
    const notes = dataOf(await ben.get('/notifications'))
    const hidden = await hide(top.id)
    const form = { ...top, body: '', author: null, is_deleted: true, hidden_by: 'creator' }
    assert.deepEqual(hidden, { ...form, reply_count: 1 })
    assert.deepEqual(await hide(top.id), hidden)
    assert.deepEqual((await listOf(content.id)).comments, [hidden, reply])
    assert.equal((await contentOf(content.id)).comment_count, 1)
    assertInvalid(await comment(cho, content.id, { parent_id: top.id }), 'parent_id')
    assertError(await ben.patch(`/comments/${top.id}`, { body: 'y' }), 404, 'COMMENT_NOT_FOUND')
    assert.deepEqual(dataOf(await ben.get('/notifications')), notes)
    const alone = await makeComment(ana, content.id)
    await hide(alone.id)
    assert.deepEqual((await listOf(content.id)).comments, [hidden, reply])
    assert.deepEqual(await app.drifted(), [])
  })

  test('ends exactly, and lists the hidden comments with texts to the author', async () => {
    const content = await makeContent(ana)
    const top = await makeComment(ben, content.id)
    await makeComment(cho, content.id, { parent_id: top.id })
    const last = await makeComment(cho, content.id)
    const before = await listOf(content.id)
    for (const { id } of [top, last]) await hide(id)
    const path = `/contents/${content.id}/comments/hidden`
    const { comments, pagination } = dataOf(await ana.get(path))
    assert.deepEqual(comments, [
      { ...last, hidden_by: 'creator' },
      { ...top, reply_count: 1, hidden_by: 'creator' },
    ])
    assert.equal(pagination.total, 2)
    assert.deepEqual(
      idsOf(dataOf(await ana.get(`${path}?per_page=1&page=2`)).comments),
      idsOf([top]),
    )
    assertError(await ben.get(path), 403, 'NOT_CONTENT_AUTHOR')
    for (const { id } of [top, last]) dataOf(await ana.delete(`/comments/${id}/hidden`))
    assert.deepEqual(dataOf(await ana.delete(`/comments/${last.id}/hidden`)).comment, last)
    assert.deepEqual(await listOf(content.id), before)
    assert.equal(dataOf(await ana.get(path)).pagination.total, 0)
  })

  test('is for the author of the content only, and lets the writer delete the comment', async () => {
    const content = await makeContent(ana)
    const { id } = await makeComment(ben, content.id)
    for (const user of [ben, cho, admin]) {
      for (const method of ['put', 'delete'] as const) {
        assertError(await user[method](`/comments/${id}/hidden`), 404, 'COMMENT_NOT_FOUND')
      }
    }
    assert.equal((await listOf(content.id)).pagination.total, 1)
    await hide(id)
    dataOf(await ben.delete(`/comments/${id}`), 204)
    assertError(await ben.delete(`/comments/${id}`), 404, 'COMMENT_NOT_FOUND')
    for (const method of ['put', 'delete'] as const) {
      assertError(await ana[method](`/comments/${id}/hidden`), 404, 'COMMENT_NOT_FOUND')
    }
    const path = `/contents/${content.id}/comments/hidden`
    assert.equal(dataOf(await ana.get(path)).pagination.total, 0)
    assert.deepEqual(await app.drifted(), [])
  })

  test('gives way to a decision, and returns when the decision is undone', async () => {
    const content = await makeContent(ana)
    const { id } = await makeComment(ben, content.id)
    await makeComment(cho, content.id, { parent_id: id })
    const hidden = await hide(id)
    const decision = await makeDecision(admin, 'hide', 'comment', id)
    assert.equal((await listOf(content.id)).comments[0].hidden_by, 'moderator')
    for (const method of ['put', 'delete'] as const) {
      assertError(await ana[method](`/comments/${id}/hidden`), 404, 'COMMENT_NOT_FOUND')
    }
    const path = `/contents/${content.id}/comments/hidden`
    assert.equal(dataOf(await ana.get(path)).pagination.total, 0)
    dataOf(await undo(admin, decision))
    assert.deepEqual((await listOf(content.id)).comments[0], { ...hidden, reply_count: 1 })
    assert.equal(dataOf(await ana.get(path)).pagination.total, 1)
    assert.deepEqual(await app.drifted(), [])
  })

  test('keeps counts equal to rows beside replies, likes and deletions', async () => {
    const content = await makeContent(ana)
    const comments = await times(6, () => makeComment(ben, content.id))
    for (const { id } of comments) await makeComment(cho, content.id, { parent_id: id })
    await Promise.all(
      comments.flatMap(({ id }, index) => [
        ana.put(`/comments/${id}/hidden`),
        comment(cho, content.id, { parent_id: id }),
        cho.put(`/comments/${id}/like`),
        index % 2 ? ben.delete(`/comments/${id}`) : ana.delete(`/comments/${id}/hidden`),
        ana.put(`/contents/${content.id}/pinned-comment`, { comment_id: id }),
      ]),
    )
    assert.deepEqual(await app.drifted(), [])
  })
})

describe('pinning', () => {
  const pin = (id: string, comment_id: string) =>
    ana.put(`/contents/${id}/pinned-comment`, { comment_id })

  test('shows a top-level comment beside the list, where it keeps its place', async () => {
    const content = await makeContent(ana)
    assert.equal((await listOf(content.id)).pinned_comment, null)
    const [first, second] = [await makeComment(ben, content.id), await makeComment(cho, content.id)]
    assert.deepEqual(dataOf(await pin(content.id, second.id)), { pinned_comment_id: second.id })
    const pinned = { ...second, is_pinned: true }
    const { comments, pinned_comment } = await listOf(content.id)
    assert.deepEqual([comments, pinned_comment], [[first, pinned], pinned])
    const page = dataOf(await app.anon.get(`/contents/${content.id}/comments?per_page=1`))
    assert.deepEqual([page.comments, page.pinned_comment], [[first], pinned])
    assert.equal((await contentOf(content.id)).pinned_comment_id, second.id)
    dataOf(await pin(content.id, first.id))
    assert.equal((await listOf(content.id)).pinned_comment.id, first.id)
    for (let i = 0; i < 2; i++) {
      const answer = await ana.delete(`/contents/${content.id}/pinned-comment`)
      assert.deepEqual(dataOf(answer), { pinned_comment_id: null })
    }
    assert.equal((await listOf(content.id)).pinned_comment, null)
  })

  test('rejects replies, deleted and hidden comments and those of other content', async () => {
    const [content, elsewhere] = [await makeContent(ana), await makeContent(ana)]
    const top = await makeComment(ben, content.id)
    const reply = await makeComment(ben, content.id, { parent_id: top.id })
    const [gone, hidden] = [await makeComment(ben, content.id), await makeComment(ben, content.id)]
    dataOf(await ben.delete(`/comments/${gone.id}`), 204)
    await hide(hidden.id)
    const foreign = await makeComment(ben, elsewhere.id)
    for (const id of [reply.id, gone.id, hidden.id, foreign.id, content.id, 'x']) {
      assertInvalid(await pin(content.id, id), 'comment_id')
    }
    const path = `/contents/${content.id}/pinned-comment`
    assertError(await ben.put(path, { comment_id: top.id }), 403, 'NOT_CONTENT_AUTHOR')
    assertError(await ben.delete(path), 403, 'NOT_CONTENT_AUTHOR')
    assert.equal((await contentOf(content.id)).pinned_comment_id, null)
  })

  test('ends when the comment is deleted or hidden, and returns only after a decision', async () => {
    const content = await makeContent(ana)
    const made = await times(3, () => makeComment(ben, content.id))
    const [deleted, hidden, moderated] = idsOf(made) as [string, string, string]
    const pinnedId = async () => (await contentOf(content.id)).pinned_comment_id
    dataOf(await pin(content.id, deleted))
    dataOf(await ben.delete(`/comments/${deleted}`), 204)
    assert.deepEqual([await pinnedId(), (await listOf(content.id)).pinned_comment], [null, null])
    dataOf(await pin(content.id, hidden))
    await hide(hidden)
    dataOf(await ana.delete(`/comments/${hidden}/hidden`))
    assert.equal(await pinnedId(), null)
    dataOf(await pin(content.id, moderated))
    const decision = await makeDecision(admin, 'hide', 'comment', moderated)
    assert.deepEqual([await pinnedId(), (await listOf(content.id)).pinned_comment], [null, null])
    dataOf(await undo(admin, decision))
    assert.equal(await pinnedId(), moderated)
    assert.deepEqual(await app.drifted(), [])
  })

  test('keeps the last of two simultaneous pins', async () => {
    const content = await makeContent(ana)
    const made = await times(2, () => makeComment(ben, content.id))
    await Promise.all(made.map(({ id }) => pin(content.id, id).then(dataOf)))
    const { comments, pinned_comment } = await listOf(content.id)
    const pinned = comments.filter(({ is_pinned }: Loose) => is_pinned)
    assert.deepEqual(pinned, [pinned_comment])
  })

  test('shows the pinned comment of a blocked user without text', async () => {
    const content = await makeContent(ana)
    const writer = await app.user()
    const { id } = await makeComment(writer, content.id)
    await makeComment(cho, content.id)
    dataOf(await pin(content.id, id))
    dataOf(await ben.put(`/creators/${writer.handle}/block`))
    const list = (query: string) => ben.get(`/contents/${content.id}/comments?${query}`)
    const { pinned_comment: filtered } = dataOf(await list('per_page=1&page=2'))
    assert.deepEqual([filtered.body, filtered.author, filtered.is_filtered], ['', null, true])
    const { pinned_comment: full } = dataOf(await list('per_page=1&page=2&filtered=show'))
    assert.equal(full.author.id, writer.id)
  })
})
