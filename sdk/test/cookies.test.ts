import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Actor, startApp } from '../../test/app.ts'
import { cookieSession, createPlaza, type Plaza } from '../src/index.ts'
import { noting, type Sent } from './clients.ts'

const app = await startApp()
const REFRESH = '/api/v1/auth/refresh'

interface Visit {
  url?: string
  late?: { refresh?: number; login?: number; logout?: number }
}

/** Browser state that survives page loads: one cookie and localStorage. */
class Browser {
  readonly cookies = new Map<string, string>()
  readonly sent: Sent[] = []
  cookie = ''

  /** Opens a page and returns its client. `late` delays responses by operation, in milliseconds. */
  visit({ url = app.url, late = {} }: Visit = {}): Plaza {
    const { fetch: noted, sent } = noting()
    const browsing: typeof fetch = async (input, init = {}) => {
      const isAuth = new URL(String(input)).pathname.startsWith('/api/v1/auth/')
      const headers = new Headers(init.headers)
      if (isAuth && this.cookie) headers.set('cookie', this.cookie)
      const response = await noted(input, { ...init, headers })
      this.sent.push(...sent.splice(0))
      await setTimeout(late[String(input).split('/').pop() as keyof typeof late] ?? 0)
      const set = response.headers.get('set-cookie')
      if (set !== null) this.cookie = set.includes('Max-Age=0') ? '' : (set.split(';')[0] ?? '')
      return response
    }
    Object.defineProperty(globalThis, 'localStorage', {
      value: this.#storage(),
      configurable: true,
    })
    return createPlaza({ url, cookie: true, session: cookieSession(), fetch: browsing, retries: 0 })
  }

  async signedIn({ handle, password }: Actor): Promise<Plaza> {
    const plaza = this.visit()
    await plaza.signIn({ identifier: handle, password })
    return plaza
  }

  refreshes(): number {
    return this.sent.filter(({ target }) => target === REFRESH).length
  }

  #storage() {
    return {
      getItem: (key: string) => this.cookies.get(key) ?? null,
      setItem: (key: string, value: string) => void this.cookies.set(key, value),
      removeItem: (key: string) => void this.cookies.delete(key),
    }
  }
}

test('exposes no refresh token and stores no token when cookies are used', async () => {
  const browser = new Browser()
  const alice = await app.user()
  const plaza = await browser.signedIn(alice)
  assert.equal(plaza.session?.refresh_token, null)
  assert.match(browser.cookie, /^plaza_refresh_\w+=plr_/)
  const stored = [...browser.cookies]
  assert.deepEqual(stored, [['plaza.session', `${plaza.session?.expires_at} ${alice.id}`]])
  const [login] = browser.sent
  assert.equal(login?.headers.get('x-session-cookie'), '1')
  assert.equal(login?.init.credentials, 'same-origin')
})

test('restores the session by the cookie when a page is opened again', async () => {
  const browser = new Browser()
  const alice = await app.user()
  await browser.signedIn(alice)
  const plaza = browser.visit()
  await plaza.ready
  assert.match(plaza.session?.access_token ?? '', /^pla_/)
  assert.equal((await plaza.me.get()).user.id, alice.id)
  assert.equal(browser.refreshes(), 1)
  const refresh = browser.sent.find(({ target }) => target === REFRESH)
  assert.equal(refresh?.init.body, '{}')
})

test('requests no refresh when no session is remembered', async () => {
  const browser = new Browser()
  const plaza = browser.visit()
  await plaza.ready
  assert.deepEqual([plaza.session, browser.sent], [null, []])
})

test('aborts a call when another user has signed in in another tab', async () => {
  const browser = new Browser()
  const [alice, bob] = [await app.user(), await app.user()]
  const first = await browser.signedIn(alice)
  await browser.signedIn(bob)
  await app.sql(`delete from sessions where user_id = '${alice.id}'`)
  await assert.rejects(first.posts.create({ body: 'By Alice.' }), { code: 'ABORTED' })
  for (const user of [alice, bob]) {
    assert.deepEqual((await user.get('/users/me/posts')).data?.posts ?? [], [])
  }
  // The cookie contains Bob's refresh token, so this tab now uses his session.
  assert.equal((await first.me.get()).user.id, bob.id)
  assert.equal(first.session?.user_id, bob.id)
})

test('keeps a new sign-in when the page renews the old session at the same time', async () => {
  const browser = new Browser()
  const [alice, bob] = [await app.user(), await app.user()]
  await browser.signedIn(alice)
  const page = browser.visit({ late: { refresh: 500 } })
  await page.signIn({ identifier: bob.handle, password: bob.password })
  await page.ready
  assert.equal((await browser.visit().me.get()).user.id, bob.id)
})

test('keeps a new sign-in when another tab renews the old session at the same time', async () => {
  const browser = new Browser()
  const [alice, bob] = [await app.user(), await app.user()]
  await browser.signedIn(alice)
  const [late, tab] = [browser.visit({ late: { refresh: 500 } }), browser.visit()]
  await tab.signIn({ identifier: bob.handle, password: bob.password })
  await late.ready
  assert.equal((await browser.visit().me.get()).user.id, bob.id)
})

test('stops a sign-in that waits for its turn on abort and on timeout', async () => {
  const browser = new Browser()
  const [alice, bob] = [await app.user(), await app.user()]
  await browser.signedIn(alice)
  const [late, tab] = [browser.visit({ late: { refresh: 1000 } }), browser.visit()]
  const as = { identifier: bob.handle, password: bob.password }
  const begun = performance.now()
  await assert.rejects(late.signIn(as, { timeoutMs: 100 }), { code: 'TIMEOUT' })
  await assert.rejects(tab.signIn(as, { signal: AbortSignal.timeout(100) }), { code: 'ABORTED' })
  assert.ok(performance.now() - begun < 800)
  await late.ready
  // Bob's cancelled sign-ins must not be sent later.
  assert.equal((await browser.visit().me.get()).user.id, alice.id)
})

test('signs in when the browser rejects locks, as it does when storage is blocked', async (t) => {
  const { locks } = navigator as unknown as { locks: { request: () => Promise<unknown> } }
  t.mock.method(locks, 'request', async () => {
    throw new DOMException('refused', 'SecurityError')
  })
  const alice = await app.user()
  const plaza = await new Browser().signedIn(alice)
  assert.equal(plaza.session?.user_id, alice.id)
})

test('forgets a session that ended on the server', async () => {
  const browser = new Browser()
  const bob = await app.user()
  await browser.signedIn(bob)
  await app.sql(`delete from sessions where user_id = '${bob.id}'`)
  const plaza = browser.visit()
  await plaza.ready
  assert.equal(plaza.session, null)
  assert.deepEqual([browser.cookies.size, browser.cookie], [0, ''])
})

test('signs in later when a page was opened without a network', async () => {
  const browser = new Browser()
  const carol = await app.user()
  await browser.signedIn(carol)
  const plaza = browser.visit({ url: 'http://127.0.0.1:9' })
  await plaza.ready
  assert.equal(plaza.session?.access_token, '')
  await assert.rejects(plaza.me.get(), { code: 'NETWORK' })
  assert.equal(browser.cookies.size, 1)
  assert.equal((await browser.visit().me.get()).user.id, carol.id)
})

test('removes the cookie and the remembered session on sign-out', async () => {
  const browser = new Browser()
  const plaza = await browser.signedIn(await app.user())
  await plaza.signOut()
  assert.deepEqual([plaza.session, browser.cookies.size, browser.cookie], [null, 0, ''])
})

test('keeps a new sign-in when another tab signs out at the same time', async () => {
  const browser = new Browser()
  const [alice, bob] = [await app.user(), await app.user()]
  await browser.signedIn(alice)
  const [leaving, tab] = [browser.visit({ late: { logout: 500 } }), browser.visit()]
  await Promise.all([leaving.ready, tab.ready])
  const out = leaving.signOut()
  await tab.signIn({ identifier: bob.handle, password: bob.password })
  await out
  assert.equal(leaving.session, null)
  assert.equal((await browser.visit().me.get()).user.id, bob.id)
})

test('rejects a sign-out when another user has signed in in another tab', async () => {
  const browser = new Browser()
  const [alice, bob] = [await app.user(), await app.user()]
  await browser.signedIn(alice)
  const [tab, entering] = [browser.visit(), browser.visit({ late: { login: 500 } })]
  await Promise.all([tab.ready, entering.ready])
  const entered = entering.signIn({ identifier: bob.handle, password: bob.password })
  await setTimeout(50)
  await assert.rejects(tab.signOut(), { code: 'ABORTED' })
  await entered
  assert.equal((await browser.visit().me.get()).user.id, bob.id)
})

test('signs out even when another tab holds the lock', async () => {
  const browser = new Browser()
  const plaza = await browser.signedIn(await app.user())
  const over = Promise.withResolvers<void>()
  const held = navigator.locks.request('plaza.session', () => over.promise)
  const stopped = plaza.signOut({}, { signal: AbortSignal.timeout(100) })
  await assert.rejects(stopped, { code: 'ABORTED' })
  assert.notEqual(plaza.session, null)
  const begun = performance.now()
  await plaza.signOut()
  assert.ok(performance.now() - begun < 10_000)
  assert.deepEqual([plaza.session, browser.cookies.size, browser.cookie], [null, 0, ''])
  over.resolve()
  await held
  await setTimeout(50)
  const asked = browser.sent.filter(({ target }) => target.endsWith('/logout'))
  assert.equal(asked.length, 1, 'the sign-out is not repeated when the lock is released')
})
