import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { assertError, dataOf, makeApp, makeComment, makeContent } from '../../test/make.ts'
import {
  deliveriesOf,
  makeWebhook,
  type Receiver,
  endedDeliveries,
  until,
  makeListener,
} from '../../test/receiver.ts'
import { likeContent } from '../likes/rules.ts'
import { EVENT_KINDS } from './kinds.ts'

const app = await startApp()
const fan = await app.user()

const listener = () => makeListener(app, undefined, [...EVENT_KINDS])

async function deliveredKinds(owner: Actor, webhook: Loose, receiver: Receiver): Promise<string[]> {
  await endedDeliveries(owner, webhook.id)
  return receiver.received.map(({ event }) => event.type)
}

const refOf = ({ id, handle }: Actor) => ({
  id,
  handle,
  display_name: handle,
  avatar_url: null,
  avatar_sizes: [],
})
/** Reads a content item as its author, because an author's own reads count no view. */
const readContent = async (owner: Actor, id: string) =>
  dataOf(await owner.get(`/contents/${id}`)).content

describe('sends an event, with the same records as the API, for', () => {
  test('a content item that is published, changed and archived', async () => {
    const { owner, receiver } = await listener()
    const { id } = await makeContent(owner, { tags: ['a'], description: 'One' })
    const published = await receiver.nth(1)
    const { body: _, ...record } = await readContent(owner, id)
    assert.deepEqual(published.event.data, { content: record })
    assert.equal(published.event.type, 'content.published')
    assert.match(published.event.created_at, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)

    dataOf(await owner.patch(`/contents/${id}`, { title: '새 이름' }))
    const changed = (await receiver.nth(2)).event
    const { body: __, ...after } = await readContent(owner, id)
    assert.deepEqual([changed.type, changed.data], ['content.updated', { content: after }])
    assert.equal(after.title, '새 이름')

    assert.equal((await owner.delete(`/contents/${id}`)).status, 204)
    const gone = (await receiver.nth(3)).event
    const { content } = gone.data
    assert.equal(gone.type, 'content.archived')
    assert.deepEqual(content, {
      ...after,
      status: 'archived',
      updated_at: content.updated_at,
    })
    assert.equal(new Set(receiver.received.map(({ event }) => event.id)).size, 3)
  })

  test('a draft that is published later', async () => {
    const { owner, webhook, receiver } = await listener()
    const { id } = await makeContent(owner, { publish: false })
    dataOf(await owner.patch(`/contents/${id}`, { title: 'Still a draft' }))
    dataOf(await owner.patch(`/contents/${id}`, { title: 'Out now', status: 'published' }))
    assert.deepEqual(await deliveredKinds(owner, webhook, receiver), ['content.published'])
    assert.equal(receiver.received[0]?.event.data.content.title, 'Out now')
  })

  test('a like, with the user who likes', async () => {
    const { owner, receiver } = await listener()
    const { id } = await makeContent(owner)
    dataOf(await fan.post(`/contents/${id}/like`))
    const { event } = await receiver.nth(2)
    const { body: _, ...content } = await readContent(owner, id)
    assert.equal(content.like_count, 1)
    assert.deepEqual([event.type, event.data], ['content.liked', { content, actor: refOf(fan) }])
  })

  test('a comment', async () => {
    const { owner, receiver } = await listener()
    const { id } = await makeContent(owner)
    const comment = await makeComment(fan, id, { body: '좋아요 "quoted" \u2028' })
    const { event } = await receiver.nth(2)
    assert.deepEqual([event.type, event.data], ['comment.created', { comment }])
  })

  test('a follow, with the user who follows', async () => {
    const { owner, receiver } = await listener()
    dataOf(await fan.put(`/creators/${owner.handle.toUpperCase()}/follow`))
    const { event } = await receiver.nth(1)
    const { creator } = dataOf(await app.anon.get(`/creators/${owner.handle}`))
    assert.equal(creator.follower_count, 1)
    assert.deepEqual([event.type, event.data], ['creator.followed', { creator, actor: refOf(fan) }])
  })
})

test('catalogue samples have the fields of real events', async () => {
  const { owner, webhook, receiver } = await listener()
  const { id } = await makeContent(owner)
  await makeComment(fan, id)
  dataOf(await fan.post(`/contents/${id}/like`))
  dataOf(await fan.post(`/creators/${owner.handle}/follow`))
  dataOf(await owner.patch(`/contents/${id}`, { title: 'Other' }))
  await owner.delete(`/contents/${id}`)
  await deliveredKinds(owner, webhook, receiver)
  const { event_types } = dataOf(await owner.get('/devconsole/event-types'))
  const shapeOf = (value: Loose): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    return Object.fromEntries(
      Object.entries(value).map(([name, target]) => [name, shapeOf(target)]),
    )
  }
  assert.equal(receiver.received.length, 6)
  for (const { event } of receiver.received) {
    const { sample } = event_types.find(({ name }: Loose) => name === event.type)
    assert.deepEqual(shapeOf(sample), shapeOf(event), event.type)
  }
})

describe('sends no event for', () => {
  test('repeated, withdrawn and edited actions of other users', async () => {
    const { owner, webhook, receiver } = await listener()
    const { id } = await makeContent(owner)
    dataOf(await fan.put(`/contents/${id}/like`))
    dataOf(await fan.put(`/contents/${id}/like`))
    dataOf(await fan.delete(`/contents/${id}/like`))
    dataOf(await fan.post(`/contents/${id}/bookmark`))
    dataOf(await fan.put(`/creators/${owner.handle}/follow`))
    dataOf(await fan.put(`/creators/${owner.handle}/follow`))
    dataOf(await fan.delete(`/creators/${owner.handle}/follow`))
    const comment = await makeComment(fan, id)
    dataOf(await fan.patch(`/comments/${comment.id}`, { body: 'Edited' }))
    assert.equal((await fan.delete(`/comments/${comment.id}`)).status, 204)
    dataOf(await owner.patch(`/contents/${id}`, {}))
    await owner.delete(`/contents/${id}`)
    await owner.delete(`/contents/${id}`)
    const draft = await makeContent(owner, { publish: false })
    await owner.delete(`/contents/${draft.id}`)
    assert.deepEqual(await deliveredKinds(owner, webhook, receiver), [
      'content.published',
      'content.liked',
      'creator.followed',
      'comment.created',
      'content.archived',
    ])
  })

  test('rejected and rolled-back actions', async () => {
    const { owner, webhook, receiver } = await listener()
    const { id } = await makeContent(owner)
    assertError(await fan.post(`/contents/${id}/comments`, { body: '' }), 422, 'VALIDATION_ERROR')
    assertError(await fan.patch(`/contents/${id}`, { title: 'x' }), 403, 'NOT_CONTENT_AUTHOR')
    const viewer = {
      id: fan.id,
      handle: fan.handle,
      role: 'user',
      tier: 'regular',
      permissions: [],
      isVerified: true,
    } as const
    const act = app.db.transaction(async (tx) => {
      await likeContent(tx, viewer, id, 'set', app.clock.now())
      throw new Error('the end of the act fails')
    })
    await assert.rejects(act, /the end of the act fails/)
    assert.deepEqual(await deliveredKinds(owner, webhook, receiver), ['content.published'])
    const liked = `webhook_events where kind = 'content.liked' and payload like '%${id}%'`
    assert.equal(await app.count(liked), 0)
  })

  test('the end of a suspension, which shows content items again', async () => {
    const { owner, webhook, receiver } = await listener()
    await makeContent(owner)
    await endedDeliveries(owner, webhook.id)
    const admin = await app.admin()
    for (const is_suspended of [true, false]) {
      dataOf(await admin.patch(`/admin/users/${owner.id}`, { is_suspended }))
    }
    await makeContent(await app.user())
    const log = await app.sql(
      `select id from webhook_deliveries where webhook_id = '${webhook.id}'`,
    )
    assert.deepEqual([log.length, receiver.received.length], [1, 1])
  })

  test('other users, kinds not subscribed to, or disabled and deleted webhooks', async () => {
    const { owner, webhook, receiver } = await listener()
    const otherListener = await listener()
    const quiet = await makeWebhook(owner, receiver.url, ['jump.play'])
    const disabled = await makeWebhook(owner, receiver.url)
    dataOf(await owner.patch(`/devconsole/webhooks/${disabled.webhook.id}`, { is_active: false }))
    const deleted = await makeWebhook(owner, receiver.url)
    assert.equal((await owner.delete(`/devconsole/webhooks/${deleted.webhook.id}`)).status, 204)
    const ofDeletedApp = await makeWebhook(owner, receiver.url)
    await owner.delete(`/devconsole/apps/${ofDeletedApp.webhook.app_id}`)
    await makeContent(owner)
    assert.deepEqual(await deliveredKinds(owner, webhook, receiver), ['content.published'])
    for (const { webhook: silent } of [quiet, disabled]) {
      assert.deepEqual(await deliveriesOf(owner, silent.id), [])
    }
    assert.deepEqual(await deliveriesOf(otherListener.owner, otherListener.webhook.id), [])
    assert.equal(otherListener.receiver.connections, 0)
    const rows = await app.sql(`select id from webhook_deliveries where webhook_id in
      ('${deleted.webhook.id}', '${ofDeletedApp.webhook.id}')`)
    assert.equal(rows.length, 0)
  })
})

test('sends one event with one id to every webhook of every app of a user', async () => {
  const { owner, receiver } = await listener()
  await makeWebhook(owner, receiver.url)
  const { id } = await makeApp(owner)
  const body = { endpoint_url: receiver.url, events: ['content.published'] }
  dataOf(await owner.post(`/devconsole/apps/${id}/webhooks`, body), 201)
  await makeContent(owner)
  await receiver.nth(3)
  await until(() => receiver.received.length === 3, 'three deliveries')
  const deliveries = receiver.received.map(({ text, headers }) => [headers['webhook-id'], text])
  assert.equal(new Set(deliveries.map(String)).size, 1)
  const secrets = receiver.received.map(({ headers }) => headers['x-service-secret'])
  assert.equal(new Set(secrets).size, 3)
})
