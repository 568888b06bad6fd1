import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNesting } from './depth.ts'

const findTooDeep = (text: string) => findNesting(text)?.field

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('names the field that is nested too deeply', () => {
  assert.equal(findTooDeep(`{"a":${nested(31)},"b":${nested(31)}}`), undefined)
  assert.equal(findTooDeep(`{"a":${nested(31)},"b":${nested(32)}}`), 'b')
  assert.equal(findTooDeep(`{"a":${'{"c":'.repeat(32)}1${'}'.repeat(33)}`), 'a')
  assert.equal(findTooDeep(nested(33)), 'body')
  assert.equal(findTooDeep('['.repeat(100_000)), 'body')
})

test('ignores brackets in strings, also after escaped characters', () => {
  const brackets = '['.repeat(100)
  for (const text of [brackets, `\\"${brackets}`, `\\\\\\"${brackets}\\\\`]) {
    assert.equal(findTooDeep(`{"a":"${text}"}`), undefined, text)
  }
  assert.equal(findTooDeep(`{"a":"\\\\","b":${brackets}`), 'b')
  assert.equal(findTooDeep(`{"a":"${brackets}`), undefined)
  assert.equal(findTooDeep(`{"a":"\\`), undefined)
})

test('names the field with more than 20,000 objects and lists', () => {
  const many = (count: number) => `{"a":[1,2],"b":[${Array(count).fill('{}').join(',')}]}`
  assert.equal(findNesting(many(20_000 - 3)), undefined)
  assert.deepEqual(findNesting(many(20_000 - 2)), {
    field: 'b',
    key: 'invalid.too_many',
    params: { limit: 20_000 },
  })
})
