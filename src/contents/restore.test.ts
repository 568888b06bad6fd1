import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, dataOf, makeComment, makeContent, times } from '../../test/make.ts'
import { makeWebhook, receive, endedDeliveries } from '../../test/receiver.ts'

const app = await startApp()
const [ana, ben] = [await app.user(), await app.user()]

async function makeArchived(over: Record<string, unknown> = {}) {
  const content = await makeContent(ana, over)
  assert.equal((await ana.delete(`/contents/${content.id}`)).status, 204)
  return content
}

describe('restoring archived content', () => {
  test('makes a draft that keeps its likes, bookmarks and comments', async () => {
    const content = await makeContent(ana, { tags: ['back'] })
    await makeComment(ben, content.id)
    dataOf(await ben.put(`/contents/${content.id}/like`))
    dataOf(await ben.put(`/contents/${content.id}/bookmark`))
    await ana.delete(`/contents/${content.id}`)
    const { content: draft } = dataOf(await ana.post(`/contents/${content.id}/restore`))
    assert.deepEqual(
      [draft.status, draft.published_at, draft.like_count, draft.comment_count],
      ['draft', null, 1, 1],
    )
    assertError(await ben.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
    assert.deepEqual(dataOf(await ben.get('/users/me/likes')).feeds, [], 'a draft is in no list')
    assert.deepEqual(dataOf(await ben.get('/users/me/bookmarks')).feeds, [])

    const again = dataOf(
      await ana.patch(`/contents/${content.id}`, { status: 'published' }),
    ).content
    assert.deepEqual([again.status, again.like_count], ['published', 1])
    assert.ok(again.published_at > content.published_at)
    assert.equal(dataOf(await ben.get('/users/me/likes')).feeds[0].id, content.id)
    assert.equal(dataOf(await app.anon.get('/feeds?tag=back')).pagination.total, 1)
  })

  test('notifies mentioned users once, but emits content.published again', async () => {
    const receiver = await receive()
    const { webhook } = await makeWebhook(ana, receiver.url, ['content.published'])
    const { id } = await makeArchived({ title: `For @${ben.handle}` })
    dataOf(await ana.post(`/contents/${id}/restore`))
    dataOf(await ana.patch(`/contents/${id}`, { status: 'published' }))
    await endedDeliveries(ana, webhook.id)
    assert.deepEqual(
      receiver.received.map(({ event }) => event.data.content.id),
      [id, id],
    )
    const { notifications } = dataOf(await ben.get('/notifications'))
    const about = notifications.filter((notification: { link: string }) =>
      notification.link.endsWith(id),
    )
    assert.equal(about.length, 1)
  })

  test('is refused for other content, and for other users', async () => {
    const [draft, published] = [await makeContent(ana, { publish: false }), await makeContent(ana)]
    for (const { id } of [draft, published]) {
      assertError(await ana.post(`/contents/${id}/restore`), 409, 'CONTENT_NOT_ARCHIVED')
    }
    const archived = await makeArchived()
    assertError(await ben.post(`/contents/${published.id}/restore`), 403, 'NOT_CONTENT_AUTHOR')
    assertError(await ben.post(`/contents/${archived.id}/restore`), 404, 'CONTENT_NOT_FOUND')
    assertError(await app.anon.post(`/contents/${archived.id}/restore`), 401, 'UNAUTHORIZED')
    assert.equal(dataOf(await ana.get(`/contents/${archived.id}`)).content.status, 'archived')
  })

  test('happens once when requested several times at once', async () => {
    const { id } = await makeArchived()
    const answers = await times(5, () => ana.post(`/contents/${id}/restore`))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
  })
})

test('counts equal rows after all tests', async () => {
  assert.deepEqual(await app.drifted(), [])
})
