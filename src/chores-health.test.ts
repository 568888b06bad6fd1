import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { pino } from 'pino'
import { Chores } from './chores.ts'
import type { Db } from './db/handle.ts'

const MINUTE = 60_000
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('chores that fail are told as failing until a round succeeds, and no round meets another', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const rounds: PromiseWithResolvers<void>[] = []
  const chore = () => {
    const round = Promise.withResolvers<void>()
    rounds.push(round)
    return round.promise
  }
  const chores = new Chores({} as Db, () => performance.now(), pino({ level: 'silent' }), [chore])
  mock.timers.tick(MINUTE)
  assert.equal(chores.isHealthy(), true)
  rounds[0]?.reject(new Error('no such table'))
  await turn()
  assert.equal(chores.isHealthy(), false)
  mock.timers.tick(MINUTE)
  assert.equal(rounds.length, 2)
  assert.equal(chores.isHealthy(), false, 'while the next round runs')
  mock.timers.tick(MINUTE)
  assert.equal(rounds.length, 2, 'a round began while one ran')
  rounds[1]?.resolve()
  await turn()
  assert.equal(chores.isHealthy(), true)
  chores.close()
  mock.timers.reset()
})
