import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { times } from '../../test/make.ts'
import { isPlazaError, memorySession, type SessionTokens } from '../src/index.ts'
import { answer, clientOf, refuse, serverOf } from './clients.ts'

const app = await startApp()
const HOUR_MS = 3_600_000
const REFRESH = '/api/v1/auth/refresh'

test('opens a session on sign-in, calls with it, and ends it on sign-out', async () => {
  const { handle, password } = await app.user()
  const { plaza, store, sent } = clientOf(app.url)
  const changes: (SessionTokens | null)[] = []
  const unsubscribe = plaza.onSession((session) => changes.push(session))
  assert.deepEqual([plaza.session, changes], [null, []])
  const { user } = await plaza.signIn({ identifier: handle, password })
  assert.equal(user.handle, handle)
  assert.equal(plaza.session, changes[0])
  assert.deepEqual(await store.load(), plaza.session)
  assert.ok((plaza.session?.expires_at ?? 0) > Date.now() + HOUR_MS / 2)
  assert.equal((await plaza.me.get()).user.id, user.id)
  await plaza.signOut()
  assert.deepEqual([plaza.session, await store.load(), changes[1]], [null, null, null])
  assert.equal(changes.length, 2)
  await assert.rejects(plaza.me.get(), { code: 'UNAUTHORIZED', status: 401 })
  assert.equal(sent.at(-1)?.headers.has('authorization'), false)
  unsubscribe()
  await plaza.signIn({ identifier: handle, password })
  assert.equal(changes.length, 2)
})

test('signs out without an error when the session is already over', async () => {
  const alice = await app.user()
  const { plaza } = clientOf(app.url, alice)
  await alice.post('/auth/logout')
  await plaza.signOut()
  assert.equal(plaza.session, null)
})

test('keeps the session when the server cannot be reached for signing out', async () => {
  const { plaza } = clientOf('http://127.0.0.1:9', await app.user(), { retries: 0 })
  await assert.rejects(plaza.signOut(), { code: 'NETWORK' })
  assert.notEqual(plaza.session, null)
})

test('renews once for twenty calls with an expired token, and all succeed', async () => {
  const bob = await app.user()
  const { plaza, countRequests, store } = clientOf(app.url, bob)
  await plaza.ready
  const before = plaza.session
  app.clock.advance(2 * HOUR_MS)
  const answers = await times(20, () => plaza.me.get())
  assert.deepEqual(new Set(answers.map(({ user }) => user.id)), new Set([bob.id]))
  assert.equal(countRequests('POST', REFRESH), 1)
  assert.equal(countRequests('GET', '/api/v1/auth/me'), 40)
  assert.notEqual(plaza.session?.access_token, before?.access_token)
  assert.deepEqual(await store.load(), plaza.session)
})

test('does not send a token that is known to have expired', async () => {
  const carol = await app.user()
  const store = memorySession()
  const over = { access_token: carol.token, refresh_token: carol.refreshToken, expires_at: 1 }
  await store.save(over)
  const { plaza, sent } = clientOf(app.url, undefined, { session: store })
  await plaza.ready
  assert.deepEqual(plaza.session, over)
  const results = await Promise.all([
    plaza.me.get(),
    plaza.notifications.countUnread(),
    plaza.feeds.list(),
  ])
  assert.equal(results[0].user.id, carol.id)
  const paths = sent.map(({ target }) => target)
  assert.deepEqual(
    paths.filter((path) => path === REFRESH),
    [REFRESH],
  )
  assert.equal(paths.length, 4)
})

test('ends the session and throws the original 401 when the refresh is rejected', async () => {
  const dan = await app.user()
  const { plaza, store, countRequests } = clientOf(app.url, dan)
  await plaza.ready
  const changes: unknown[] = []
  plaza.onSession((session) => changes.push(session))
  await dan.post('/auth/logout')
  const calls = Array.from({ length: 5 }, () =>
    assert.rejects(plaza.me.get(), { code: 'UNAUTHORIZED' }),
  )
  await Promise.all(calls)
  assert.deepEqual([plaza.session, await store.load()], [null, null])
  assert.deepEqual(changes, [null])
  assert.equal(countRequests('POST', REFRESH), 1)
})

test('keeps the session when the refresh fails for another reason', async () => {
  const server = await serverOf((_, response, { target }) =>
    target === REFRESH
      ? refuse(response, 503, 'SERVICE_UNAVAILABLE')
      : refuse(response, 401, 'UNAUTHORIZED'),
  )
  const user = { token: 'a', refreshToken: 'r' }
  const { plaza, store } = clientOf(server.url, user, { retries: 0 })
  await assert.rejects(plaza.me.get(), { code: 'SERVICE_UNAVAILABLE' })
  assert.equal(plaza.session?.access_token, 'a')
  assert.equal((await store.load())?.access_token, 'a')
})

test('does not refresh after errors unrelated to the token', async () => {
  const { plaza, countRequests } = clientOf(app.url, await app.user())
  const wrong = plaza.me.update({ new_password: 'a longer password', current_password: 'no' })
  await assert.rejects(wrong, (error) => isPlazaError(error, 'VALIDATION_ERROR'))
  const login = plaza.signIn({ identifier: 'nobody-at-all', password: 'wrong password' })
  await assert.rejects(login, (error) => isPlazaError(error, 'INVALID_CREDENTIALS'))
  assert.equal(countRequests('POST', REFRESH), 0)
  assert.notEqual(plaza.session, null)
})

test('uses a session that another client of the store has renewed', async () => {
  const store = memorySession()
  const erin = await app.user()
  const firstClient = clientOf(app.url, erin, { session: store })
  const secondClient = clientOf(app.url, erin, { session: store })
  await Promise.all([firstClient.plaza.ready, secondClient.plaza.ready])
  app.clock.advance(2 * HOUR_MS)
  await firstClient.plaza.me.get()
  await secondClient.plaza.me.get()
  assert.deepEqual(
    [firstClient.countRequests('POST', REFRESH), secondClient.countRequests('POST', REFRESH)],
    [1, 0],
  )
  assert.deepEqual(secondClient.plaza.session, firstClient.plaza.session)
})

test('keeps a new sign-in when a refresh was already in progress', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const tokens = (access_token: string) => ({
    data: { user: {}, tokens: { access_token, refresh_token: 'r', expires_in: 60 } },
  })
  const server = await serverOf((_, response, { target, headers }) => {
    if (target.endsWith('/login')) return answer(response, 200, tokens('of-login'))
    if (target === REFRESH) return void held.then(() => answer(response, 200, tokens('of-refresh')))
    if (headers.authorization === 'Bearer old') return refuse(response, 401, 'UNAUTHORIZED')
    return answer(response, 200, { data: { with: headers.authorization } })
  })
  const { plaza } = clientOf(server.url, { token: 'old', refreshToken: 'r' })
  const waiting = plaza.me.get()
  while (server.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  const login = plaza.signIn({ identifier: 'x', password: 'y' })
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(server.asked.length, 2, 'the sign-in waits for the refresh')
  release()
  assert.deepEqual(await waiting, { with: 'Bearer of-refresh' })
  await login
  assert.equal(plaza.session?.access_token, 'of-login')
})

test('renews the session by plaza.refresh, which returns null without one', async () => {
  const { plaza } = clientOf(app.url, await app.user())
  await plaza.ready
  const before = plaza.session
  const renewed = await plaza.refresh()
  assert.notEqual(renewed?.access_token, before?.access_token)
  assert.equal(renewed, plaza.session)
  const nobody = clientOf(app.url)
  assert.equal(await nobody.plaza.refresh(), null)
  assert.deepEqual(nobody.sent, [])
})

test('rejects calls, without an unhandled rejection, when the store cannot be read', async () => {
  const broken = new Error('the disk is gone')
  const session = { load: () => Promise.reject(broken), save: () => {} }
  const { plaza, sent } = clientOf(app.url, undefined, { session })
  await new Promise((resolve) => setTimeout(resolve, 20))
  await assert.rejects(plaza.feeds.list(), broken)
  await assert.rejects(plaza.ready, broken)
  assert.deepEqual(sent, [])
})

test('never retries a call as another user who has signed in since', async () => {
  const [alice, bob] = [await app.user(), await app.user()]
  const entered = Promise.withResolvers<void>()
  const { plaza, sent } = clientOf(app.url, undefined, {
    fetch: async (target, init = {}) => {
      sent.push({
        method: init.method ?? 'GET',
        target: new URL(String(target)).pathname,
        headers: new Headers(init.headers),
        init,
      })
      if (!String(target).endsWith('/posts') || posts() > 1) return fetch(target, init)
      await entered.promise
      throw new TypeError('the connection failed')
    },
  })
  const posts = () => sent.filter(({ target }) => target.endsWith('/posts')).length
  await plaza.signIn({ identifier: alice.handle, password: alice.password })
  const writing = plaza.posts.create({ body: 'By Alice.' })
  await plaza.signIn({ identifier: bob.handle, password: bob.password })
  entered.resolve()
  await assert.rejects(writing, { code: 'ABORTED' })
  assert.equal(posts(), 1)
  await plaza.posts.create({ body: 'By Bob.' })
  assert.equal(posts(), 2)
})
