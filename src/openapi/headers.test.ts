import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { captchaToken } from '../../test/captcha.ts'
import { makePng, makeUpload } from '../../test/uploads.ts'
import type { Document, Header, Operation, Response } from './types.ts'

const app = await startApp()
const document: Document = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
)

const GENERAL = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
])

function resolve<T extends object>(thing: T | { $ref: string }): T {
  if (!('$ref' in thing)) return thing
  return thing.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document) as T
}

function assertDocumented(path: string, method: string, answer: globalThis.Response): void {
  const operation = document.paths[path]?.[method] as Operation
  const entry = operation.responses[String(answer.status)]
  assert.ok(entry, `${answer.status} of ${path}`)
  const headers = resolve<Response>(entry).headers as Record<string, Header>
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  for (const name of answer.headers.keys()) {
    assert.ok(GENERAL.has(name) || names.has(name), `${name} on ${answer.status} of ${path}`)
  }
}

test('documents every header sent with successes, failures, files and redirects', async () => {
  const alice = await app.user()
  const authorization = `Bearer ${alice.token}`
  const json = { 'content-type': 'application/json' }
  const send = async (
    [method, path, url]: [string, string, string],
    init: RequestInit = {},
  ): Promise<void> => {
    const answer = await fetch(app.url + url, { method, redirect: 'manual', ...init })
    assertDocumented(path, method.toLowerCase(), answer)
    await answer.arrayBuffer()
  }
  const { url } = await makeUpload(alice, await makePng())
  const file: [string, string, string] = ['GET', '/uploads/{path}', new URL(url, app.url).pathname]
  await send(file)
  await send(file, { headers: { range: 'bytes=0-3' } })
  await send(file, { headers: { range: 'bytes=99999999-' } })
  await send(['GET', '/uploads/{path}', '/uploads/none'])
  await send(['GET', '/api/v1/games', '/api/v1/games'])
  await send(['POST', '/api/v1/games/{id}/play', '/api/v1/games/cnt_1/play'])
  await send(['GET', '/api/v1/feeds', '/api/v1/feeds'])
  await send(['GET', '/api/v1/feeds', '/api/v1/feeds?page=x'])
  await send(['GET', '/api/v1/auth/me', '/api/v1/auth/me'])
  await send(['GET', '/api/v1/auth/me', '/api/v1/auth/me'], { headers: { authorization } })
  await send(['POST', '/api/v1/auth/oauth/{provider}', '/api/v1/auth/oauth/google'])
  await send(['POST', '/api/v1/posts', '/api/v1/posts'], {
    headers: { authorization, ...json },
    body: '{"body":"hello"}',
  })
  await send(['POST', '/api/v1/posts', '/api/v1/posts'], {
    headers: { authorization, ...json },
    body: '{}',
  })
  await send(['POST', '/api/v1/auth/signup', '/api/v1/auth/signup'], { headers: json, body: '{}' })
})

test('sends Deprecation and Link with every response of a deprecated route', async () => {
  const successor = '</api/v1/auth/register>; rel="successor-version"'
  const signUp = (body: object) => app.anon.post('/auth/signup', body)
  const made = {
    handle: 'deprecated',
    email: 'deprecated@example.test',
    password: 'a long walk by the river',
    captcha_token: await captchaToken(app.anon),
  }
  for (const [body, status] of [
    [{}, 422],
    [made, 201],
  ] as const) {
    const answer = await signUp(body)
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.headers.get('link'), successor)
    assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/)
  }
  const type = await fetch(`${app.url}/api/v1/auth/signup`, { method: 'POST', body: 'x' })
  assert.deepEqual([type.status, type.headers.get('link')], [415, successor])
  for (const [method, path] of [
    ['GET', '/games'],
    ['GET', '/games/cnt_1'],
    ['POST', '/games/cnt_1/play'],
    ['POST', '/games/cnt_1/stream'],
    ['POST', '/games/cnt_1/swf'],
  ] as const) {
    const answer = await fetch(`${app.url}/api/v1${path}`, { method, redirect: 'manual' })
    assert.equal(answer.status, 308)
    const link = `</api/v1/jump${path}>; rel="successor-version"`
    assert.equal(answer.headers.get('link'), link)
    assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/)
  }
  const current = await app.anon.post('/auth/register', {})
  assert.equal(current.headers.get('deprecation'), null)
})

test('documents a success and a failure of every operation, as strict linters require', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const statuses = Object.keys(responses)
      assert.ok(
        statuses.some((status) => status.startsWith('2')),
        `${method} ${path}`,
      )
      assert.ok(
        statuses.some((status) => status.startsWith('4')),
        `${method} ${path}`,
      )
    }
  }
})

test('allows in the document all values that the server clamps or ignores', async () => {
  for (const methods of Object.values(document.paths)) {
    for (const { parameters } of Object.values(methods)) {
      for (const parameter of parameters) {
        const { in: place, name, schema } = resolve(parameter)
        if (place === 'query') assert.ok(!('minimum' in schema) && !('maximum' in schema), name)
        assert.notEqual(schema.format, 'uuid')
      }
    }
  }
  for (const query of ['page=0', 'per_page=1000', 'page=-5']) {
    assert.equal((await app.anon.get(`/feeds?${query}`)).status, 200)
  }
  const headers = { 'x-request-id': 'not-a-uuid' }
  assert.equal((await app.anon.get('/feeds', { headers })).status, 200)
})

test("declares the same types for a game's controls in requests and records", () => {
  const { schemas } = document.components
  const record = schemas['GameInfo']?.properties?.['controls']
  const create = document.paths['/api/v1/contents']?.['post']?.requestBody
  const request = create?.content['application/json']?.schema.properties?.['game']
  const types = record?.anyOf?.map(({ type }) => type)
  assert.deepEqual(types, request?.properties?.['controls']?.type)
})

test('declares the file of an upload as binary, with a media type that generators map to a Blob', () => {
  const body = document.paths['/api/v1/uploads']?.['post']?.requestBody
  const file = body?.content['multipart/form-data']?.schema.properties?.['file']
  assert.deepEqual(
    [file?.type, file?.format, file?.contentMediaType],
    ['string', 'binary', 'application/octet-stream'],
  )
})
