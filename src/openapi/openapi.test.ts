import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import { freePort } from '../../scripts/postgres.ts'
import { startApp } from '../../test/app.ts'
import { ERRORS } from '../errors.ts'
import { type RouteRecord, statusesOf } from '../http/declaration.ts'
import { currentDocument, currentRoutes } from '../current-routes.ts'
import { buildDocument } from './document.ts'
import { PLAIN_ROUTES } from './plain.ts'
import type { Document, MediaType, Operation, Parameter, Response, Schema } from './types.ts'
import { valuesOf } from '../../test/make.ts'

const app = await startApp()
const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
const document: Document = JSON.parse(text)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

const plainIds = new Set(PLAIN_ROUTES.map(({ id }) => id))

function follow(pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document)
}

function resolve<T extends object>(thing: T | { $ref: string }): T {
  return '$ref' in thing ? (follow(thing.$ref) as T) : thing
}

function responsesOf(operation: Operation): [number, Response][] {
  return Object.entries(operation.responses).map(([status, response]) => [
    Number(status),
    resolve<Response>(response),
  ])
}

function contentOf(response: Response | Operation['requestBody']): MediaType | undefined {
  return response?.content?.['application/json']
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema({ $id: 'document', ...(document as object) })

function assertValid(schema: Schema, value: unknown, where: string): void {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  const validate = ajv.compile(absolute)
  assert.ok(validate(value), `${where}: ${ajv.errorsText(validate.errors)}`)
}

function routeOf(overrides: Partial<RouteRecord>): RouteRecord {
  return {
    id: 'aRoute',
    method: 'GET',
    path: '/api/v1/a',
    summary: 'A route',
    tag: 'System',
    auth: 'public',
    ...overrides,
  }
}

test('openapi.json matches the route declarations', () => {
  assert.ok(text === currentDocument(), 'openapi.json is stale: run `npm run openapi`')
})

test('every operation has a unique id, a summary, a tag and a security requirement', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
    'ids are unique',
  )
  const groups = document.tags.map(({ name }) => name)
  for (const { operation } of operations) {
    assert.match(operation.summary, /^[A-Z].*[^.]$/, operation.operationId)
    assert.ok(groups.includes(operation.tags[0] as string), operation.operationId)
    assert.ok(Array.isArray(operation.security), operation.operationId)
  }
})

test('every operation id is a verb that fits the method, and a noun', () => {
  const verbs: Record<string, string> = {
    get: 'get|list|count|check',
    post: 'create|send|answer|mark|toggle|like|play|stream|get|start|test|redeliver|rotate|verify|register|signIn|signOut|refresh|accept|approve|reject|confirm|undo|restore|erase|schedule|disable|remove',
    put: 'like|bookmark|follow|update|block|mute|hide|pin',
    patch: 'update',
    delete:
      'delete|archive|revoke|unlike|unbookmark|unfollow|unblock|unmute|unhide|unpin|leave|cancel',
  }
  for (const { path, method, operation } of operations) {
    const id = operation.operationId
    const grammar = new RegExp(`^(${verbs[method]})([A-Z][a-z]+)*$`)
    assert.match(id, grammar, `${method} ${path}`)
    // Only these three operation ids may lack a noun.
    if (/^(register|signIn|signOut)$/.test(id)) continue
    assert.match(id.replace(grammar, '$2'), /^[A-Z]/, id)
    const isPaged = operation.parameters.some((parameter) => {
      const { name } = resolve<Parameter>(parameter)
      return name === 'page' || name === 'limit'
    })
    if (isPaged && id !== 'getThread') assert.match(id, /^list/)
  }
})

test('the parameters of every path are documented', () => {
  for (const { path, operation } of operations) {
    const parameters = operation.parameters.map((parameter) => resolve<Parameter>(parameter))
    assert.deepEqual(
      valuesOf(
        parameters.filter((parameter) => parameter.in === 'path'),
        'name',
      ),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      operation.operationId,
    )
    for (const { name, in: place, description } of parameters) {
      if (place !== 'query') assert.ok(description, `${operation.operationId}: ${name}`)
    }
  }
})

test('every operation has a valid example of its request body', () => {
  for (const { operation } of operations) {
    const { operationId: id, requestBody } = operation
    if (requestBody && !requestBody.content['multipart/form-data']) {
      const content = contentOf(requestBody) as MediaType
      assertValid(content.schema, content.example, `body of ${id}`)
    }
  }
})

test('every operation has a schema of each response, which its example matches', () => {
  const examples = new Map(
    currentRoutes().flatMap((route) => {
      const { status, alternative } = statusesOf(route)
      return [
        [`${status} of ${route.id}`, route.example],
        [`${alternative?.status} of ${route.id}`, alternative?.example],
      ]
    }),
  )
  for (const { operation } of operations) {
    const { operationId: id } = operation
    for (const [status, response] of responsesOf(operation)) {
      // Skips `4XX`, which stands for all errors of a redirect's target.
      if (Number.isNaN(status)) continue
      const content = contentOf(response)
      const isPlain = plainIds.has(id) && status < 400
      const isNeverSent = status === 200 && operation.responses['501'] !== undefined
      const hasNoContent = isPlain || isNeverSent || status === 204 || status === 304
      assert.equal(content === undefined, hasNoContent, `${status} of ${id}`)
      if (!content || status >= 400) continue
      const { data } = content.schema.properties ?? {}
      assertValid(data as Schema, examples.get(`${status} of ${id}`), `${status} of ${id}`)
    }
  }
})

test('every operation documents its errors under the right status', () => {
  for (const { operation } of operations) {
    const failures = responsesOf(operation).filter(([status]) => status >= 400)
    const codes = failures.flatMap(([status, { description }]) =>
      Array.from(description.matchAll(/`(\w+)`/g), ([, code]) => ({ status, code: String(code) })),
    )
    for (const { status, code } of codes) {
      assert.equal(ERRORS[code as keyof typeof ERRORS], status, `${operation.operationId}: ${code}`)
    }
    const names = codes.map(({ code }) => code)
    if (plainIds.has(operation.operationId)) continue
    const expected = ['INTERNAL_ERROR', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE']
    if (operation.security.some((choice) => 'bearer' in choice) && operation.security.length === 1)
      expected.push('UNAUTHORIZED')
    if (operation.requestBody) {
      expected.push('VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
      expected.push('REQUEST_TIMEOUT')
    }
    for (const code of expected)
      assert.ok(names.includes(code), `${operation.operationId}: ${code}`)
  }
})

test('responses outside the envelope are documented as sent', async () => {
  const former = PLAIN_ROUTES.filter(({ deprecated }) => deprecated)
  assert.equal(former.length, 5)
  for (const { method, path, description } of former) {
    const formerPath = path.replace('{id}', 'cnt_1')
    const answer = await fetch(app.url + formerPath, { method, redirect: 'manual' })
    assert.equal(answer.status, 308, path)
    assert.equal(answer.headers.get('location'), formerPath.replace('/v1/', '/v1/jump/'))
    const successor = operations.find(
      (route) =>
        route.path === path.replace('/v1/', '/v1/jump/') && route.method === method.toLowerCase(),
    )
    assert.ok(description.includes(`\`${successor?.operation.operationId}\``), path)
  }
  const { operation } = operations.find(({ path }) => path === '/uploads/{path}') ?? {}
  assert.deepEqual(Object.keys(operation?.responses ?? {}), [
    '200',
    '206',
    '304',
    '404',
    '416',
    '500',
    '503',
  ])
  assert.equal((await fetch(`${app.url}/uploads/nothing`)).status, 404)
})

test('the signed download of an export is documented with its token and errors', async () => {
  const path = '/api/v1/exports/{id}/download'
  const { operation } = operations.find((route) => route.path === path) ?? {}
  const required = operation?.parameters
    .map((parameter) => resolve<Parameter>(parameter))
    .filter((parameter) => parameter.required)
  assert.deepEqual(
    required?.map(({ name, in: place }) => [name, place]),
    [
      ['id', 'path'],
      ['token', 'query'],
    ],
  )
  const statuses = ['200', '206', '304', '403', '404', '416', '500', '503']
  assert.deepEqual(Object.keys(operation?.responses ?? {}), statuses)
  assert.equal((await fetch(app.url + path.replace('{id}', 'exp_1'))).status, 403)
})

test('every reference resolves, and every component is used', () => {
  const pointers = new Set([...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, pointer]) => pointer))
  for (const pointer of pointers) assert.ok(follow(pointer as string), pointer)
  const { securitySchemes: _schemes, ...kinds } = document.components
  for (const [kind, members] of Object.entries(kinds)) {
    for (const name of Object.keys(members)) {
      assert.ok(pointers.has(`#/components/${kind}/${name}`), `${kind}/${name} is not used`)
    }
  }
})

test('throws when two different schemas have the same title', () => {
  const titled = (field: string) =>
    Type.Object({ [field]: Type.String() }, { title: 'Twice' }) as RouteRecord['data']
  const first = routeOf({ data: titled('a'), example: { a: '' } })
  const same = routeOf({ path: '/api/v1/b', data: titled('a'), example: { a: '' } })
  const different = routeOf({ path: '/api/v1/b', data: titled('b'), example: { b: '' } })
  assert.deepEqual(Object.keys(buildDocument([first, same]).components.schemas), [
    'ErrorCode',
    'Failure',
    'Meta',
    'Twice',
  ])
  assert.throws(() => buildDocument([first, different]), /Twice/)
})

test('throws when a route has an unknown tag or no example', () => {
  assert.throws(() => buildDocument([routeOf({ tag: 'Nowhere' })]), /Nowhere/)
  const shape = Type.Object({ a: Type.String() })
  assert.throws(() => buildDocument([routeOf({ data: shape })]), /aRoute has no example/)
  assert.throws(() => buildDocument([routeOf({ body: shape })]), /aRoute has no example/)
})

test('the committed document is served, with 304 when the client has it', async () => {
  const response = await fetch(`${app.url}/openapi.json`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(response.headers.get('x-api-version'), 'v1')
  assert.ok(response.headers.get('x-request-id'))
  assert.equal(await response.text(), JSON.stringify(JSON.parse(text)))
  const etag = response.headers.get('etag') as string
  const again = await fetch(`${app.url}/openapi.json`, { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
  assert.equal(await again.text(), '')
})

test('the first server of the document is PUBLIC_URL when that is set', async () => {
  const serversOf = async (url: string): Promise<string[]> => {
    const served = JSON.parse(await (await fetch(`${url}/openapi.json`)).text())
    return served.servers.map((server: { url: string }) => server.url)
  }
  assert.deepEqual(await serversOf(app.url), ['/'])
  const port = await freePort()
  await startApp({ PORT: String(port), PUBLIC_URL: 'https://plaza.example' })
  const known = `http://127.0.0.1:${port}`
  assert.deepEqual(await serversOf(known), ['https://plaza.example'])
  const policy = (await fetch(`${known}/docs`)).headers.get('content-security-policy')
  assert.match(policy ?? '', /; connect-src 'self' https:\/\/plaza\.example;/)
})

test('the reference page loads only scripts of this server', async () => {
  const response = await fetch(`${app.url}/docs`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(
    response.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  const page = await response.text()
  assert.match(page, /^<!doctype html>\n<html lang="en">/)
  const scripts = [...page.matchAll(/<script src="([^"]+)"><\/script>/g)].map(([, src]) => src)
  assert.deepEqual(scripts, ['docs/scalar.js', 'docs/start.js'])
  for (const src of scripts) {
    const script = await fetch(new URL(src, response.url))
    assert.equal(script.status, 200)
    assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.match(await script.text(), /Scalar/)
  }
  assert.doesNotMatch(page, /<script>|<style|<link|<iframe| style=| on\w+=|="(https?:)?\/\//i)
})

test('the reference allows only GET and HEAD, and HEAD sends no body', async () => {
  for (const path of ['/openapi.json', '/docs', '/docs/start.js']) {
    const head = await fetch(app.url + path, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.ok(Number(head.headers.get('content-length')) > 0)
    assert.equal(await head.text(), '')
    const post = await fetch(app.url + path, { method: 'POST', body: '{}' })
    assert.equal(post.status, 405)
    assert.equal(post.headers.get('allow'), 'GET, HEAD, OPTIONS')
    assert.equal(
      ((await post.json()) as { error: { code: string } }).error.code,
      'METHOD_NOT_ALLOWED',
    )
  }
})
