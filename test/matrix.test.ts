import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/db/ids.ts'
import { PREFIX } from '../src/http/route.ts'
import { ERRORS, type ErrorCode } from '../src/errors.ts'
import { isStaff } from '../src/http/auth.ts'
import { type RouteRecord, statusesOf } from '../src/http/declaration.ts'
import { currentRoutes } from '../src/current-routes.ts'
import { openSession } from '../src/sessions/rules.ts'
import { type Actor, type Anyone, type Loose, startApp } from './app.ts'
import { anyone, PASSWORD } from './actors.ts'
import { dataOf, makeApp, makeContent, makeKey, makeLegacyKey, program, suspend } from './make.ts'
import { receive } from './receiver.ts'
import { resourcesOf } from './resources.ts'

const app = await startApp()
const receiver = await receive()
const routes = currentRoutes()
const titleOf = ({ method, path }: RouteRecord) =>
  `${method} ${path.startsWith(PREFIX) ? path.slice(PREFIX.length) : path}`

const owner = await app.user()
const participant = await app.user()
const peer = await app.user()
const editor = await app.admin()
const decider = await app.admin()
await app.sql(`update site set settings = '{"invites_per_user": 100}'`)

type CallerKind = 'nobody' | 'person' | 'admin' | 'key' | 'bare key'
interface Caller {
  name: string
  kind: CallerKind
  /**
   * Opens another session of the user. Set for signed-in users, because some routes end the current
   * session.
   */
  fresh?: () => Promise<Anyone>
  caller: Anyone
}

const user = (name: string, actor: Actor, kind: CallerKind = 'person'): Caller => ({
  name,
  kind,
  caller: actor,
  fresh: () => sessionOf(actor),
})
const callers: Caller[] = await makeCallers()

async function sessionOf({ id }: { id: string }): Promise<Anyone> {
  const client = { ip: '127.0.0.1', userAgent: 'test' }
  const { access_token } = await app.db.transaction((tx) =>
    openSession(tx, app.deps.config, id, client, app.clock.now()),
  )
  return anyone(app.url, { authorization: `Bearer ${access_token}` })
}

async function makeCallers(): Promise<Caller[]> {
  const [suspended, signedOut, demoted] = [await app.user(), await app.user(), await app.admin()]
  const held = await makeLegacyKey(suspended)
  await suspend(app, suspended)
  dataOf(await signedOut.post('/auth/logout'), 204)
  await app.sql(`update users set role = 'user' where id = '${demoted.id}'`)
  const keeper = await app.user()
  const { id } = await makeApp(keeper, { scopes: ['contents:write'] })
  const key = async (over: Loose = {}) => program(app, (await makeKey(keeper, id, over)).raw_key)
  const revoked = await makeKey(keeper, id)
  dataOf(await keeper.delete(`/devconsole/keys/${revoked.key.id}`), 204)
  const nobody = (name: string, caller: Anyone): Caller => ({ name, kind: 'nobody', caller })
  const garbage = { authorization: 'Bearer pla_garbage' }
  return [
    nobody('anonymous', app.anon),
    nobody('garbage token', anyone(app.url, garbage)),
    nobody('revoked token', signedOut),
    nobody('suspended', suspended),
    nobody('key of a suspended person', program(app, held.raw_key)),
    nobody('revoked key', program(app, revoked.raw_key)),
    {
      name: 'legacy key',
      kind: 'key',
      caller: program(app, (await makeLegacyKey(keeper)).raw_key),
    },
    { name: 'app key without scopes', kind: 'bare key', caller: await key({ scopes: [] }) },
    { name: 'app key', kind: 'key', caller: await key() },
    { name: 'test key', kind: 'key', caller: await key({ environment: 'test' }) },
    user('demoted administrator', demoted),
    user('administrator', await app.admin(), 'admin'),
    user('user', await app.user()),
    user('participant', participant),
    // The owner comes last, because the owner's request may delete the resource.
    user('owner', owner),
  ]
}

const makers = resourcesOf({
  app,
  owner,
  participant,
  peer,
  editor,
  decider,
  receiver,
  sessionOf,
})

async function thingsOf(route: RouteRecord): Promise<Record<string, string>> {
  const [first] = Object.values(route.params ?? {})
  if (!first) return { peer: peer.handle }
  if (!('id' in first))
    return { handle: owner.handle, provider: 'google', slug: 'terms', tag: 'seoul' }
  const make = makers[first.id]
  assert.ok(make, `${titleOf(route)}: no maker for ids with prefix ${first.id}`)
  return make(route)
}

function fill(text: string, things: Record<string, string>): string {
  return text.replace(/:(\w+)/g, (whole, name: string) => things[name] ?? whole)
}

const password = { current_password: PASSWORD }

/** Request bodies by operation, where the schema's example is unsuitable. */
const BODIES: Record<string, object> = {
  updateUser: { role: 'user' },
  createConversation: { handle: peer.handle },
  createKey: { key_name: 'x', environment: 'live' },
  createWebhook: { endpoint_url: receiver.url, events: ['jump.play'] },
  markAllNotificationsRead: {},
  // The server rejects empty bodies before the slow hashing of passwords.
  register: {},
  registerFormerly: {},
  createSuspensionAppeal: {},
  signIn: {},
  // An empty body, so that the user is not erased. The test needs this user later.
  eraseUser: {},
  signInWithPasskey: {},
  createRecoveryCodes: password,
  createTotp: password,
  disableTotp: password,
  getPasskeyOptions: password,
  removePasskey: password,
}

function bodyOf({ id, body }: RouteRecord, things: Record<string, string>): string | undefined {
  const { examples: [example] = [] }: { examples?: Loose[] } = body ?? {}
  if (!example) return undefined
  return JSON.stringify(BODIES[id] ?? { ...example, ...(example.id && { id: things['id'] }) })
}

/** Statuses that permitted callers get from operations that cannot succeed in this test. */
const OUTCOMES: Record<string, number> = {
  verifyCaptcha: 422,
  register: 422,
  registerFormerly: 422,
  signIn: 422,
  signInWithPasskey: 422,
  confirmTotp: 422,
  createPasskey: 422,
  refreshSession: 401,
  // The test sends no file.
  createUpload: 422,
  signInWithProvider: 501,
  // The comment of the example does not exist.
  pinComment: 422,
  // There is no page yet.
  getPage: 404,
  // There is no mail server, and the tokens of the examples do not exist.
  sendPasswordReset: 503,
  sendVerification: 503,
  confirmPasswordReset: 422,
  verifyEmail: 422,
  undoEmail: 422,
  // There is an administrator already.
  createFirstAdmin: 404,
  // The revision of the example is not the current one.
  updateSiteSettings: 409,
  updateRules: 409,
  // The content is not archived.
  restoreContent: 409,
  eraseContent: 409,
  // The examples have a wrong password.
  scheduleDeletion: 422,
  createExport: 422,
  cancelDeletion: 404,
  eraseUser: 422,
  // The examples contain ids that do not exist here.
  createReport: 404,
  createSuspensionAppeal: 422,
  createDecision: 404,
}

type Group = 'anyone' | 'owner' | 'owner-or-staff' | 'participants' | 'others'

function accessOf({ params = {}, errors = [] }: RouteRecord): { group: Group; code?: ErrorCode } {
  const [first] = Object.values(params)
  if (first && 'id' in first && first.only) return { group: first.only, code: first.missing }
  if (errors.includes('NOT_CONTENT_AUTHOR')) return { group: 'owner', code: 'NOT_CONTENT_AUTHOR' }
  for (const code of ['CANNOT_FOLLOW_SELF', 'CANNOT_BLOCK_SELF'] as const) {
    if (errors.includes(code)) return { group: 'others', code }
  }
  return { group: 'anyone' }
}

/** Returns the expected response. The route's auth mode is checked first, then the access to the resource. */
function expected(
  route: RouteRecord,
  { name, kind }: Caller,
): { status: number; code?: ErrorCode | undefined } {
  const { id, auth } = route
  const success = { status: OUTCOMES[id] ?? statusesOf(route).status }
  const isSignedIn = kind === 'person' || kind === 'admin'
  if (auth === 'public' || auth === 'optional') return success
  if (auth === 'user-or-key' && kind !== 'nobody' && !isSignedIn) {
    // No key can read: the app keys have at most scopes for writing, and routes for reading refuse legacy keys.
    const isRefused = kind === 'bare key' || route.method === 'GET'
    return isRefused ? { status: 403, code: 'INSUFFICIENT_SCOPE' } : success
  }
  if (!isSignedIn) return { status: 401 }
  if (isStaff(auth) && kind !== 'admin') return { status: 403 }
  const isOwner = name === 'owner'
  const may = {
    anyone: true,
    owner: isOwner,
    'owner-or-staff': isOwner || kind === 'admin',
    participants: isOwner || name === 'participant',
    others: !isOwner,
  }
  const { group, code } = accessOf(route)
  return may[group] || !code ? success : { status: ERRORS[code], code }
}

/** Returns the required query fields with their examples. */
function requiredQuery({ query }: RouteRecord): string {
  const fields = Object.entries(query?.properties ?? {}).filter(
    ([name, field]) => query?.required?.includes(name) && !('default' in field),
  )
  const examples = fields.map(([name, field]): [string, string] => [
    name,
    (field as Loose).examples[0],
  ])
  return fields.length === 0 ? '' : `?${String(new URLSearchParams(examples))}`
}

test('answers every caller on every route as the auth mode and ownership require', async () => {
  const wrong: string[] = []
  let cells = 0
  for (const route of routes) {
    const title = titleOf(route)
    const things = await thingsOf(route)
    const path = fill(route.path, things) + requiredQuery(route)
    const raw = bodyOf(route, things)
    const options = raw === undefined ? {} : { raw }
    const ask = async (target: Caller) => {
      const endsSession = path.endsWith('/auth/logout')
      const caller = endsSession && target.fresh ? await target.fresh() : target.caller
      const { status, error, text } = await caller.request(route.method, path, undefined, options)
      const due = expected(route, target)
      cells++
      if (status !== due.status || (due.code && error?.code !== due.code))
        wrong.push(`${title}, ${target.name}: not ${due.status}: ${text.slice(0, 300)}`)
    }
    await Promise.all(callers.slice(0, -1).map(ask))
    await ask(callers.at(-1) as Caller)
  }
  assert.deepEqual(wrong, [])
  assert.equal(cells, routes.length * callers.length)
})

test('hides a draft from everyone except its author on every content route', async () => {
  const draft = await makeContent(owner, { publish: false })
  const missing = newId('cnt', app.clock.now())
  const hidden: string[] = []
  for (const route of routes.filter(
    ({ params }) => params?.['id'] && 'id' in params['id'] && params['id'].id === 'cnt',
  )) {
    for (const { name, caller, kind } of callers.slice(0, -1)) {
      const ask = async (id: string) => {
        const raw = bodyOf(route, { id })
        const { status, data, error } = await caller.request(
          route.method,
          fill(route.path, { id }),
          undefined,
          raw === undefined ? {} : { raw },
        )
        return { status, data, error }
      }
      const [found, none] = [await ask(draft.id), await ask(missing)]
      const isLetIn = route.auth === 'optional' || kind === 'person' || kind === 'admin'
      if (isLetIn) assert.equal(none.status, 404, `${titleOf(route)}, ${name}`)
      assert.deepEqual(found, none, `${titleOf(route)}, ${name}`)
      hidden.push(name)
    }
  }
  assert.ok(hidden.length > 200)
})
