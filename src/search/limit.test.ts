import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { anyone } from '../../test/actors.ts'
import { startApp } from '../../test/app.ts'
import { assertError, dataOf } from '../../test/make.ts'
import { SearchLimit } from './limit.ts'

const app = await startApp({ TRUST_PROXY: '1' })
const PATHS = ['/search?q=a', '/search/suggest?q=a']
const from = (address: string) => anyone(app.url, { 'x-forwarded-for': address })

/** Occupies a search slot for each of these owners. Returns a function that frees the slots. */
function hold(owners: (string | undefined)[]) {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const running = owners.map((owner) => app.deps.searches.run(owner, () => held))
  return async () => {
    release()
    await Promise.all(running)
  }
}

test('rejects searches when too many run at once', async () => {
  const release = hold(Array.from({ length: 64 }, (_, index) => `owner ${index}`))
  for (const path of PATHS) {
    const answer = await app.anon.get(path)
    assertError(answer, 503, 'SERVICE_UNAVAILABLE')
    assert.equal(answer.headers.get('retry-after'), '2')
  }
  await release()
  for (const path of PATHS) dataOf(await app.anon.get(path))
})

test('rejects the 17th search of an address, a network or a user, but serves others', async () => {
  const alice = await app.user()
  for (const [owner, rejected, served] of [
    ['203.0.113.7', [from('203.0.113.7')], [from('203.0.113.8'), alice, app.anon]],
    [
      '2001:db8:1::/48',
      [from('2001:db8:1::1'), from('2001:db8:1:2::1')],
      [from('2001:db8:2::1'), alice],
    ],
  ] as const) {
    const release = hold(Array(16).fill(owner))
    for (const path of PATHS) {
      for (const client of rejected) {
        const answer = await client.get(path)
        assertError(answer, 503, 'SERVICE_UNAVAILABLE')
        assert.equal(answer.headers.get('retry-after'), '2')
      }
      for (const client of served) dataOf(await client.get(path))
    }
    await release()
    for (const client of rejected) dataOf(await client.get('/search?q=a'))
  }
  const release = hold(Array(16).fill(alice.id))
  assertError(await alice.get('/search?q=a'), 503, 'SERVICE_UNAVAILABLE')
  dataOf(await (await app.user()).get('/search?q=a'))
  await release()
})

test('runs at most two searches of an owner at once, and others beside them', async () => {
  const limit = new SearchLimit()
  const order: string[] = []
  const ends: (() => void)[] = []
  const start = (owner: string) =>
    limit.run(owner, () => {
      order.push(owner)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const searches = [...Array<string>(8).fill('ana'), 'ben', 'cho'].map(start)
  await setImmediate()
  assert.deepEqual(order, ['ana', 'ana', 'ben', 'cho'])
  while (order.length < searches.length || ends.length > 0) {
    ends.shift()?.()
    await setImmediate()
  }
  await Promise.all(searches)
  assert.equal(order.length, 10)
})
