import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/db/ids.ts'
import { isStaff } from '../src/http/auth.ts'
import type { RouteRecord } from '../src/http/declaration.ts'
import { SCOPES } from '../src/keys/scopes.ts'
import { currentRoutes } from '../src/current-routes.ts'
import { type Answer, startApp } from './app.ts'
import { assertError, dataOf, makeApp, makeKey, makeLegacyKey, program } from './make.ts'

const app = await startApp()
const user = await app.user()
const routes = currentRoutes()

function pathOf({ path, params = {} }: RouteRecord): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const param = params[name]
    return param && 'id' in param ? newId(param.id, Date.now()) : 'nobody_here_x'
  })
}

const title = ({ method, path }: RouteRecord) => `${method} ${path}`
const ask = (caller: typeof app.anon, route: RouteRecord) =>
  caller.request(route.method, pathOf(route), route.body ? {} : undefined)

test('has routes of every auth mode', () => {
  const modes = new Set(routes.map(({ auth }) => auth))
  for (const mode of ['admin', 'optional', 'public', 'user', 'user-or-key'])
    assert.ok(modes.has(mode as never), mode)
})

test('answers 401 without a valid session, even when the body is invalid too', async () => {
  const bad = { headers: { authorization: 'Bearer pla_nothing' } }
  for (const route of routes.filter(({ auth }) => auth !== 'public' && auth !== 'optional')) {
    const answer = await ask(app.anon, route)
    assertError(answer, 401, 'UNAUTHORIZED')
    assert.ok(answer.headers.get('www-authenticate'), title(route))
    assertError(
      await app.anon.request(route.method, pathOf(route), undefined, bad),
      401,
      'UNAUTHORIZED',
    )
    if (route.method === 'GET') continue
    const junk = await app.anon.request(route.method, pathOf(route), undefined, {
      raw: 'x'.repeat(300_000),
    })
    assertError(junk, 401, 'UNAUTHORIZED')
  }
})

test('answers 403 on routes for admins and moderators when the session is of neither', async () => {
  for (const route of routes.filter(({ auth }) => isStaff(auth))) {
    assertError(await ask(user, route), 403, 'FORBIDDEN')
  }
})

test('ignores an invalid token on routes with optional authentication', async () => {
  const bad = { headers: { authorization: 'Bearer pla_nothing' } }
  for (const route of routes.filter(
    ({ auth, method }) => method === 'GET' && auth === 'optional',
  )) {
    const [none, junk] = [await ask(app.anon, route), await app.anon.get(pathOf(route), bad)]
    assert.equal(junk.status, none.status, title(route))
  }
})

test('accepts an API key only on routes that declare it and ignores it elsewhere', async () => {
  const { id } = await makeApp(user, { scopes: [...SCOPES] })
  const keys = [(await makeLegacyKey(user)).raw_key, (await makeKey(user, id)).raw_key]
  const withoutMeta = ({ status, data, error }: Answer) => ({ status, data, error })
  for (const key of keys) {
    const caller = program(app, key)
    const content = { category: 'hype', type: 'image', title: 'By key' }
    dataOf(await caller.post('/contents', content), 201)
    for (const route of routes.filter(({ auth }) => auth !== 'user-or-key')) {
      if (route.auth === 'user' || isStaff(route.auth)) {
        assertError(await ask(caller, route), 401, 'UNAUTHORIZED')
      } else if (route.auth === 'optional') {
        const [keyed, none] = [await ask(caller, route), await ask(app.anon, route)]
        assert.deepEqual(withoutMeta(keyed), withoutMeta(none), title(route))
      }
    }
  }
  const taking = routes.filter(({ auth }) => auth === 'user-or-key').map(title)
  assert.deepEqual(taking, [
    'POST /api/v1/uploads',
    'POST /api/v1/contents',
    'GET /api/v1/contents/:id/stats',
    'GET /api/v1/stats',
  ])
})

test('answers 404, 409 or 422, never 5xx or success, when an id does not exist', async () => {
  const admin = await app.admin()
  // True for routes of OAuth providers, which return 501, and of tags, which exist even without content.
  const isOpen = ({ path }: { path: string }) => /oauth|\/tags\//.test(path)
  for (const route of routes.filter((each) => each.path.includes(':') && !isOpen(each))) {
    const { status } = await ask(isStaff(route.auth) ? admin : user, route)
    assert.ok([404, 409, 422].includes(status), `${title(route)} returned ${status}`)
  }
})

test('answers the same when an id does not exist and when it is malformed', async () => {
  const admin = await app.admin()
  for (const route of routes) {
    const [first] = Object.values(route.params ?? {})
    if (!first || !('id' in first)) continue
    const caller = isStaff(route.auth) ? admin : user
    const { examples: [example] = [] }: { examples?: object[] } = route.body ?? {}
    const answers = await Promise.all(
      [pathOf(route), route.path.replaceAll(/:\w+/g, 'zzz')].map((path) =>
        caller.request(route.method, path, example),
      ),
    )
    const [missing, malformed] = answers.map(({ status, error }) => ({ status, error }))
    // A route that requires `current_password` checks the password before the id. The password of the example is
    // wrong, so a well-formed id returns 422.
    if (missing?.status !== 422) assert.deepEqual(malformed, missing, title(route))
  }
})
