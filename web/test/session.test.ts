import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { askAgain } from '../src/session/askAgain.ts'
import { whenRestoredStale } from '../src/device/storage.ts'

test('signing in shows nothing that belonged to another user', async () => {
  const queries = new QueryClient()
  const viewer = { id: 'usr_2' }
  queries.setQueryData(['viewer'], viewer)
  queries.setQueryData(['messages', 'conversations'], 'of Mina')
  queries.setQueryData(['home'], 'as Mina sees it')
  const seen = new QueryObserver(queries, {
    queryKey: ['home'],
    queryFn: () => 'as Jun sees it',
    staleTime: Number.POSITIVE_INFINITY,
  })
  const leave = seen.subscribe(() => {})
  await askAgain(queries, viewer.id)
  assert.equal(queries.getQueryData(['messages', 'conversations']), undefined)
  assert.equal(queries.getQueryData(['home']), 'as Jun sees it')
  assert.equal(queries.getQueryData(['viewer']), viewer)
  leave()
})

test('signing in as another user drops the cache and pending requests at once', async () => {
  const queries = new QueryClient()
  await askAgain(queries, 'usr_3')
  const { promise, resolve } = Promise.withResolvers<string>()
  queries.setQueryData(['home'], 'as Mina sees it')
  const seen = new QueryObserver(queries, {
    queryKey: ['home'],
    queryFn: () => promise,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const leave = seen.subscribe(() => {})
  queries.getMutationCache().build(queries, { mutationKey: ['comments'] })
  const again = askAgain(queries, 'usr_3')
  assert.equal(queries.getQueryData(['home']), 'as Mina sees it')
  assert.equal(queries.getMutationCache().getAll().length, 1)
  const asked = askAgain(queries, 'usr_4')
  assert.equal(queries.getQueryData(['home']), undefined)
  assert.equal(queries.getMutationCache().getAll().length, 0)
  resolve('as Jun sees it')
  await Promise.all([again, asked])
  assert.equal(queries.getQueryData(['home']), 'as Jun sees it')
  leave()
})

test('a page restored by the back button is stale when the session has changed', () => {
  const page = new EventTarget()
  const kept = new Map([['plaza.session', '1']])
  Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page) })
  Object.defineProperty(globalThis, 'localStorage', {
    value: { getItem: (key: string) => kept.get(key) ?? null },
    configurable: true,
  })
  const show = (persisted: boolean) =>
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
  let acts = 0
  whenRestoredStale('plaza.session', () => acts++)
  show(false)
  page.dispatchEvent(new Event('pagehide'))
  show(true)
  assert.equal(acts, 0)
  for (const mark of ['2', undefined]) {
    page.dispatchEvent(new Event('pagehide'))
    if (mark) kept.set('plaza.session', mark)
    else kept.delete('plaza.session')
    show(true)
  }
  assert.equal(acts, 2)
})
