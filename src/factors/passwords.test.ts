import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { mock, test } from 'node:test'
import { Passwords } from './passwords.ts'

test('a login that waits too long for a slot gets 503, and a later one gets the slot', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const passwords = new Passwords()
  const held = Promise.withResolvers<void>()
  const slots = Math.max(1, availableParallelism() - 1)
  const holding = Array.from({ length: slots }, () => passwords.withSlot(() => held.promise))
  const late = passwords.withSlot(() => Promise.resolve('late'))
  const refused = assert.rejects(late, { code: 'SERVICE_UNAVAILABLE', retryAfter: 5 })
  mock.timers.tick(15_000)
  await refused
  const next = passwords.withSlot(() => Promise.resolve('next'))
  held.resolve()
  await Promise.all(holding)
  assert.equal(await next, 'next')
  mock.timers.reset()
})
