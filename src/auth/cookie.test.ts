import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Answer, startApp, type TestApp } from '../../test/app.ts'
import { PASSWORD } from '../../test/actors.ts'
import { captchaToken } from '../../test/captcha.ts'
import { assertError, assertInvalid, dataOf } from '../../test/make.ts'

const app = await startApp()
const { anon } = app

const WANTED = { 'x-session-cookie': '1' }
const NAME = await cookieNameOf(app)
const COOKIE = new RegExp(
  `^${NAME}=(plr_[\\w-]+); Path=/api/v1/auth; Max-Age=2592000; HttpOnly; SameSite=Strict$`,
)
const EMPTY = `${NAME}=; Path=/api/v1/auth; Max-Age=0; HttpOnly; SameSite=Strict`

async function cookieNameOf({ anon: caller }: TestApp): Promise<string> {
  const { headers } = await caller.post('/auth/refresh', undefined, { headers: WANTED })
  const name = /^(plaza_refresh_[0-9a-f]{8})=;/.exec(headers.getSetCookie()[0] ?? '')?.[1]
  assert.ok(name)
  return name
}

function cookieOf({ headers, text }: Answer): string {
  const cookies = headers.getSetCookie()
  assert.equal(cookies.length, 1)
  const token = COOKIE.exec(cookies[0] as string)?.[1]
  assert.ok(token, cookies[0])
  assert.ok(!text.includes(token))
  assert.ok(!text.includes('plr_'))
  return token
}

function assertNoCookie({ headers }: Answer): void {
  assert.deepEqual(headers.getSetCookie(), [])
}

function assertCleared({ headers }: Answer): void {
  assert.deepEqual(headers.getSetCookie(), [EMPTY])
}

const login = (handle: string, headers: Record<string, string> = WANTED) =>
  anon.post('/auth/login', { identifier: handle, password: PASSWORD }, { headers })
const refresh = (cookie: string | undefined, json?: unknown, headers = WANTED) =>
  anon.post('/auth/refresh', json, { headers: { ...headers, ...(cookie && { cookie }) } })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('register, signup and login set the refresh token as a cookie, never in the body', async () => {
  for (const path of ['/auth/register', '/auth/signup']) {
    const handle = `c${Math.random().toString(36).slice(2, 12)}`
    const captcha_token = await captchaToken(anon)
    const body = { handle, email: `${handle}@example.test`, password: PASSWORD, captcha_token }
    const answer = await anon.post(path, body, { headers: WANTED })
    assert.equal(dataOf(answer, 201).tokens.refresh_token, null)
    cookieOf(answer)
  }
  const answer = await login((await app.user()).handle)
  const { tokens } = dataOf(answer)
  assert.equal(tokens.refresh_token, null)
  cookieOf(answer)
  dataOf(await anon.get('/auth/me', { headers: bearer(tokens.access_token) }))
})

test('a login that fails or requests no cookie sets none', async () => {
  const { handle } = await app.user()
  const body = { identifier: handle, password: 'a wrong password' }
  const refused = await anon.post('/auth/login', body, { headers: WANTED })
  assertError(refused, 401, 'INVALID_CREDENTIALS')
  assertNoCookie(refused)
  for (const value of [undefined, '', '0', 'true', '1, 1']) {
    const plain = await login(handle, value === undefined ? {} : { 'x-session-cookie': value })
    assert.match(dataOf(plain).tokens.refresh_token, /^plr_/)
    assertNoCookie(plain)
  }
})

test('refresh accepts the cookie and replaces it', async () => {
  const first = cookieOf(await login((await app.user()).handle))
  const answer = await refresh(`other=1; ${NAME}=${first}`)
  const { tokens } = dataOf(answer)
  assert.equal(tokens.refresh_token, null)
  const second = cookieOf(answer)
  assert.notEqual(second, first)
  dataOf(await anon.get('/auth/me', { headers: bearer(tokens.access_token) }))
  // The client may have lost the response. For 30 seconds, the previous refresh token therefore returns the same new
  // token.
  assert.equal(cookieOf(await refresh(`${NAME}=${first}`, {})), second)
  app.clock.advance(31_000)
  dataOf(await refresh(`${NAME}=${second}`))
})

test('a rejected refresh deletes the cookie, and an old cookie ends its session', async () => {
  const first = cookieOf(await login((await app.user()).handle))
  const second = cookieOf(await refresh(`${NAME}=${first}`))
  app.clock.advance(31_000)
  for (const token of [first, second, 'plr_nonsense']) {
    const answer = await refresh(`${NAME}=${token}`)
    assertError(answer, 401, 'UNAUTHORIZED')
    assertCleared(answer)
  }
})

test('refresh is 401 without a cookie or with two', async () => {
  const token = cookieOf(await login((await app.user()).handle))
  const twoCookies = `${NAME}=${token}; ${NAME}=${token}`
  for (const cookie of [undefined, `${NAME}=`, `x${NAME}=${token}`, twoCookies]) {
    assertError(await refresh(cookie), 401, 'UNAUTHORIZED')
  }
  dataOf(await refresh(`${NAME}=${token}`))
})

test('without the header the cookie is ignored, and a missing token is 422', async () => {
  const token = cookieOf(await login((await app.user()).handle))
  for (const body of [undefined, {}]) {
    const answer = await refresh(`${NAME}=${token}`, body, {} as typeof WANTED)
    assertInvalid(answer, 'refresh_token')
    assert.equal(answer.error?.details?.length, 1)
    assertNoCookie(answer)
  }
  // A rotated token would be invalid after 30 seconds. The rejected requests did not rotate the token.
  app.clock.advance(31_000)
  dataOf(await refresh(`${NAME}=${token}`))
  app.clock.advance(31_000)
  assertError(await refresh(`${NAME}=${token}`), 401, 'UNAUTHORIZED')
})

test('a token in the body takes precedence over the cookie, and moves into it on request', async () => {
  const alice = await app.user()
  const bob = cookieOf(await login((await app.user()).handle))
  const moved = await refresh(`${NAME}=${bob}`, { refresh_token: alice.refreshToken })
  const { tokens } = dataOf(moved)
  const headers = bearer(tokens.access_token)
  assert.equal(dataOf(await anon.get('/auth/me', { headers })).user.id, alice.id)
  cookieOf(moved)
  const wrong = await refresh(`${NAME}=${bob}`, { refresh_token: 'plr_nonsense' })
  assertError(wrong, 401, 'UNAUTHORIZED')
  assertNoCookie(wrong)
  dataOf(await refresh(`${NAME}=${bob}`))
})

test('logout ends the session and deletes the cookie, also with an Idempotency-Key', async () => {
  for (const key of [undefined, 'once']) {
    const signedIn = await login((await app.user()).handle)
    const token = cookieOf(signedIn)
    const headers = {
      ...WANTED,
      ...bearer(dataOf(signedIn).tokens.access_token),
      ...(key && { 'idempotency-key': key }),
    }
    const out = await anon.post('/auth/logout', undefined, { headers })
    assert.equal(out.status, 204)
    assertCleared(out)
    assertError(await refresh(`${NAME}=${token}`), 401, 'UNAUTHORIZED')
  }
  const plain = await (await app.user()).post('/auth/logout')
  assert.equal(plain.status, 204)
  assertNoCookie(plain)
})

test('an Idempotency-Key stores no refresh token, and every response sets its own cookie', async () => {
  const { handle } = await app.user()
  const headers = { ...WANTED, 'idempotency-key': 'login' }
  const [firstCookie, secondCookie] = [
    cookieOf(await login(handle, headers)),
    cookieOf(await login(handle, headers)),
  ]
  assert.notEqual(firstCookie, secondCookie)
  const storedAnswers = JSON.stringify(await app.sql('select * from idempotency_keys'))
  assert.ok(!storedAnswers.includes(firstCookie) && !storedAnswers.includes('plr_'))
})

test("two Plazas on one machine ignore each other's cookies", async () => {
  const otherApp = await startApp({ TOKEN_SECRET: 'a secret of its own, a secret of its own' })
  assert.notEqual(await cookieNameOf(otherApp), NAME)
  assert.equal(await cookieNameOf(await app.sibling()), NAME)
  const token = cookieOf(await login((await app.user()).handle))
  const cookie = `${NAME}=${token}`
  const refused = await otherApp.anon.post('/auth/refresh', undefined, {
    headers: { ...WANTED, cookie },
  })
  assertError(refused, 401, 'UNAUTHORIZED')
  assert.ok(!refused.headers.getSetCookie().some((set) => set.startsWith(`${NAME}=`)))
  dataOf(await refresh(cookie))
})

test('CORS never allows the cookie header to pages of other origins, not even allowed ones', async () => {
  const origin = 'https://elsewhere.example'
  const listed = await startApp({ CORS_ORIGINS: `https://app.example,${origin}` })
  for (const { anon: caller } of [app, listed]) {
    for (const path of ['login', 'refresh', 'logout']) {
      const answer = await caller.request('OPTIONS', `/auth/${path}`, undefined, {
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-session-cookie',
        },
      })
      assert.equal(answer.status, 204)
      assert.match(answer.headers.get('access-control-allow-origin') ?? '', /^(?:\*|https:\S+)$/)
      assert.doesNotMatch(answer.headers.get('access-control-allow-headers') ?? '', /cookie|\*/i)
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    }
  }
})

suite('behind a proxy', async () => {
  const behind = await startApp({ TRUST_PROXY: '1' })

  test('only an invalid cookie counts as a failed refresh', async () => {
    const from = { ...WANTED, 'x-forwarded-for': '203.0.113.9' }
    const ask = (headers: Record<string, string>) =>
      behind.anon.post('/auth/refresh', undefined, { headers: { ...from, ...headers } })
    for (let i = 0; i < 61; i++) assertError(await ask({}), 401, 'UNAUTHORIZED')
    const wrong = { cookie: `${NAME}=plr_nonsense` }
    for (let i = 0; i < 60; i++) assertError(await ask(wrong), 401, 'UNAUTHORIZED')
    const answer = await ask(wrong)
    assertError(answer, 429, 'RATE_LIMITED')
    assertNoCookie(answer)
  })

  test('the cookie is Secure when a trusted proxy reports TLS', async () => {
    const { handle } = await behind.user()
    const sent = async (headers: Record<string, string>) => {
      const body = { identifier: handle, password: PASSWORD }
      const answer = await behind.anon.post('/auth/login', body, {
        headers: { ...WANTED, ...headers },
      })
      return answer.headers.getSetCookie()
    }
    assert.match((await sent({ 'x-forwarded-proto': 'https' }))[0] ?? '', /^plaza_.*; Secure$/)
    assert.doesNotMatch((await sent({}))[0] ?? 'Secure', /Secure/)
    const { handle: otherHandle } = await app.user()
    const spoofed = await login(otherHandle, { ...WANTED, 'x-forwarded-proto': 'https' })
    assert.doesNotMatch(spoofed.headers.getSetCookie()[0] ?? 'Secure', /Secure/)
  })

  test('the cookie has the __Secure- prefix when the public URL is https', async () => {
    const { handle } = await app.user()
    const { config } = app.deps
    config.publicUrl = 'https://plaza.example'
    try {
      const [cookie = ''] = (await login(handle)).headers.getSetCookie()
      assert.match(cookie, /^__Secure-plaza_refresh_\w+=plr_[\w-]+; .*; SameSite=Strict; Secure$/)
      const token = /=(plr_[\w-]+)/.exec(cookie)?.[1]
      dataOf(await refresh(`__Secure-${NAME}=${token}`))
      assertError(await refresh(`${NAME}=${token}`), 401, 'UNAUTHORIZED')
    } finally {
      config.publicUrl = undefined
    }
  })
})
