import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sync } from '../src/session/desired.ts'

/** A toggle that records its requests. `during` runs while a request is under way. */
function wishing(during: (asked: boolean[]) => void) {
  const asked: boolean[] = []
  const wish = {
    isWanted: true,
    held: false,
    show: () => {},
    set: async (isWanted: boolean) => {
      asked.push(isWanted)
      during(asked)
      return isWanted
    },
  }
  return { wish, asked }
}

test('one press sends one request with the desired state', async () => {
  const { wish, asked } = wishing(() => {})
  assert.equal(await sync(wish), true)
  assert.deepEqual(asked, [true])
})

test('the last press during a request wins', async () => {
  const { wish, asked } = wishing(() => {
    wish.isWanted = false
  })
  assert.equal(await sync(wish), false)
  assert.deepEqual(asked, [true, false])
})

test('a failed request is not retried and keeps the confirmed state', async () => {
  const { wish, asked } = wishing(({ length }) => {
    wish.isWanted = false
    if (length === 2) throw new Error('refused')
  })
  await assert.rejects(sync(wish), /refused/)
  assert.deepEqual([asked, wish.held], [[true, false], true])
})
