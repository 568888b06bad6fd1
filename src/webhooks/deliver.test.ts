import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { type Loose, startApp } from '../../test/app.ts'
import { assertError, dataOf, makeContent, times } from '../../test/make.ts'
import { listen } from '../../test/peer.ts'
import {
  attempted,
  deliveriesOf,
  makeWebhook,
  pass,
  receive,
  refusing,
  endedDeliveries,
  taking,
  until,
  makeListener,
} from '../../test/receiver.ts'

const SCHEDULE = [9, 300, 1800]
const app = await startApp({
  WEBHOOK_RETRY_SCHEDULE: SCHEDULE.join(','),
  ACCESS_TOKEN_TTL: '31536000',
  REFRESH_TOKEN_TTL: '31536000',
})
const HOUR_MS = 3_600_000

/** Returns the seconds from the last attempt to the next. */
function gapOf({ attempts, next_attempt_at }: Loose): number {
  return (Date.parse(next_attempt_at) - Date.parse(attempts.at(-1).at)) / 1000
}
/** Tolerance in seconds: storing the result of an attempt lengthens the gap between attempts. */
const SLACK = 3

describe('failed deliveries', () => {
  test('are retried on schedule with the same id and body until they fail', async () => {
    const { owner: alice, receiver, webhook, signing_secret } = await makeListener(app, refusing)
    await makeContent(alice)
    for (const [i, gap] of SCHEDULE.entries()) {
      const pending = await attempted(alice, webhook.id, i + 1)
      assert.deepEqual([pending.status, pending.attempt_count], ['pending', i + 1])
      const wait = gapOf(pending)
      const [least, most] = gap < 10 ? [gap, gap] : [gap * 0.8, gap * 1.2]
      assert.ok(wait >= least && wait <= most + SLACK, `${wait} s of ${gap}`)
      const left = Date.parse(pending.next_attempt_at) - app.clock.now()
      pass(left - 4000, app)
      await new Promise((done) => setTimeout(done, 50))
      assert.equal(receiver.received.length, i + 1, 'no attempt before its time')
      pass(4000, app)
    }
    const [failed] = await endedDeliveries(alice, webhook.id)
    assert.deepEqual([failed.status, failed.next_attempt_at], ['failed', null])
    assert.equal(failed.attempt_count, 4)
    assert.deepEqual(
      failed.attempts.map(
        (attempt: { response_status: number; error: string }) =>
          `${attempt.response_status} ${attempt.error}`,
      ),
      Array(4).fill('500 http_status'),
    )
    const [first, ...others] = receiver.received
    assert.ok(first)
    for (const { text, headers } of others) {
      assert.equal(text, first.text)
      assert.equal(headers['webhook-id'], failed.event_id)
    }
    const sent = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
    assert.ok(
      sent.every((time, i) => i === 0 || time > (sent[i - 1] as number)),
      String(sent),
    )
    new Webhook(signing_secret).verify(first.text, first.headers as Record<string, string>)
    pass(30 * HOUR_MS, app)
    await makeContent(alice)
    await receiver.nth(5)
    assert.equal(receiver.received.filter(({ text }) => text === first.text).length, 4)
  })

  test('end and reset the failure count when an attempt succeeds', async () => {
    const { owner: alice, webhook } = await makeListener(app, (n) => ({
      status: n < 3 ? 404 : 201,
    }))
    const readCount = async () =>
      dataOf(await alice.get(`/devconsole/apps/${webhook.app_id}/webhooks`)).webhooks[0]
        .failure_count
    await makeContent(alice)
    for (const attempts of [1, 2]) {
      await attempted(alice, webhook.id, attempts)
      assert.equal(await readCount(), attempts)
      pass(HOUR_MS, app)
    }
    const [delivered] = await endedDeliveries(alice, webhook.id)
    assert.deepEqual([delivered.status, delivered.attempt_count], ['delivered', 3])
    assert.equal(await readCount(), 0)
  })

  test('wait as long as Retry-After says, at most a day and never less than the schedule', async () => {
    const alice = await app.user()
    for (const [asked, gap] of [
      ['120', 120],
      ['1', 9],
      ['999999', 86_400],
    ] as const) {
      const headers = { 'retry-after': asked }
      const receiver = await receive(() => ({ status: 429, headers }))
      const { webhook } = await makeWebhook(alice, receiver.url)
      await makeContent(alice)
      const pending = await attempted(alice, webhook.id, 1)
      const wait = gapOf(pending)
      assert.ok(wait >= gap && wait <= gap + SLACK, `${asked}: ${wait}`)
      await alice.delete(`/devconsole/webhooks/${webhook.id}`)
    }
  })

  test('record the cause: connection, redirect or name', async () => {
    const alice = await app.user()
    const inside = await receive()
    const statuses = [301, 302, 303, 307, 308]
    const receiver = await receive((n) => ({
      status: statuses[n - 1] ?? 200,
      headers: { location: n === 5 ? 'file:///etc/passwd' : inside.url },
      body: 'elsewhere',
    }))
    const { webhook } = await makeWebhook(alice, receiver.url)
    const path = `/devconsole/webhooks/${webhook.id}`
    for (const status of statuses) {
      const { delivery } = dataOf(await alice.post(`${path}/test`))
      const [{ response_status, response_body, error }] = delivery.attempts
      assert.deepEqual([delivery.status, error], ['failed', 'redirect'])
      assert.deepEqual([response_status, response_body], [status, 'elsewhere'])
    }
    assert.equal(inside.connections, 0)
    const broken = [
      ['http://127.0.0.1:1/', 'connect'],
      ['https://127.0.0.1:1/', 'connect'],
      [receiver.url.replace('http:', 'https:'), 'tls'],
      ['http://nowhere.invalid/', 'dns'],
    ] as const
    for (const [endpoint_url, error] of broken) {
      dataOf(await alice.patch(path, { endpoint_url }))
      const { delivery } = dataOf(await alice.post(`${path}/test`))
      const [attempt] = delivery.attempts
      assert.deepEqual(
        [attempt.response_status, attempt.response_body, attempt.error],
        [null, null, error],
      )
    }
  })
})

describe('a failing webhook', () => {
  const state = async (actor: Awaited<ReturnType<typeof app.user>>, appId: string) =>
    dataOf(await actor.get(`/devconsole/apps/${appId}/webhooks`)).webhooks[0]
  const notificationsOf = async (actor: Awaited<ReturnType<typeof app.user>>) => {
    const headers = { 'accept-language': 'en' }
    return dataOf(await actor.get('/notifications', { headers })).notifications
  }

  test('is disabled immediately by 410: its owner is notified and pending deliveries fail', async () => {
    const { owner: alice, receiver, webhook } = await makeListener(app, refusing)
    const path = `/devconsole/webhooks/${webhook.id}`
    await makeContent(alice)
    await attempted(alice, webhook.id, 1)
    receiver.answer = () => ({ status: 410 })
    await makeContent(alice)
    const [gone, earlier] = await endedDeliveries(alice, webhook.id)
    assert.deepEqual([gone.status, gone.attempt_count], ['failed', 1])
    assert.deepEqual([earlier.status, earlier.attempt_count], ['failed', 1])
    const { is_active, failure_count } = await state(alice, webhook.app_id)
    assert.deepEqual([is_active, failure_count], [false, 2])
    const [notification, ...more] = await notificationsOf(alice)
    assert.equal(more.length, 0)
    assert.deepEqual([notification.type, notification.actor], ['system', null])
    assert.equal(notification.link, `/devconsole/apps/${webhook.app_id}`)
    assert.ok(notification.message.includes(`127.0.0.1:${receiver.port}`), notification.message)
    await makeContent(alice)
    pass(HOUR_MS, app)
    assert.equal((await deliveriesOf(alice, webhook.id)).length, 2)

    receiver.answer = taking
    const dialect = dataOf(await alice.patch(path, { is_active: true })).webhook
    assert.deepEqual([dialect.is_active, dialect.failure_count], [true, 0])
    await makeContent(alice)
    const [delivered] = await endedDeliveries(alice, webhook.id)
    assert.equal(delivered.status, 'delivered')
    assert.equal(receiver.received.length, 3)
    receiver.answer = () => ({ status: 410 })
    dataOf(await alice.post(`${path}/test`))
    assert.equal((await notificationsOf(alice)).length, 2)
    assert.equal((await state(alice, webhook.app_id)).is_active, false)
  })

  test('is disabled after five days of failures only', async () => {
    const { owner: alice, webhook } = await makeListener(app, (n) => ({
      status: n === 2 ? 200 : 500,
    }))
    const path = `/devconsole/webhooks/${webhook.id}/test`
    for (let day = 0; day < 8; day++) {
      if (day > 0) app.clock.advance(23 * HOUR_MS)
      dataOf(await alice.post(path))
      // The second attempt succeeds, so the five days begin with the third attempt.
      assert.equal((await state(alice, webhook.app_id)).is_active, true, `day ${day}`)
    }
    assert.deepEqual(await notificationsOf(alice), [])
    app.clock.advance(6 * HOUR_MS)
    dataOf(await alice.post(path))
    const { is_active, failure_count } = await state(alice, webhook.app_id)
    assert.deepEqual([is_active, failure_count], [false, 7])
    assert.equal((await notificationsOf(alice)).length, 1)
  })
})

describe('sends nothing more', () => {
  test('to a webhook that is disabled or deleted, or whose app is deleted; pending deliveries fail', async () => {
    for (const end of ['off', 'deleted', 'app deleted']) {
      const { owner: alice, receiver, webhook } = await makeListener(app, refusing)
      await makeContent(alice)
      await attempted(alice, webhook.id, 1)
      const path = `/devconsole/webhooks/${webhook.id}`
      if (end === 'off') dataOf(await alice.patch(path, { is_active: false }))
      if (end === 'deleted') assert.equal((await alice.delete(path)).status, 204)
      if (end === 'app deleted') {
        assert.equal((await alice.delete(`/devconsole/apps/${webhook.app_id}`)).status, 204)
      }
      pass(HOUR_MS, app)
      const read = async () =>
        (await app.sql(
          `select status, attempt_count from webhook_deliveries where webhook_id = '${webhook.id}'`,
        )) as { status: string; attempt_count: number }[]
      await until(async () => (await read())[0]?.status === 'failed', 'the end of the delivery')
      assert.equal(receiver.received.length, 1)
      assert.equal(Number((await read())[0]?.attempt_count), 1)
    }
  })

  test('while the owner is suspended, and continues afterwards', async () => {
    const alice = await app.user()
    const admin = await app.admin()
    const receiver = await receive(refusing)
    const { webhook } = await makeWebhook(alice, receiver.url)
    await makeContent(alice)
    await attempted(alice, webhook.id, 1)
    dataOf(await admin.patch(`/admin/users/${alice.id}`, { is_suspended: true }))
    receiver.answer = taking
    pass(HOUR_MS, app)
    const otherUser = await app.user()
    const witness = await receive()
    await makeWebhook(otherUser, witness.url)
    await makeContent(otherUser)
    await witness.nth(1)
    assert.equal(receiver.received.length, 1)
    dataOf(await admin.patch(`/admin/users/${alice.id}`, { is_suspended: false }))
    pass(0, app)
    await receiver.nth(2)
  })
})

test('keeps a delivery failed when it was under way while the webhook was disabled and enabled again', async () => {
  const alice = await app.user()
  let letGo = () => {}
  const held = new Promise<void>((done) => (letGo = done))
  const receiver = await receive(async () => {
    await held
    return {}
  })
  const { webhook } = await makeWebhook(alice, receiver.url)
  const path = `/devconsole/webhooks/${webhook.id}`
  await makeContent(alice)
  await receiver.nth(1)
  dataOf(await alice.patch(path, { is_active: false }))
  const [ended] = await deliveriesOf(alice, webhook.id)
  assert.deepEqual([ended.status, ended.attempt_count], ['failed', 0])
  letGo()
  dataOf(await alice.patch(path, { is_active: true }))
  await makeContent(alice)
  const log = await endedDeliveries(alice, webhook.id)
  assert.deepEqual(
    log.map(({ status, attempt_count }) => [status, attempt_count]),
    [
      ['delivered', 1],
      ['failed', 0],
    ],
  )
})

test('slow, endless and missing responses do not delay other webhooks', async () => {
  const alice = await app.user()
  const sockets: (() => void)[] = []
  const dead = await listen((socket) => void sockets.push(() => socket.destroy()))
  const drip = await listen((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 X\r\n\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
    sockets.push(() => socket.destroy())
  })
  const owners = await times(6, () => app.user())
  for (const [i, owner] of owners.entries()) {
    await makeWebhook(owner, i % 2 ? dead.url : drip.url)
    await makeContent(owner)
  }
  await until(() => dead.open + drip.open === 6, 'six hanging requests')
  const receiver = await receive()
  const { webhook } = await makeWebhook(alice, receiver.url)
  const start = Date.now()
  await times(5, () => makeContent(alice))
  const log = await endedDeliveries(alice, webhook.id)
  assert.equal(log.length, 5)
  // The limit is below the timeout of a request, so the assertion fails if a delivery waits for a hanging
  // receiver.
  assert.ok(Date.now() - start < 9000, `${Date.now() - start} ms`)
  assert.equal(dead.open + drip.open, 6)
  for (const destroy of sockets) destroy()
})

test('limits manual deliveries by 429 and allows one test of a webhook at a time', async () => {
  const { owner: alice, receiver, webhook } = await makeListener(app, () => ({ delayMs: 100 }))
  const path = `/devconsole/webhooks/${webhook.id}/test`
  const together = await times(4, () => alice.post(path))
  const refused = together.filter(({ status }) => status !== 200)
  assert.equal(refused.length, 3)
  for (const answer of refused) {
    assertError(answer, 429, 'RATE_LIMITED')
    assert.equal(answer.headers.get('retry-after'), '1')
  }
  assert.equal(receiver.received.length, 1)
  receiver.answer = taking
  for (let i = 0; i < 59; i++) dataOf(await alice.post(path))
  assertError(await alice.post(path), 429, 'RATE_LIMITED')
  const [{ id }] = await deliveriesOf(alice, webhook.id)
  const again = `/devconsole/webhooks/${webhook.id}/deliveries/${id}/redeliver`
  assertError(await alice.post(again), 429, 'RATE_LIMITED')
  assert.equal(receiver.received.length, 60)
  app.clock.advance(61_000)
  dataOf(await alice.post(again))
})
