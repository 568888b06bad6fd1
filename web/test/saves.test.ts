import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { keepSaves, savesOf } from '../src/jump/saves.ts'

const kept = new Map<string, string>()
Object.defineProperty(globalThis, 'localStorage', {
  value: {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  },
  configurable: true,
})
const BIG = 's'.repeat(390_000)

beforeEach(() => kept.clear())

test('a game’s saves are stored, and other messages are ignored', () => {
  keepSaves('cnt_1', { saves: '{"level":"2"}' })
  const none = [null, 'saves', {}, { saves: 1 }, { saves: 's'.repeat(400_001) }]
  for (const message of none) keepSaves('cnt_1', message)
  assert.equal(savesOf('cnt_1'), '{"level":"2"}')
  assert.equal(savesOf('cnt_2'), '')
})

test('the least recently updated saves are deleted when the total exceeds the limit', () => {
  kept.set('plaza.session', '1')
  for (let game = 0; game < 50; game++) {
    keepSaves(`cnt_${game}`, { saves: BIG })
    // Makes `cnt_0` the most recently saved game.
    keepSaves('cnt_0', { saves: `${game}` })
  }
  const size = [...kept].reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  assert.ok(size < 2_001_000, `${size}`)
  assert.equal(savesOf('cnt_0'), '49')
  assert.equal(savesOf('cnt_49'), BIG)
  assert.equal(savesOf('cnt_1'), '')
  assert.equal(kept.get('plaza.session'), '1')
})
