import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sync } from '../src/session/desired.ts'

/** Creates a toggle that records its requests. `during` runs while a request is in flight. */
function makeDesired(during: (asked: boolean[]) => void) {
  const asked: boolean[] = []
  const toggle = {
    desired: true,
    confirmed: false,
    show: () => {},
    set: async (desired: boolean) => {
      asked.push(desired)
      during(asked)
      return desired
    },
  }
  return { toggle, asked }
}

test('one press sends one request with the desired state', async () => {
  const { toggle, asked } = makeDesired(() => {})
  assert.equal(await sync(toggle), true)
  assert.deepEqual(asked, [true])
})

test('the last press during a request wins', async () => {
  const { toggle, asked } = makeDesired(() => {
    toggle.desired = false
  })
  assert.equal(await sync(toggle), false)
  assert.deepEqual(asked, [true, false])
})

test('a failed request is not retried and keeps the confirmed state', async () => {
  const { toggle, asked } = makeDesired(({ length }) => {
    toggle.desired = false
    if (length === 2) throw new Error('refused')
  })
  await assert.rejects(sync(toggle), /refused/)
  assert.deepEqual([asked, toggle.confirmed], [[true, false], true])
})
