import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { makeContent } from '../../test/make.ts'
import { attempted, refusing, endedDeliveries, taking, makeListener } from '../../test/receiver.ts'
import { repairFutureTimestamps } from './future-timestamps.ts'

const GAP_S = 604_800
const app = await startApp({
  WEBHOOK_RETRY_SCHEDULE: `3,${GAP_S}`,
  ACCESS_TOKEN_TTL: '31536000',
  REFRESH_TOKEN_TTL: '31536000',
})
const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function dueIn(deliveryId: string): Promise<number> {
  return (
    Number(
      await app.value(
        `select next_attempt_at as due from webhook_deliveries where id = '${deliveryId}'`,
      ),
    ) - app.clock.now()
  )
}

test('waits as long as the schedule says after a delivery was scheduled by a clock that was ahead', async () => {
  for (const ahead of [10 * MINUTE, 3 * HOUR, 24 * 300 * HOUR]) {
    const { owner: alice, webhook } = await makeListener(app, refusing)
    app.clock.jump(ahead)
    await makeContent(alice)
    const { id } = await attempted(alice, webhook.id, 1)
    app.clock.jump(-ahead)
    assert.ok((await dueIn(id)) > ahead - MINUTE)
    await repairFutureTimestamps(app.db, app.clock.now())
    assert.ok((await dueIn(id)) <= 3000)
    await attempted(alice, webhook.id, 2)
    const wait = await dueIn(id)
    assert.ok(wait > GAP_S * 790 && wait < GAP_S * 1210, 'jitter is at most a fifth')
    await repairFutureTimestamps(app.db, app.clock.now())
    assert.ok(Math.abs((await dueIn(id)) - wait) < MINUTE, 'a correct wait stays the same')
  }
})

test('sends a delivery without attempts when its server was killed while the clock was ahead', async () => {
  const { owner: alice, receiver, webhook } = await makeListener(app, refusing)
  await makeContent(alice)
  const { id } = await attempted(alice, webhook.id, 1)
  const later = app.clock.now() + 50 * MINUTE
  await app.sql(`update webhook_deliveries set attempt_count = 0, next_attempt_at = ${later},
    scheduled_at = ${later} where id = '${id}'`)
  await app.sql(`delete from webhook_attempts where delivery_id = '${id}'`)
  await app.sql(
    `update webhooks set lease = 'of a killed process', leased_until = ${later} where id = '${webhook.id}'`,
  )
  receiver.answer = taking
  await repairFutureTimestamps(app.db, app.clock.now())
  const [delivery] = await endedDeliveries(alice, webhook.id)
  assert.deepEqual([delivery.status, delivery.attempt_count], ['delivered', 1])
  assert.equal(receiver.received.length, 2)
})
