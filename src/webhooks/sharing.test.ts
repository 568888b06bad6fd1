import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone } from '../../test/actors.ts'
import { ENGINE, type Loose, settingsOf, startApp, testSecrets } from '../../test/app.ts'
import { dataOf, makeContent, times } from '../../test/make.ts'
import { serve } from '../../test/process.ts'
import {
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

const app = await startApp({ WEBHOOK_RETRY_SCHEDULE: '0,0' })

test('makes first attempts to one webhook one at a time, in the order of events', async () => {
  const {
    owner: alice,
    receiver,
    webhook,
  } = await makeListener(app, () => ({ delayMs: 3 }), ['content.updated'])
  const contents = await times(5, () => makeContent(alice))
  for (let round = 0; round < 4; round++) {
    await Promise.all(
      contents.map(({ id }) => alice.patch(`/contents/${id}`, { title: `${round}` })),
    )
  }
  await endedDeliveries(alice, webhook.id)
  // Updates of the same round run in parallel, so only the order of the rounds is fixed.
  const rounds = receiver.received.map(({ event }) => event.data.content.title)
  assert.equal(rounds.join(''), '00000111112222233333')
  assert.equal(receiver.atOnce, 1)
})

test('delivers to different webhooks at the same time', async () => {
  const receiver = await receive(async () => {
    await until(() => receiver.received.length === 8, 'eight parallel requests')
    return {}
  })
  const owners = await times(8, () => app.user())
  for (const owner of owners) {
    await makeWebhook(owner, receiver.url)
    await makeContent(owner)
  }
  await receiver.nth(8)
  await until(() => receiver.atOnce === 8, 'eight parallel requests')
})

for (const [whose, users, each] of [
  ['one user has', 1, 30],
  ['four users have', 4, 15],
] as const) {
  test(`does not delay other webhooks when ${whose} many slow receivers`, async () => {
    const slow = await receive(() => ({ delayMs: 2000 }))
    const owners = await times(users, () => app.user())
    for (const user of owners) await times(each, () => makeWebhook(user, slow.url))
    const alice = await app.user()
    const receiver = await receive()
    await makeWebhook(alice, receiver.url)
    for (let round = 0; round < 5; round++) for (const user of owners) await makeContent(user)
    await slow.nth(1)
    await makeContent(alice)
    // The first delivery may wait two seconds for a free queue. The test measures only the second one.
    await receiver.nth(1)
    const start = performance.now()
    await makeContent(alice)
    await receiver.nth(2)
    const took = performance.now() - start
    assert.ok(took < 3500, `${took} ms`)
    assert.ok(slow.atOnce > 1, `${slow.atOnce} at once`)
  })
}

test('does not delay other webhooks while many disabled webhooks are being tested', async () => {
  const { owner: alice, receiver, webhook } = await makeListener(app)
  await makeContent(alice)
  await endedDeliveries(alice, webhook.id)
  let letGo = () => {}
  const held = new Promise<void>((done) => (letGo = done))
  const slow = await receive(() => held.then(() => ({})))
  const paths = await times(25, async () => {
    const user = await app.user()
    const made = await makeWebhook(user, slow.url)
    const path = `/devconsole/webhooks/${made.webhook.id}`
    dataOf(await user.patch(path, { is_active: false }))
    return { user, path }
  })
  const tests = paths.map(({ user, path }) => user.post(`${path}/test`))
  await slow.nth(25)
  try {
    await makeContent(alice)
    await receiver.nth(2)
  } finally {
    letGo()
  }
  for (const asked of tests) assert.equal(dataOf(await asked).delivery.status, 'delivered')
})

test('delivers each event from one server when several run', async () => {
  const alice = await app.user()
  const siblings = [await app.sibling(), await app.sibling()]
  const receivers = [await receive(), await receive(() => ({ delayMs: 20 }))]
  const webhooks: Loose[] = []
  for (const { url } of receivers) webhooks.push((await makeWebhook(alice, url)).webhook)
  const urls = [app.url, ...siblings.map(({ url }) => url)]
  const body = { category: 'hype', type: 'image', title: 'One of many' }
  await times(30, async (i) => {
    dataOf(await alice.at(urls[i % 3] as string).post('/contents', body), 201)
    pass(0, app, ...siblings)
  })
  for (const [i, receiver] of receivers.entries()) {
    const log = await endedDeliveries(alice, webhooks[i].id)
    assert.equal(log.length, 30)
    assert.ok(
      log.every(
        (delivery: Loose) => delivery.status === 'delivered' && delivery.attempt_count === 1,
      ),
    )
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([ids.length, new Set(ids).size], [30, 30])
    assert.equal(receiver.atOnce, 1)
  }
  for (const sibling of siblings) await sibling.close()
})

test('retries a failed delivery from any server that runs', async () => {
  const alice = await app.user()
  const sibling = await app.sibling()
  const receiver = await receive((n) => (n % 3 === 0 ? {} : { status: 500 }))
  const { webhook } = await makeWebhook(alice, receiver.url)
  for (let i = 0; i < 6; i++) {
    await makeContent(alice)
    pass(0, sibling, app)
  }
  const log = await endedDeliveries(alice, webhook.id)
  const attempts = log.reduce((sum: number, delivery: Loose) => sum + delivery.attempt_count, 0)
  assert.equal(attempts, receiver.received.length)
  assert.ok(log.every((delivery: Loose) => delivery.attempts.length === delivery.attempt_count))
  await sibling.close()
})

test('finishes the attempt under way and starts no other when a server stops', async () => {
  const alice = await app.user()
  const sibling = await app.sibling()
  let letGo = () => {}
  const held = new Promise<void>((done) => (letGo = done))
  const receiver = await receive(async (n) => {
    if (n === 1) await held
    return {}
  })
  const { webhook } = await makeWebhook(alice, receiver.url)
  await app.deps.deliveries.close()
  await makeContent(alice)
  await makeContent(alice)
  pass(0, sibling)
  await receiver.nth(1)
  const closed = sibling.close()
  await new Promise((done) => setTimeout(done, 100))
  letGo()
  await closed
  const log = await deliveriesOf(alice, webhook.id)
  assert.deepEqual(
    log.map(({ status, attempt_count }: Loose) => [status, attempt_count]),
    [
      ['pending', 0],
      ['delivered', 1],
    ],
  )
  const next = await app.sibling()
  await endedDeliveries(alice, webhook.id)
  assert.equal(receiver.received.length, 2)
  await next.close()
})

test('resends within 20 seconds, under the same id, when a server was killed before it stored the result', async () => {
  // `app` stopped delivering in the previous test, so only the server below delivers.
  const {
    owner: alice,
    receiver,
    webhook,
  } = await makeListener(app, (n) => (n === 1 ? { delayMs: 30_000 } : {}))
  const child = await serve({
    LOG_LEVEL: 'fatal',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    FFMPEG: 'off',
    CHROMIUM: 'off',
    ...testSecrets(),
    ...settingsOf(app.deps.config),
  })
  const caller = anyone(child.url, { authorization: `Bearer ${alice.token}` })
  const body = { category: 'hype', type: 'image', title: 'Told twice' }
  dataOf(await caller.post('/contents', body), 201)
  const first = await receiver.nth(1)
  child.child.kill('SIGKILL')
  await child.ended
  const [pending] = await deliveriesOf(alice, webhook.id)
  assert.deepEqual([pending.status, pending.attempt_count], ['pending', 0])
  const sibling = await app.sibling()
  pass(0, sibling)
  await new Promise((done) => setTimeout(done, 50))
  assert.equal(receiver.received.length, 1, 'no attempt while the lease may be held')
  pass(20_000, sibling)
  const second = await receiver.nth(2)
  assert.equal(second.text, first.text)
  assert.equal(second.headers['webhook-id'], first.headers['webhook-id'])
  const [delivered] = await endedDeliveries(alice, webhook.id)
  assert.deepEqual([delivered.status, delivered.attempt_count], ['delivered', 1])
  await sibling.close()
})

test('finds due deliveries as fast when a dead receiver has a large backlog', async () => {
  const { owner: alice, receiver, webhook } = await makeListener(app, refusing)
  await makeContent(alice)
  const sibling = await app.sibling()
  await endedDeliveries(alice, webhook.id)
  await plant(webhook.id, 20_000)
  receiver.answer = () => ({ delayMs: 60_000 })
  pass(100_000, sibling)
  const before = receiver.received.length
  await until(() => receiver.received.length > before, 'the next attempt')
  const bob = await app.user()
  const witness = await receive(taking)
  const own = await makeWebhook(bob, witness.url)
  const start = performance.now()
  for (let i = 0; i < 10; i++) {
    await makeContent(bob)
    pass(0, sibling)
    await witness.nth(i + 1)
  }
  const took = performance.now() - start
  assert.ok(took < 9000, `${took} ms for ten`)
  const path = `/devconsole/webhooks/${webhook.id}`
  dataOf(await alice.patch(path, { is_active: false }))
  pass(0, sibling)
  await until(
    async () => (await countPending(webhook.id)) === 0,
    'the end of all pending deliveries',
  )
  await endedDeliveries(bob, own.webhook.id)
})

test('sends none of the pending deliveries when a webhook is disabled and enabled again', async () => {
  const { owner: alice, webhook } = await makeListener(app, refusing)
  const path = `/devconsole/webhooks/${webhook.id}`
  await makeContent(alice)
  await endedDeliveries(alice, webhook.id)
  await plant(webhook.id, 20_000)
  dataOf(await alice.patch(path, { is_active: false }))
  dataOf(await alice.patch(path, { is_active: true }))
  assert.equal(await countPending(webhook.id), 0)
  const { pagination } = dataOf(await alice.get(`${path}/deliveries`))
  assert.equal(pagination.total, 20_001)
})

let planted = 0

/** Adds `count` deliveries to a webhook, which must already have exactly one delivery. */
async function plant(webhookId: string, count: number): Promise<void> {
  const [row] = await app.sql(
    `select event_id, created_at from webhook_deliveries where webhook_id = '${webhookId}'`,
  )
  const { event_id, created_at } = row as Loose
  const number = `${planted} + i`
  planted += count
  await app.sql(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into webhook_deliveries
    (id, webhook_id, event_id, cause, status, attempt_count, next_attempt_at, created_at)
    select 'dlv_' || ${ENGINE === 'postgres' ? `lpad((${number})::text, 26, '0')` : `printf('%026d', ${number})`},
      '${webhookId}', '${event_id}', 'event', 'pending', 0, ${Number(created_at)} + i, ${created_at}
    from n`)
}

async function countPending(webhookId: string): Promise<number> {
  return await app.count(
    `webhook_deliveries where webhook_id = '${webhookId}' and status = 'pending'`,
  )
}
