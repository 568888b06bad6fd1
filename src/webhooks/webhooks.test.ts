import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { type Answer, ENGINE, type Loose, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeApp,
  times,
  valuesOf,
} from '../../test/make.ts'
import { deliveriesOf, makeWebhook, receive } from '../../test/receiver.ts'
import { EVENT_KINDS } from './kinds.ts'

const app = await startApp()
const alice = await app.user()
const url = 'https://hooks.example.com/plaza'
const full = { endpoint_url: url, events: ['content.published', 'jump.play'] }
const named = (answer: Answer) => answer.error?.details?.map(({ field }) => field) ?? []

describe('a webhook', () => {
  test('stores its input and shows its secrets only when created', async () => {
    const { id: app_id } = await makeApp(alice)
    const path = `/devconsole/apps/${app_id}/webhooks`
    const made = dataOf(await alice.post(path, { ...full, is_active: false, id: 'x' }), 201)
    const { webhook, secret, signing_secret } = made
    assert.deepEqual(Object.keys(made).sort(), ['secret', 'signing_secret', 'webhook'])
    assert.match(webhook.id, /^whk_/)
    const { id, created_at } = webhook
    const record = { id, app_id, ...full, is_active: true, failure_count: 0, created_at }
    assert.deepEqual(webhook, record)
    assert.match(secret, /^svs_[\w-]{43}$/)
    assert.match(signing_secret, /^whsec_[\w+/]{43}=$/)
    const { webhooks } = dataOf(await alice.get(path))
    assert.deepEqual(webhooks, [webhook])
    const second = dataOf(await alice.post(path, full), 201)
    const secrets = [secret, signing_secret, second.secret, second.signing_secret]
    const stripped = secrets.map((value: string) => value.replace(/^(svs|whsec)_/, ''))
    assert.equal(new Set(stripped).size, 4)
    assert.deepEqual(idsOf(dataOf(await alice.get(path)).webhooks), [second.webhook.id, id])
  })

  test('is rejected when its input is invalid', async () => {
    const { id } = await makeApp(alice)
    const path = `/devconsole/apps/${id}/webhooks`
    const bad: [Record<string, unknown>, string][] = [
      [{ endpoint_url: undefined }, 'endpoint_url'],
      [{ endpoint_url: '' }, 'endpoint_url'],
      [{ endpoint_url: 5 }, 'endpoint_url'],
      [{ endpoint_url: `https://a.example/${'x'.repeat(2000)}` }, 'endpoint_url'],
      [{ events: undefined }, 'events'],
      [{ events: [] }, 'events'],
      [{ events: 'jump.play' }, 'events'],
      [{ events: ['jump.play', 'jump.stop'] }, 'events.1'],
      [{ events: ['__proto__'] }, 'events.0'],
      [{ events: ['webhook.test'] }, 'events.0'],
      [{ events: ['Jump.Play'] }, 'events.0'],
      [{ events: [null] }, 'events.0'],
      [{ events: Array(10_000).fill('jump.play') }, 'events'],
    ]
    for (const [over, field] of bad) {
      assertInvalid(await alice.post(path, { ...full, ...over }), field)
    }
    const urls =
      `/hook hooks.example.com ftp://a.example/ file:///etc/passwd gopher://a.example/ ws://a.example/
      javascript:alert(1) data:,x http://user@a.example/ https://user:pass@a.example/ https://a.example/#x
      http://a.example:22/ http://a.example:25/ http://a.example:6379/ http://a.example#@b.example/
      http://[::1 http://1.2.3.256/ https:// http:a.example`.split(/\s+/)
    for (const endpoint_url of [...urls, 'http://a.example/\r\nx: y', 'http://a.example\\@b.ex/']) {
      const answer = await alice.post(path, { ...full, endpoint_url })
      assertError(answer, 422, 'VALIDATION_ERROR')
      assert.deepEqual(named(answer), ['endpoint_url'], endpoint_url)
    }
    assert.deepEqual(dataOf(await alice.get(path)).webhooks, [])
  })

  test('stores each kind once, in the order of the catalogue', async () => {
    const events = ['jump.play', 'creator.followed', 'jump.play', 'content.published']
    const { webhook } = await makeWebhook(alice, url, events)
    assert.deepEqual(webhook.events, ['content.published', 'creator.followed', 'jump.play'])
  })

  test('can be changed by its owner only', async () => {
    const { webhook } = await makeWebhook(alice, url)
    const path = `/devconsole/webhooks/${webhook.id}`
    assert.deepEqual(dataOf(await alice.patch(path, {})).webhook, webhook)
    const change = { endpoint_url: 'http://b.example:8080/', events: ['jump.play'] }
    const changed = dataOf(await alice.patch(path, { ...change, is_active: false })).webhook
    assert.deepEqual(changed, { ...webhook, ...change, is_active: false })
    for (const [body, field] of [
      [{ endpoint_url: 'ftp://a.example' }, 'endpoint_url'],
      [{ events: [] }, 'events'],
      [{ events: ['x'] }, 'events.0'],
      [{ is_active: 'yes' }, 'is_active'],
      [{ is_active: null }, 'is_active'],
    ] as const) {
      assertInvalid(await alice.patch(path, body), field)
    }
    const { webhooks } = dataOf(await alice.get(`/devconsole/apps/${webhook.app_id}/webhooks`))
    assert.deepEqual(webhooks, [changed])
  })

  test('disappears with its log when deleted', async () => {
    const { webhook } = await makeWebhook(alice, url)
    const path = `/devconsole/webhooks/${webhook.id}`
    assert.equal((await alice.delete(path)).status, 204)
    for (const answer of [
      await alice.delete(path),
      await alice.patch(path, { is_active: true }),
      await alice.post(`${path}/test`),
      await alice.post(`${path}/rotate-secret`),
      await alice.get(`${path}/deliveries`),
    ]) {
      assertError(answer, 404, 'WEBHOOK_NOT_FOUND')
    }
    const [row] = await app.sql(
      `select secret, signing_secret from webhooks where id = '${webhook.id}'`,
    )
    assert.deepEqual({ ...row }, { secret: null, signing_secret: null })
  })

  test('disappears with its app', async () => {
    const { webhook } = await makeWebhook(alice, url)
    assert.equal((await alice.delete(`/devconsole/apps/${webhook.app_id}`)).status, 204)
    const path = `/devconsole/apps/${webhook.app_id}/webhooks`
    assertError(await alice.get(path), 404, 'APP_NOT_FOUND')
    assertError(await alice.post(path, full), 404, 'APP_NOT_FOUND')
    const own = `/devconsole/webhooks/${webhook.id}`
    assertError(await alice.post(`${own}/test`), 404, 'WEBHOOK_NOT_FOUND')
    assertError(await alice.get(`${own}/deliveries`), 404, 'WEBHOOK_NOT_FOUND')
  })
})

test('limits an app to 20 webhooks and a user to 100, also in parallel', async () => {
  const user = await app.user()
  const sibling = await app.sibling()
  const make = (appId: string, i = 0) =>
    (i % 2 ? user : user.at(sibling.url)).post(`/devconsole/apps/${appId}/webhooks`, full)
  const first = await makeApp(user)
  const answers = await times(24, (i) => make(first.id, i))
  const refused = answers.filter(({ status }) => status !== 201)
  assert.equal(refused.length, 4)
  for (const answer of refused) assertError(answer, 409, 'LIMIT_REACHED')
  const apps = [await makeApp(user), await makeApp(user), await makeApp(user)]
  for (const { id } of apps) await times(20, () => make(id))
  const [last, extra] = [await makeApp(user), await makeApp(user)]
  await times(15, () => make(last.id))
  const attempts = await times(10, (i) => make(i < 5 ? last.id : extra.id, i))
  assert.equal(attempts.filter(({ status }) => status === 201).length, 5)
  assert.equal((await user.delete(`/devconsole/apps/${first.id}`)).status, 204)
  dataOf(await make(extra.id), 201)
})

test("returns a sample of each event kind, described in the request's language", async () => {
  const [english, korean] = await Promise.all(
    ['en', 'ko'].map(async (language) => {
      const headers = { 'accept-language': language }
      return dataOf(await alice.get('/devconsole/event-types', { headers })).event_types
    }),
  )
  assert.deepEqual(valuesOf(english, 'name'), EVENT_KINDS)
  for (const [i, { name, description, sample }] of english.entries()) {
    assert.match(description, /^[A-Z]/)
    assert.match(korean[i].description, /[가-힣]/)
    assert.deepEqual(Object.keys(sample), ['id', 'type', 'created_at', 'api_version', 'data'])
    assert.deepEqual([sample.type, sample.api_version], [name, 'v1'])
  }
})

test('never shows a secret again in responses, the delivery log or the database', async () => {
  const receiver = await receive()
  const { id } = await makeApp(alice)
  const headers = { 'idempotency-key': 'webhook-1' }
  const body = { ...full, endpoint_url: receiver.url }
  const path = `/devconsole/apps/${id}/webhooks`
  const made = dataOf(await alice.post(path, body, { headers }), 201)
  const again = await alice.post(path, body, { headers })
  assert.deepEqual(dataOf(again, 201), { ...made, secret: null, signing_secret: null })
  const own = `/devconsole/webhooks/${made.webhook.id}`
  const key = { headers: { 'idempotency-key': 'webhook-2' } }
  const rotated = dataOf(await alice.post(`${own}/rotate-secret`, undefined, key))
  const replayed = dataOf(await alice.post(`${own}/rotate-secret`, undefined, key))
  assert.deepEqual(replayed, { ...rotated, secret: null, signing_secret: null })
  await alice.post(`${own}/test`)
  const raw = [made, rotated].flatMap(({ secret, signing_secret }) => [secret, signing_secret])
  assert.equal(new Set(raw).size, 4)
  const texts = [
    await alice.get(path),
    await alice.get(`${own}/deliveries`),
    await alice.patch(own, { is_active: false }),
  ].map(({ text }) => text)
  if (ENGINE === 'sqlite') {
    const { dataDir } = app.deps.config
    for (const file of readdirSync(dataDir).filter((name) => name.startsWith('plaza.db'))) {
      texts.push(readFileSync(join(dataDir, file), 'latin1'))
    }
  } else {
    for (const table of ['webhooks', 'webhook_events', 'webhook_attempts', 'idempotency_keys']) {
      texts.push(JSON.stringify(await app.sql(`select * from ${table}`)))
    }
  }
  for (const secret of raw) {
    assert.ok(texts.every((text) => !text.includes(secret.slice(6))))
  }
  const sealed: Loose[] = await app.sql(`select secret, signing_secret from webhooks
    where id = '${made.webhook.id}'`)
  assert.match(sealed[0].secret, /^v1\.[\w-]{90,}$/)
  assert.notEqual(sealed[0].secret, sealed[0].signing_secret)
})

test("returns the result of a test's only attempt, with a signature the receiver can verify", async () => {
  const receiver = await receive((number) =>
    number === 1 ? { status: 202, body: 'thanks' } : { status: 503, body: 'x'.repeat(5000) },
  )
  const { webhook, secret, signing_secret } = await makeWebhook(alice, receiver.url)
  const path = `/devconsole/webhooks/${webhook.id}/test`
  const { delivery } = dataOf(await alice.post(path))
  const [first] = receiver.received
  assert.ok(first)
  const { id, event_id, created_at, attempts } = delivery
  const [{ at: startedAt, duration_ms }] = attempts
  assert.deepEqual(delivery, {
    id,
    event_id,
    event: 'webhook.test',
    status: 'delivered',
    attempt_count: 1,
    attempts: [
      { at: startedAt, response_status: 202, response_body: 'thanks', error: null, duration_ms },
    ],
    next_attempt_at: null,
    created_at,
  })
  assert.match(id, /^dlv_/)
  assert.match(event_id, /^evt_/)
  assert.deepEqual(first.event, {
    id: event_id,
    type: 'webhook.test',
    created_at: first.event.created_at,
    api_version: 'v1',
    data: { webhook },
  })
  assert.equal(first.headers['content-type'], 'application/json')
  assert.match(first.headers['user-agent'] ?? '', /^Plaza-Webhooks\/\d/)
  assert.equal(first.headers['x-service-secret'], secret)
  assert.equal(first.headers['webhook-id'], event_id)
  const headers = first.headers as Record<string, string>
  assert.deepEqual(new Webhook(signing_secret).verify(first.text, headers), first.event)
  assert.throws(() => new Webhook(signing_secret).verify(`${first.text} `, headers))

  const failed = dataOf(await alice.post(path)).delivery
  assert.deepEqual([failed.status, failed.next_attempt_at], ['failed', null])
  const [attempt] = failed.attempts
  assert.deepEqual([attempt.response_status, attempt.error], [503, 'http_status'])
  assert.equal(attempt.response_body, 'x'.repeat(2048))
  assert.deepEqual(await deliveriesOf(alice, webhook.id), [failed, delivery])
  const [{ failure_count }] = dataOf(
    await alice.get(`/devconsole/apps/${webhook.app_id}/webhooks`),
  ).webhooks
  assert.equal(failure_count, 1)
})
