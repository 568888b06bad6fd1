import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { Store } from './store.ts'
import { StorageWatch } from './watch.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('logs one line naming the storage when it fails, and one when it works again', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const lines: string[] = []
  const log = {
    info: (line: string) => void lines.push(`info ${line}`),
    warn: (line: string) => void lines.push(`warn ${line}`),
  }
  const answers = [true, false, false, false, true, true, false]
  const store = { isHealthy: () => Promise.resolve(answers.shift() ?? false) } as unknown as Store
  const watch = new StorageWatch(store, 's3.example.com', log as never)
  await turn()
  for (let round = 0; round < 6; round++) {
    mock.timers.tick(10_000)
    await turn()
  }
  assert.deepEqual(lines, [
    'warn storage: unavailable or full: s3.example.com',
    'info storage: available again: s3.example.com',
    'warn storage: unavailable or full: s3.example.com',
  ])
  watch.close()
  mock.timers.reset()
})
