import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { pino } from 'pino'
import { Maintenance } from './maintenance.ts'
import type { Db } from './db/handle.ts'

const MINUTE = 60_000
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('reports failing maintenance tasks until a round succeeds, and never runs two rounds at once', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const rounds: PromiseWithResolvers<void>[] = []
  const task = () => {
    const round = Promise.withResolvers<void>()
    rounds.push(round)
    return round.promise
  }
  const maintenance = new Maintenance(
    {} as Db,
    () => performance.now(),
    pino({ level: 'silent' }),
    [task],
  )
  mock.timers.tick(MINUTE)
  assert.equal(maintenance.isHealthy(), true)
  rounds[0]?.reject(new Error('no such table'))
  await turn()
  assert.equal(maintenance.isHealthy(), false)
  mock.timers.tick(MINUTE)
  assert.equal(rounds.length, 2)
  assert.equal(maintenance.isHealthy(), false, 'still unhealthy while the next round runs')
  mock.timers.tick(MINUTE)
  assert.equal(rounds.length, 2, 'no round starts while another runs')
  rounds[1]?.resolve()
  await turn()
  assert.equal(maintenance.isHealthy(), true)
  maintenance.close()
  mock.timers.reset()
})
