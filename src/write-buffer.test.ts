import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WriteBuffer } from './write-buffer.ts'

test('replaces the value of a known key and drops a new key when the buffer is full', async () => {
  let stored = new Map<string, number>()
  const store = async (values: Map<string, number>) => void (stored = values)
  const buffer = new WriteBuffer<number>(60_000, store, assert.ifError)
  for (let key = 0; key < 10_000; key++) buffer.add(String(key), 1)
  buffer.add('0', 2)
  buffer.add('new', 2)
  await buffer.close()
  assert.deepEqual([stored.size, stored.get('0'), stored.has('new')], [10_000, 2, false])
})
