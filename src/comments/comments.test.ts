import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeComment,
  makeContent,
  suspend,
  times,
  valuesOf,
} from '../../test/make.ts'

const app = await startApp()
const [ana, ben, cho] = [await app.user(), await app.user(), await app.user()]

const listOf = async (contentId: string, query = '') =>
  dataOf(await app.anon.get(`/contents/${contentId}/comments?per_page=100${query}`))
const listIds = async (contentId: string, query = '') =>
  idsOf((await listOf(contentId, query)).comments)
const countOf = async (contentId: string): Promise<number> =>
  dataOf(await app.anon.get(`/contents/${contentId}`)).content.comment_count
const MISSING = 'cmt_01kazr0p5vfq1s9m7c2xw4hd3t'

describe('writing', () => {
  test('lists and counts a comment as it was written', async () => {
    const content = await makeContent(ana)
    const comment = await makeComment(ben, content.id, { body: ' <b>첫 댓글</b> ✨\n' })
    assert.deepEqual(comment, {
      id: comment.id,
      content_id: content.id,
      parent_id: null,
      root_id: null,
      author: {
        id: ben.id,
        handle: ben.handle,
        display_name: ben.handle,
        avatar_url: null,
        avatar_sizes: [],
      },
      body: '<b>첫 댓글</b> ✨',
      is_deleted: false,
      hidden_by: null,
      is_filtered: false,
      reply_count: 0,
      like_count: 0,
      is_liked: false,
      is_pinned: false,
      created_at: comment.created_at,
      updated_at: comment.created_at,
    })
    assert.deepEqual((await listOf(content.id)).comments, [comment])
    assert.equal(await countOf(content.id), 1)
  })

  test('keeps the root of a reply to a reply, which only its parent counts', async () => {
    const content = await makeContent(ana)
    const top = await makeComment(ben, content.id)
    const middle = await makeComment(cho, content.id, { parent_id: top.id })
    const last = await makeComment(ben, content.id, { parent_id: middle.id })
    assert.deepEqual([last.parent_id, last.root_id], [middle.id, top.id])
    const { comments } = await listOf(content.id)
    assert.deepEqual(valuesOf(comments, 'reply_count'), [1, 1, 0])
  })

  test('rejects a parent that is deleted or on another content item, and stores nothing', async () => {
    const [content, otherContent] = [await makeContent(ana), await makeContent(ana)]
    const elsewhere = await makeComment(ben, otherContent.id)
    const gone = await makeComment(ben, content.id)
    const commentWithReply = await makeComment(ben, content.id)
    await makeComment(cho, content.id, { parent_id: commentWithReply.id })
    for (const { id } of [gone, commentWithReply]) await ben.delete(`/comments/${id}`)
    for (const parent_id of [
      elsewhere.id,
      gone.id,
      commentWithReply.id,
      MISSING,
      'zzz',
      '',
      5,
      [],
      content.id,
    ]) {
      const answer = await cho.post(`/contents/${content.id}/comments`, { body: 'x', parent_id })
      assertInvalid(answer, 'parent_id')
    }
    assert.equal((await listOf(content.id)).pagination.total, 2)
    assert.equal(await countOf(content.id), 1)
    const answer = await cho.post(`/contents/${content.id}/comments`, {
      body: 'x',
      parent_id: null,
    })
    assert.equal(dataOf(answer, 201).comment.parent_id, null)
  })

  test('rejects a missing, blank or too long text and stores nothing', async () => {
    const content = await makeContent(ana)
    for (const body of [undefined, null, 5, ' \n', '😀'.repeat(1001)]) {
      assertInvalid(await ben.post(`/contents/${content.id}/comments`, { body }), 'body')
    }
    assert.equal(await countOf(content.id), 0)
  })

  test('returns 404 for comments on a missing, archived or draft content item', async () => {
    const archived = await makeContent(ana)
    await makeComment(ben, archived.id)
    await ana.delete(`/contents/${archived.id}`)
    const draft = await makeContent(ana, { publish: false })
    for (const id of ['cnt_01kazqz8n3ee6bq0r5ytj2vk7m', 'zzz', archived.id, draft.id]) {
      const path = `/contents/${id}/comments`
      assertError(await app.anon.get(path), 404, 'CONTENT_NOT_FOUND')
      assertError(await ben.post(path, { body: 'x' }), 404, 'CONTENT_NOT_FOUND')
      assertError(await ana.post(path, { body: 'x' }), 404, 'CONTENT_NOT_FOUND')
      assertInvalid(await ben.post(path, { body: 'x', parent_id: 'zzz' }), 'parent_id')
    }
  })

  test("sorts a comment after the last one, even when that one's clock was ahead", async () => {
    const content = await makeContent(ana)
    const future = 'cmt_70000000000000000000000000'
    await app.sql(
      `update content_stats set last_comment_id = '${future}' where content_id = '${content.id}'`,
    )
    const first = await makeComment(ben, content.id)
    const second = await makeComment(ben, content.id)
    assert.ok(first.id > future && second.id > first.id)
  })
})

describe('the list', () => {
  test('is flat, in order of time, and can be reversed and filtered', async () => {
    const content = await makeContent(ana)
    const first = await makeComment(ben, content.id)
    const below = await makeComment(cho, content.id, { parent_id: first.id })
    const second = await makeComment(ana, content.id)
    const deep = await makeComment(ana, content.id, { parent_id: below.id })
    const ids = [first, below, second, deep].map(({ id }) => id)
    assert.deepEqual(await listIds(content.id), ids)
    assert.deepEqual(await listIds(content.id, '&sort=newest'), ids.toReversed())
    assert.deepEqual(await listIds(content.id, '&parent_id=none'), [first.id, second.id])
    assert.deepEqual(await listIds(content.id, '&parent_id=none&sort=newest'), [
      second.id,
      first.id,
    ])
    for (const [parent, replies] of [
      [first.id, [below.id]],
      [below.id, [deep.id]],
      [deep.id, []],
      [MISSING, []],
    ] as const) {
      const { comments, pagination } = await listOf(content.id, `&parent_id=${parent}`)
      assert.deepEqual(idsOf(comments), replies)
      assert.equal(pagination.total, replies.length)
    }
    const otherContent = await makeContent(ana)
    assert.deepEqual(await listIds(otherContent.id, `&parent_id=${first.id}`), [])
    for (const bad of ['zzz', content.id]) {
      for (const id of [content.id, MISSING, 'zzz']) {
        const answer = await app.anon.get(`/contents/${id}/comments?parent_id=${bad}&page=x`)
        for (const field of ['parent_id', 'page']) assertInvalid(answer, field)
      }
    }
  })

  test('is the same for a viewer without blocks, and has a validator without a session', async () => {
    const content = await makeContent(ana)
    await makeComment(ben, content.id)
    const [anonymous, author] = [
      await app.anon.get(`/contents/${content.id}/comments`),
      await ben.get(`/contents/${content.id}/comments`),
    ]
    assert.match(anonymous.headers.get('etag') ?? '', /^W\//)
    assert.equal(author.headers.get('cache-control'), 'private, no-store')
    assert.deepEqual(anonymous.data, author.data)
  })

  test('returns every comment once and in order while others write', async () => {
    const content = await makeContent(ana)
    for (let i = 0; i < 10; i++) await makeComment(i % 2 ? ben : cho, content.id)
    const seen: string[] = []
    let more = 4
    for (let page = 1; ; page++) {
      const { comments, pagination } = dataOf(
        await app.anon.get(`/contents/${content.id}/comments?per_page=3&page=${page}`),
      )
      seen.push(...idsOf(comments))
      if (!pagination.has_next) break
      if (more-- > 0) await times(2, () => makeComment(ben, content.id))
    }
    assert.equal(seen.length, 18)
    assert.deepEqual(seen, await listIds(content.id))
  })
})

describe('editing', () => {
  test('changes only the text and the time of the change', async () => {
    const content = await makeContent(ana)
    const comment = await makeComment(ben, content.id)
    app.clock.advance(1000)
    const sent = { body: 'new', author_id: cho.id, is_deleted: true, reply_count: 9, id: MISSING }
    const edited = dataOf(await ben.patch(`/comments/${comment.id}`, sent)).comment
    assert.deepEqual(edited, { ...comment, body: 'new', updated_at: edited.updated_at })
    assert.ok(edited.updated_at > comment.updated_at)
    assert.deepEqual((await listOf(content.id)).comments, [edited])
  })

  test('does not restore a deleted comment, even when both run in parallel', async () => {
    const content = await makeContent(ana)
    const comments = await times(8, () => makeComment(ben, content.id))
    for (const { id } of comments) await makeComment(cho, content.id, { parent_id: id })
    await Promise.all(
      comments.flatMap(({ id }) => [
        ben.patch(`/comments/${id}`, { body: 'back' }),
        ben.delete(`/comments/${id}`),
        ben.patch(`/comments/${id}`, { body: 'back again' }),
      ]),
    )
    const { comments: shown } = await listOf(content.id, '&parent_id=none')
    assert.deepEqual(
      shown.map((c: Record<string, unknown>) => [c['body'], c['author'], c['is_deleted']]),
      comments.map(() => ['', null, true]),
    )
    for (const { id } of comments) {
      assertError(await ben.patch(`/comments/${id}`, { body: 'x' }), 404, 'COMMENT_NOT_FOUND')
    }
  })
})

describe('deleting', () => {
  test('keeps a comment with replies in place, without text and author', async () => {
    const content = await makeContent(ana)
    const top = await makeComment(ben, content.id, { body: 'a text that must disappear' })
    const below = await makeComment(cho, content.id, { parent_id: top.id })
    await ben.delete(`/comments/${top.id}`)
    const list = await listOf(content.id)
    assert.deepEqual(list.comments, [
      { ...top, body: '', author: null, is_deleted: true, reply_count: 1 },
      below,
    ])
    assert.equal(list.pagination.total, 2)
    assert.equal(await countOf(content.id), 1)
    const notes = dataOf(await ana.get('/notifications?per_page=100'))
    assert.ok(!JSON.stringify([list, notes]).includes('must disappear'))
    assert.equal(await app.value(`select body from comments where id = '${top.id}'`), '')
  })

  test('is possible on a content item that is no longer public', async () => {
    const content = await makeContent(ana)
    const { id } = await makeComment(ben, content.id)
    await ana.delete(`/contents/${content.id}`)
    assert.equal((await ben.delete(`/comments/${id}`)).status, 204)
    assert.equal(dataOf(await ana.get(`/contents/${content.id}`)).content.comment_count, 0)
  })
})

test('keeps the comments of a suspended user in place', async () => {
  const content = await makeContent(ana)
  const author = await app.user()
  const comment = await makeComment(author, content.id)
  await suspend(app, author)
  assert.deepEqual((await listOf(content.id)).comments, [comment])
})
