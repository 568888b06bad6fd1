/** What a clock ahead put off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { makeContent } from '../../test/make.ts'
import { attempted, makeWebhook, receive, refusing, settled, taking } from '../../test/receiver.ts'
import { hurryDeliveries } from './hurry.ts'

const app = await startApp({ WEBHOOK_RETRY_SCHEDULE: '604800' })
const YEAR = 365 * 24 * 60 * 60 * 1000

test('a delivery that a clock ahead put off is sent once the clock is right; one that waits as long as it may is not hurried', async () => {
  const alice = await app.user()
  const receiver = await receive(refusing)
  const { webhook } = await makeWebhook(alice, receiver.url)
  await makeContent(alice)
  const { id } = await attempted(alice, webhook.id, 1)
  const due = async () =>
    Number(
      (
        await app.sql(`select next_attempt_at as due from webhook_deliveries where id = '${id}'`)
      )[0]?.['due'],
    )
  const before = await due()
  await hurryDeliveries(app.db, app.clock.now())
  assert.equal(await due(), before)
  await app.sql(
    `update webhook_deliveries set next_attempt_at = ${before + YEAR} where id = '${id}'`,
  )
  await app.sql(
    `update webhooks set lease = 'of one that died', leased_until = ${before + YEAR} where id = '${webhook.id}'`,
  )
  receiver.answer = taking
  await hurryDeliveries(app.db, app.clock.now())
  const [delivery] = await settled(alice, webhook.id)
  assert.deepEqual([delivery.status, delivery.attempt_count], ['delivered', 2])
})
