import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf, idsOf, makeContent, times } from '../../test/make.ts'
import {
  attempted,
  deliveriesOf,
  makeWebhook,
  pass,
  type Received,
  receive,
  refusing,
  endedDeliveries,
  taking,
  until,
  makeListener,
} from '../../test/receiver.ts'
import { deleteOldDeliveries } from './delivery-queries.ts'
import { seal, unseal } from '../sealed.ts'

const app = await startApp({
  WEBHOOK_RETRY_SCHEDULE: '60',
  ACCESS_TOKEN_TTL: '31536000',
  REFRESH_TOKEN_TTL: '31536000',
})
const DAY_MS = 86_400_000

describe('redelivery', () => {
  test('immediately creates a new delivery of the same event, with the same bytes and id', async () => {
    const { owner: alice, receiver, webhook } = await makeListener(app, refusing)
    await makeContent(alice)
    await attempted(alice, webhook.id, 1)
    pass(75_000, app)
    const [failed] = await endedDeliveries(alice, webhook.id)
    receiver.answer = taking
    const path = `/devconsole/webhooks/${webhook.id}/deliveries/${failed.id}/redeliver`
    const { delivery } = dataOf(await alice.post(path))
    assert.equal(receiver.received.length, 3)
    assert.equal(new Set(receiver.received.map(({ text }) => text)).size, 1)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.deepEqual(ids, Array(3).fill(failed.event_id))
    assert.notEqual(delivery.id, failed.id)
    assert.deepEqual(
      [delivery.event_id, delivery.event, delivery.status, delivery.attempt_count],
      [failed.event_id, 'content.published', 'delivered', 1],
    )
    assert.deepEqual(await deliveriesOf(alice, webhook.id), [delivery, failed])
  })

  test('retries a failed redelivery like any delivery, but not a failed test', async () => {
    const { owner: alice, receiver, webhook } = await makeListener(app)
    const path = `/devconsole/webhooks/${webhook.id}`
    const first = dataOf(await alice.post(`${path}/test`)).delivery
    receiver.answer = refusing
    dataOf(await alice.post(`${path}/test`))
    const { delivery } = dataOf(await alice.post(`${path}/deliveries/${first.id}/redeliver`))
    assert.deepEqual([delivery.status, delivery.event], ['pending', 'webhook.test'])
    receiver.answer = taking
    pass(75_000, app)
    const [delivered] = await endedDeliveries(alice, webhook.id)
    assert.deepEqual([delivered.id, delivered.attempt_count], [delivery.id, 2])
    assert.equal(receiver.received.length, 4)
  })

  test('runs once under one Idempotency-Key and returns 409 while the attempt is under way', async () => {
    const {
      owner: alice,
      receiver,
      webhook,
    } = await makeListener(app, () => ({ delayMs: 150, body: 'ok' }))
    const path = `/devconsole/webhooks/${webhook.id}/test`
    const headers = { 'idempotency-key': 'once' }
    const first = alice.post(path, undefined, { headers })
    await receiver.nth(1)
    const second = await alice.post(path, undefined, { headers })
    assertError(second, 409, 'REQUEST_IN_PROGRESS')
    const { delivery } = dataOf(await first)
    assert.deepEqual([delivery.status, delivery.attempts.length], ['delivered', 1])
    const third = await alice.post(path, undefined, { headers })
    assert.equal(third.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(dataOf(third).delivery, delivery)
    // Simulates a delivery that failed before its first attempt, because its webhook was disabled.
    await app.sql(`update webhook_deliveries set attempt_count = 0, status = 'failed'
      where id = '${delivery.id}'`)
    const ended = dataOf(await alice.post(path, undefined, { headers })).delivery
    assert.equal(ended.status, 'failed')
    const again = `/devconsole/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`
    const twice = [
      dataOf(await alice.post(again, undefined, { headers })),
      dataOf(await alice.post(again, undefined, { headers })),
    ]
    assert.deepEqual(twice[0], twice[1])
    assert.equal(receiver.received.length, 2)
  })

  test('is finished by the next server when this one stops in the middle', async () => {
    const { owner: alice, receiver, webhook } = await makeListener(app)
    dataOf(await alice.post(`/devconsole/webhooks/${webhook.id}/test`))
    // Simulates a process that was killed during a test delivery.
    await app.sql(`update webhook_deliveries set status = 'pending', attempt_count = 0,
      ended_at = null, next_attempt_at = ${app.clock.now() + 20_000}
      where webhook_id = '${webhook.id}'`)
    await app.sql(`delete from webhook_attempts where delivery_id in
      (select id from webhook_deliveries where webhook_id = '${webhook.id}')`)
    pass(0, app)
    await new Promise((done) => setTimeout(done, 50))
    assert.equal(receiver.received.length, 1)
    pass(20_001, app)
    await receiver.nth(2)
    const [delivery] = await endedDeliveries(alice, webhook.id)
    assert.deepEqual([delivery.status, delivery.attempt_count], ['delivered', 1])
  })
})

test('returns 404 for a test when the webhook is deleted before the attempt', async () => {
  const { owner: alice, receiver, webhook } = await makeListener(app)
  const path = `/devconsole/webhooks/${webhook.id}`
  const { deliveries } = app.deps
  const attempt = deliveries.attempt.bind(deliveries)
  deliveries.attempt = async (id) => {
    assert.equal((await alice.delete(path)).status, 204)
    return attempt(id)
  }
  try {
    assertError(await alice.post(`${path}/test`), 404, 'WEBHOOK_NOT_FOUND')
  } finally {
    deliveries.attempt = attempt
  }
  assert.equal(receiver.received.length, 0)
  // A delivery whose first attempt stored no result becomes due after 20 seconds.
  pass(25_000, app)
  const isOver = async () => {
    const rows = await app.sql(
      `select status from webhook_deliveries where webhook_id = '${webhook.id}'`,
    )
    return rows.length === 1 && rows[0]?.['status'] === 'failed'
  }
  await until(isOver, 'the end of the delivery')
})

test('uses new secrets immediately and also signs with the old signing secret for a day', async () => {
  const alice = await app.user()
  const receiver = await receive()
  const old = await makeWebhook(alice, receiver.url)
  const path = `/devconsole/webhooks/${old.webhook.id}`
  const next = dataOf(await alice.post(`${path}/rotate-secret`))
  assert.deepEqual(next.webhook, old.webhook)
  assert.notEqual(next.secret, old.secret)
  assert.notEqual(next.signing_secret, old.signing_secret)
  const send = async (): Promise<Received> => {
    dataOf(await alice.post(`${path}/test`))
    return receiver.received.at(-1) as Received
  }
  const accepts = (signing: string, { text, headers }: Received): boolean => {
    const webhook = new Webhook(signing)
    // The library checks the timestamp against the real clock, so the test compares the signature instead.
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
    const expected = webhook.sign(String(headers['webhook-id']), sentAt, text)
    return String(headers['webhook-signature']).split(' ').includes(expected)
  }
  const during = await send()
  for (const { signing_secret } of [old, next]) {
    const headers = during.headers as Record<string, string>
    assert.deepEqual(new Webhook(signing_secret).verify(during.text, headers), during.event)
  }
  assert.equal(during.headers['x-service-secret'], next.secret)
  assert.equal(String(during.headers['webhook-signature']).split(' ').length, 2)
  app.clock.advance(DAY_MS - 60_000)
  assert.ok(accepts(old.signing_secret, await send()))
  app.clock.advance(60_001)
  const after = await send()
  assert.ok(accepts(next.signing_secret, after) && !accepts(old.signing_secret, after))
  assert.equal(String(after.headers['webhook-signature']).split(' ').length, 1)

  const newest = dataOf(await alice.post(`${path}/rotate-secret`))
  const last = await send()
  assert.ok(accepts(newest.signing_secret, last) && accepts(next.signing_secret, last))
})

test('pages the delivery log, newest first', async () => {
  const { owner: alice, webhook } = await makeListener(app)
  const path = `/devconsole/webhooks/${webhook.id}/deliveries`
  const empty = dataOf(await alice.get(path))
  assert.deepEqual([empty.deliveries, empty.pagination.total], [[], 0])
  await times(5, () => makeContent(alice))
  const ids = idsOf(await endedDeliveries(alice, webhook.id))
  assert.deepEqual(ids, ids.toSorted().reverse())
  const page = dataOf(await alice.get(`${path}?page=2&per_page=2`))
  assert.deepEqual(idsOf(page.deliveries), ids.slice(2, 4))
  assert.deepEqual([page.pagination.total, page.pagination.total_pages], [5, 3])
  const past = dataOf(await alice.get(`${path}?page=9`))
  assert.deepEqual([past.deliveries, past.pagination.total], [[], 5])
  assertInvalid(await alice.get(`${path}?page=x`), 'page')
})

test('deletes deliveries that ended more than 30 days ago and keeps pending and newer ones', async () => {
  const { owner: alice, receiver, webhook } = await makeListener(app)
  await makeContent(alice)
  const [old] = await endedDeliveries(alice, webhook.id)
  receiver.answer = refusing
  await makeContent(alice)
  const pending = await attempted(alice, webhook.id, 1)
  await deleteOldDeliveries(app.db, app.clock.now() + 29 * DAY_MS)
  assert.equal((await deliveriesOf(alice, webhook.id)).length, 2)
  const path = `/devconsole/webhooks/${webhook.id}`
  const total = async () => dataOf(await alice.get(`${path}/deliveries`)).pagination.total
  assert.equal(await total(), 2)
  // Simulates two processes that delete old deliveries simultaneously.
  const then = app.clock.now() + 31 * DAY_MS
  await Promise.all([deleteOldDeliveries(app.db, then), deleteOldDeliveries(app.db, then)])
  assert.equal(await total(), 1)
  assert.deepEqual(idsOf(await deliveriesOf(alice, webhook.id)), [pending.id])
  const count = async (table: string, where: string) => app.count(`${table} where ${where}`)
  assert.equal(await count('webhook_attempts', `delivery_id = '${old.id}'`), 0)
  assert.equal(await count('webhook_events', `id = '${old.event_id}'`), 0)
  assert.equal(await count('webhook_events', `id = '${pending.event_id}'`), 1)
  dataOf(await alice.patch(path, { is_active: false }))
  const [ended] = await deliveriesOf(alice, webhook.id)
  assert.deepEqual([ended.status, await total()], ['failed', 1])
})

test('opens sealed secrets only with the same key and purpose, and seals them differently each time', () => {
  const [key, otherKey] = ['0a'.repeat(32), '0b'.repeat(32)]
  const sealed = seal(key, 'whk_1.secret', 'svs_비밀')
  assert.equal(unseal(key, 'whk_1.secret', sealed), 'svs_비밀')
  assert.notEqual(seal(key, 'whk_1.secret', 'svs_비밀'), sealed)
  assert.ok(!Buffer.from(sealed.slice(3), 'base64url').includes('svs_'))
  assert.throws(() => unseal(otherKey, 'whk_1.secret', sealed))
  assert.throws(() => unseal(key, 'whk_2.secret', sealed))
  assert.throws(() => unseal(key, 'whk_1.signing', sealed))
  for (const broken of ['', 'v1.', sealed.slice(0, -4), sealed.replace('v1.', 'v2.'), 'v1.AAAA']) {
    assert.throws(() => unseal(key, 'whk_1.secret', broken), broken)
  }
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] as number) ^ 1
    assert.throws(() => unseal(key, 'whk_1.secret', `v1.${changed.toString('base64url')}`))
  }
})

test('sends nothing to a webhook whose secrets do not open, and delays no other webhook', async () => {
  const alice = await app.user()
  const bob = await app.user()
  const receiver = await receive()
  const { webhook } = await makeWebhook(alice, receiver.url)
  // Simulates a lost ENCRYPTION_KEY.
  await app.sql(`update webhooks set signing_secret = 'v1.AAAA' where id = '${webhook.id}'`)
  await makeContent(alice)
  const bobsWebhook = await makeWebhook(bob, receiver.url)
  await makeContent(bob)
  await endedDeliveries(bob, bobsWebhook.webhook.id)
  const answer = await alice.post(`/devconsole/webhooks/${webhook.id}/test`)
  assertError(answer, 500, 'INTERNAL_ERROR')
  assert.equal(receiver.received.length, 1)
  const path = `/devconsole/webhooks/${webhook.id}/rotate-secret`
  const { secret } = dataOf(await alice.post(path))
  const mine = () =>
    receiver.received.filter(({ headers }) => headers['x-service-secret'] === secret)
  pass(21_000, app)
  await until(() => mine().length === 2, 'the event and the test')
})
