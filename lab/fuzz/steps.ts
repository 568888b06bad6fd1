/** Generates requests. They contain placeholders for values that only the server knows, such as ids. */
import fc, { type Arbitrary } from 'fast-check'
import type { Operation, Schema } from './document.ts'
import { fileForm } from './files.ts'
import {
  atBorder,
  atEdge,
  hostileBody,
  hostileHeader,
  hostileSegment,
  hostileText,
  hostileValue,
} from './hostile.ts'
import { Pick as Wanted } from './pool.ts'

export const ACTORS = [
  'member',
  'other',
  'anonymous',
  'admin',
  'suspended',
  'legacy key',
  'app key',
  'bare key',
  'bad token',
] as const
export type ActorName = (typeof ACTORS)[number]

export interface Step {
  operation: Operation
  actor: ActorName
  method?: string
  path: Record<string, { text: string; mayMissRoute: boolean } | Wanted>
  query: Record<string, unknown>
  /** Query text to append unchanged after the other parameters. */
  rawQuery?: string
  headers: Record<string, string>
  body?:
    | { json: unknown }
    | { raw: string; type: string | undefined }
    | { form: Buffer; type: string }
}

const pick = (kind: string): Arbitrary<Wanted> =>
  fc.nat({ max: 999 }).map((n) => new Wanted(kind, n))

export function pathKind({ id, path }: Operation, name: string, { pattern = '' }: Schema): string {
  if (/^(play|stream|getSwf|getGame)/.test(id)) return 'game'
  if (path.endsWith('/thumbnail-job')) return 'game'
  if (path.startsWith('/uploads')) return 'file'
  if (path.endsWith('/download')) return 'exp'
  return name === 'handle' ? 'handle' : (/^\^([a-z]{3})_/.exec(pattern)?.[1] ?? name)
}

const WORDS = fc.constantFrom(
  '강물',
  'river',
  'Sea at night',
  '#tag',
  '@fuzz_1',
  'a',
  '새벽 3시',
  '😀',
)

/** Arbitrary of texts, built only once because building it is slow. */
const TEXT = fc.oneof(WORDS, fc.string({ unit: 'grapheme', minLength: 3, maxLength: 20 }))

const MEANING: Record<string, Arbitrary<unknown>> = {
  upload_ids: fc.array(pick('upl'), { maxLength: 2 }),
  thumbnail_upload_id: fc.oneof(pick('picture'), fc.constant(null)),
  avatar_upload_id: fc.oneof(pick('picture'), fc.constant(null)),
  parent_id: fc.oneof(pick('cmt'), fc.constant(null)),
  user_id: pick('usr'),
  up_to: pick('ntf'),
  before: fc.constantFrom('pst', 'cnv', 'msg').chain(pick),
  after: pick('pst'),
  refresh_token: pick('refresh_token'),
  captcha_token: pick('fresh captcha_token'),
  payload: pick('fresh payload'),
  identifier: pick('handle'),
  handle: fc.oneof(pick('handle'), pick('new handle')),
  email: pick('new email'),
  password: fc.constantFrom('correct horse battery 9', 'another long password'),
  current_password: fc.constantFrom('correct horse battery 9', 'wrong'),
  new_password: fc.constant('correct horse battery 9'),
  endpoint_url: pick('hook'),
  expires_at: fc.constantFrom(null, '2031-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'),
  redirect_uris: fc.array(fc.constantFrom('https://a.example/b', 'http://127.0.0.1:1/'), {
    maxLength: 3,
  }),
  id: pick('same'),
  tag: pick('tag'),
  q: WORDS,
  include: fc.constantFrom('related', 'popular', 'related,popular', 'x'),
}

/** Returns an arbitrary for the values of a field. One value in `hostileEvery` is hostile, the others are valid. */
function valueOf(name: string, schema: Schema, hostileEvery: number): Arbitrary<unknown> {
  const good = MEANING[name] ?? goodValue(schema, hostileEvery)
  const { minLength = 0, maxLength = 1000, minimum = 0, maximum = 1000 } = schema
  const types = [schema.type].flat()
  const bad: Arbitrary<unknown>[] = [hostileValue]
  if (types.includes('string')) bad.push(hostileText, atBorder(minLength, maxLength))
  if (types.includes('integer')) bad.push(atEdge(minimum, maximum))
  return fc.oneof(
    { weight: hostileEvery - 1, arbitrary: good },
    { weight: 1, arbitrary: fc.oneof(...bad) },
  )
}

function goodValue(schema: Schema, hostileEvery: number): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type].flat().filter((type) => type !== undefined)
  return fc.oneof(...types.map((type) => goodOf(type, schema, hostileEvery)))
}

function goodOf(type: string, schema: Schema, hostileEvery: number): Arbitrary<unknown> {
  switch (type) {
    case 'boolean':
      return fc.boolean()
    case 'integer': {
      const { minimum = 0, maximum = 1000 } = schema
      return fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) })
    }
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 3 } = schema
      const item = valueOf('', items, hostileEvery * 2)
      return fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) })
    }
    case 'object':
      return objectOf(schema, hostileEvery)
    case 'null':
      return fc.constant(null)
    default:
      return TEXT
  }
}

function objectOf(schema: Schema, hostileEvery: number): Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, valueOf(name, field, hostileEvery)] as const,
  )
  const required = schema.required ?? []
  const whole = fc.record(Object.fromEntries(fields), { requiredKeys: required })
  const lacking = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
  const extra = fc.tuple(whole, hostileText, hostileValue).map(([body, name, value]) => ({
    ...(body as object),
    ...JSON.parse(`{${JSON.stringify(name.toWellFormed())}:1}`),
    role: 'admin',
    id: value,
  }))
  return fc.oneof(
    { weight: 18, arbitrary: whole },
    { weight: 1, arbitrary: lacking },
    { weight: 1, arbitrary: extra },
  )
}

const HEADERS = [
  'accept-language',
  'x-request-id',
  'if-none-match',
  'range',
  'if-range',
  'origin',
  'accept',
  'x-forwarded-for',
  'x-http-method-override',
  'cookie',
  'accept-encoding',
  'user-agent',
  'content-encoding',
  'authorization',
  'x-api-key',
  'idempotency-key',
] as const

const headers: Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 10, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'accept-language': 'en' },
      { 'idempotency-key': 'one' },
      { 'idempotency-key': '"two"' },
      { 'x-request-id': '01939f2c-6c1a-7c3e-9b52-4f0d8a6e7b11' },
      { range: 'bytes=0-3' },
      { range: 'bytes=-5' },
      { range: 'bytes=9-1,0-0,5-99999999999999999999' },
      { 'if-none-match': '*' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...HEADERS), hostileHeader)
      .map(([name, value]) => ({ [name]: value })),
  },
)

function bodyOf({ body, takesFile }: Operation): Arbitrary<Step['body']> {
  if (takesFile) return fileForm
  const types = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/json\tx',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    undefined,
  )
  const junk = fc.tuple(hostileBody, types).map(([raw, type]) => ({ raw, type }))
  if (!body) {
    return fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant({ json: {} }) },
      { weight: 1, arbitrary: junk },
    )
  }
  const json = objectOf(body, 14).map((value) => ({ json: value }))
  return fc.oneof({ weight: 24, arbitrary: json }, { weight: 1, arbitrary: junk })
}

const actor: Arbitrary<ActorName> = fc.oneof(
  { weight: 10, arbitrary: fc.constant('member' as const) },
  { weight: 4, arbitrary: fc.constant('other' as const) },
  { weight: 7, arbitrary: fc.constantFrom(...ACTORS) },
)

export function stepOf(operation: Operation): Arbitrary<Step> {
  const named = (place: string) =>
    operation.parameters.filter((parameter) => parameter.in === place)
  const path = named('path').map(({ name, schema }) => [
    name,
    fc.oneof(
      { weight: 9, arbitrary: pick(pathKind(operation, name, schema)) },
      { weight: 1, arbitrary: hostileSegment },
    ),
  ])
  const query = named('query').map(({ name, schema }) => [name, valueOf(name, schema, 8)])
  const admins = operation.path.includes('/admin/')
  return fc
    .record<Step & { odd: Odd }>({
      operation: fc.constant(operation),
      actor: admins ? fc.oneof(fc.constant('admin' as const), actor) : actor,
      path: fc.record(Object.fromEntries(path)) as Arbitrary<Step['path']>,
      query: fc.record(Object.fromEntries(query), { requiredKeys: [] }),
      headers,
      body: bodyOf(operation),
      odd,
    })
    .map(({ odd: more, ...step }) => ({ ...step, ...more }))
}

type Odd = Pick<Step, 'method' | 'rawQuery'>

const odd: Arbitrary<Odd> = fc.oneof(
  { weight: 14, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record({
      method: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'GET', 'POST', 'TRACE'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      rawQuery: fc.constantFrom(
        'page=1&page=2',
        'page[]=1',
        '__proto__[x]=1',
        '=',
        '&&&',
        'limit=%zz',
        'x=%00',
        'before=%ff',
        `q=${'a'.repeat(6000)}`,
        Array.from({ length: 500 }, (_, i) => `k${i}=1`).join('&'),
      ),
    }),
  },
)

const WEIGHTS: Record<string, number> = {
  register: 4,
  registerFormerly: 1,
  signIn: 3,
  updateMe: 3,
  createUpload: 6,
  createChallenge: 4,
  verifyCaptcha: 4,
  signOut: 3,
  revokeSession: 3,
  updateUser: 6,
  deleteApp: 3,
  signInWithProvider: 3,
  testWebhook: 5,
  redeliverEvent: 10,
}

export function anyStep(operations: readonly Operation[]): Arbitrary<Step> {
  return fc.oneof(
    ...operations.map((operation) => ({
      weight: WEIGHTS[operation.id] ?? (operation.hasEnvelope ? 10 : 3),
      arbitrary: stepOf(operation),
    })),
  )
}
