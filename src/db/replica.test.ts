import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { Db } from './handle.ts'
import { Replica } from './replica.ts'

test('does not query a hanging primary again until it answers, so that its connections stay free', async () => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const asked: PromiseWithResolvers<unknown>[] = []
  const primary = {
    first: () => {
      const answer = Promise.withResolvers<unknown>()
      asked.push(answer)
      return answer.promise
    },
  } as unknown as Db
  const replica = new Replica({ primary, open: () => assert.fail(), onChange: () => {} })
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      mock.timers.tick(1000)
      await new Promise(setImmediate)
    }
  }
  try {
    await pass(10)
    assert.equal(asked.length, 1)
    asked[0]?.reject(new Error('the connection is silent'))
    await pass(2)
    assert.equal(asked.length, 2)
  } finally {
    const closed = replica.close()
    await pass(1)
    await closed
    mock.timers.reset()
  }
})
