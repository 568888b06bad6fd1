import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Run } from '../db/handle.ts'
import { readBatches } from './rows.ts'

const table = {
  name: 't',
  columns: ['id', 'body'].map((name) => ({ name, type: 'text' })),
  key: ['id'],
}

/** Reads a simulated table of `rows` rows with `chars` characters each. Returns the `limit` of each query. */
async function limitsOf(rows: number, chars: number): Promise<number[]> {
  const limits: number[] = []
  const body = 'x'.repeat(chars)
  const run: Run = async (text) => {
    const after = Number(/> \((\d+)\)/.exec(text)?.[1] ?? 0)
    const limit = Number(/limit (\d+)$/.exec(text)?.[1])
    limits.push(limit)
    const length = Math.min(limit, rows - after)
    return Array.from({ length }, (_, index) => ({ id: after + index + 1, body }))
  }
  let seen = 0
  for await (const batch of readBatches(run, table)) {
    for (const line of batch) assert.equal((JSON.parse(line) as unknown[])[0], ++seen)
  }
  assert.equal(seen, rows)
  return limits
}

test('reads long rows in small pages and short ones in large pages, each row once', async () => {
  assert.deepEqual(await limitsOf(2500, 10), [10, 100, 1000, 1000, 1000])
  for (const limit of await limitsOf(60, 87_000)) assert.ok(limit <= 11, `${limit} rows`)
  assert.deepEqual((await limitsOf(12, 3_000_000)).slice(0, 3), [10, 1, 1])
  assert.deepEqual(await limitsOf(0, 1), [10])
})
