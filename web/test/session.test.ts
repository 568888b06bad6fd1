import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { askAgain } from '../src/session/askAgain.ts'
import { whenRestoredStale } from '../src/session/restored.ts'

test('who signs in is shown nothing that was another person’s', async () => {
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
  await askAgain(queries)
  assert.equal(queries.getQueryData(['messages', 'conversations']), undefined)
  assert.equal(queries.getQueryData(['home']), 'as Jun sees it')
  assert.equal(queries.getQueryData(['viewer']), viewer)
  leave()
})

test('a page that comes back by the back button is stale where the session was changed meanwhile', () => {
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
