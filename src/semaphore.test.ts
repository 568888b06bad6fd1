import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Semaphore, SemaphorePerOwner } from './semaphore.ts'

test('limits each owner separately, so that one owner cannot delay the others', async () => {
  const shared = new Semaphore(3)
  const perOwner = new SemaphorePerOwner(2)
  const running: string[] = []
  const ends: (() => void)[] = []
  const start = (owner: string) =>
    perOwner.run(owner, () =>
      shared.run(1, () => {
        running.push(owner)
        return new Promise<void>((resolve) => ends.push(resolve))
      }),
    )
  const contents = ['ana', 'ana', 'ana', 'ana', 'ben'].map(start)
  await setImmediate()
  assert.deepEqual(running, ['ana', 'ana', 'ben'])
  while (running.length < contents.length || ends.length > 0) {
    ends.shift()?.()
    await setImmediate()
  }
  await Promise.all(contents)
  assert.deepEqual(running, ['ana', 'ana', 'ben', 'ana', 'ana'])
})

test('releases the share when the task fails', async () => {
  const perOwner = new SemaphorePerOwner(1)
  const failing = () => perOwner.run('ana', () => Promise.reject(new Error('broken')))
  await assert.rejects(failing(), /broken/)
  await assert.rejects(failing(), /broken/)
  assert.equal(await perOwner.run('ana', async () => 'done'), 'done')
})
