import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { dataOf } from '../../test/make.ts'
import { makeWebhook, receive, refusing } from '../../test/receiver.ts'

const app = await startApp({ ACCESS_TOKEN_TTL: '31536000', REFRESH_TOKEN_TTL: '31536000' })
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const failOnce = async (alice: Actor, webhookId: string) =>
  dataOf(await alice.post(`/devconsole/webhooks/${webhookId}/test`))
const isActive = async (alice: Actor, appId: string) =>
  dataOf(await alice.get(`/devconsole/apps/${appId}/webhooks`)).webhooks[0].is_active

test('keeps a webhook enabled that failed for less than five days when the clock jumps either way', async () => {
  const alice = await app.user()
  const { webhook } = await makeWebhook(alice, (await receive(refusing)).url)
  await failOnce(alice, webhook.id)
  for (const days of [6, -6, -6, 6, 300, -300]) {
    app.clock.jump(days * DAY_MS)
    await failOnce(alice, webhook.id)
    app.clock.advance(2 * HOUR_MS)
    await failOnce(alice, webhook.id)
    assert.equal(await isActive(alice, webhook.app_id), true, `${days} days`)
  }
})

test('counts failing time immediately after a clock that was ahead is set back', async () => {
  const alice = await app.user()
  const { webhook } = await makeWebhook(alice, (await receive(refusing)).url)
  app.clock.jump(300 * DAY_MS)
  await failOnce(alice, webhook.id)
  app.clock.jump(-300 * DAY_MS)
  for (let hours = 0; hours <= 132; hours += 12) {
    await failOnce(alice, webhook.id)
    app.clock.advance(12 * HOUR_MS)
  }
  assert.equal(await isActive(alice, webhook.app_id), false)
})

test('does not count time without a running server as failing', async () => {
  const alice = await app.user()
  const { webhook } = await makeWebhook(alice, (await receive(refusing)).url)
  await failOnce(alice, webhook.id)
  // Moves the last failure into the past, as if the server was stopped for six days or started with a wrong
  // clock.
  await app.sql(
    `update webhooks set failed_at = failed_at - ${6 * DAY_MS} where id = '${webhook.id}'`,
  )
  await failOnce(alice, webhook.id)
  assert.equal(await isActive(alice, webhook.app_id), true)
})
