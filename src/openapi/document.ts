import { IsOptional } from 'typebox'
import type { AuthMode } from '../http/auth.ts'
import { isShared, type PathParam, type RouteRecord } from '../http/declaration.ts'
import { PREFIXES } from '../db/ids.ts'
import { VERSION } from '../package.ts'
import {
  DEPRECATION,
  ERROR_CODE,
  errorsOf,
  FAILURE,
  failuresOf,
  HEADERS,
  META,
  responsesOf,
  sharedFailures,
  takesIdempotencyKey,
} from './answers.ts'
import { INTRODUCTION, TAGS } from './introduction.ts'
import type { PlainRoute } from './plain.ts'
import { addExamples } from './examples.ts'
import { extractRecords, type Records } from './schemas.ts'
import type {
  Document,
  MediaType,
  Operation,
  Parameter,
  Ref,
  RequestBody,
  Response,
  Schema,
  Security,
} from './types.ts'

const SECURITY: Record<AuthMode, Security[]> = {
  public: [],
  optional: [{}, { bearer: [] }],
  user: [{ bearer: [] }],
  // Required roles (OpenAPI 3.1, Security Requirement Object).
  admin: [{ bearer: ['admin'] }],
  moderate: [{ bearer: ['admin'] }, { bearer: ['moderate'] }],
  members: [{ bearer: ['admin'] }, { bearer: ['members'] }],
  site: [{ bearer: ['admin'] }, { bearer: ['site'] }],
  staff: [
    { bearer: ['admin'] },
    { bearer: ['moderate'] },
    { bearer: ['members'] },
    { bearer: ['site'] },
  ],
  'user-or-key': [{ bearer: [] }, { apiKey: [] }],
}

const HEADER_PARAMETERS: Record<string, Parameter> = {
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'Language of messages: `ko` (the default) or `en`',
    schema: { type: 'string', default: 'ko-KR' },
    example: 'en',
  },
  RequestId: {
    name: 'X-Request-ID',
    in: 'header',
    description: 'A UUID for tracing, which the response repeats. Other values are ignored.',
    schema: { type: 'string' },
    example: '01939f2c-6c1a-7c3e-9b52-4f0d8a6e7b11',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes a retry safe: requests with the same key are performed once',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '7d1f6c1e-2b9a-4b7e-8f55-0c7a9c1d2e3f',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of a response you have cached',
    schema: { type: 'string' },
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
}

/** Path parameters that are not ids. */
const TEXT_PARAMETERS: Record<string, Omit<Parameter, 'name' | 'in' | 'schema'>> = {
  handle: { description: 'Handle of the creator. Letter case is ignored', example: 'mina' },
  slug: { description: 'Name of the page in its address', example: 'terms' },
  tag: { description: 'A tag. Letter case is ignored', example: 'seoul' },
  provider: { description: 'Name of the provider', example: 'google' },
}

/** Builds the OpenAPI document. Errors: an Error when a route lacks an example or uses an unknown tag. */
export function buildDocument(
  routes: readonly RouteRecord[],
  plainRoutes: readonly PlainRoute[] = [],
): Document {
  const records: Records = new Map()
  const paths: Document['paths'] = {}
  for (const route of inOrder(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationOf(route, records)
  }
  const answers = routes.flatMap(({ data, example }) =>
    data ? [{ schema: extractRecords(data, records), example }] : [],
  )
  for (const { schema, example } of answers) addExamples(schema, example, records)
  const bodiless = shareBodiless(Object.values(paths).flatMap(Object.values<Operation>))
  for (const plain of plainRoutes) {
    paths[plain.path] ??= {}
    ;(paths[plain.path] as Record<string, Operation>)[plain.method.toLowerCase()] = plainOf(plain)
  }
  const used = new Set(routes.map(({ tag }) => tag))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Plaza API',
      version: VERSION,
      description: INTRODUCTION,
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The `access_token` of a session' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key' },
      },
      parameters: HEADER_PARAMETERS,
      headers: HEADERS,
      schemas: { ErrorCode: ERROR_CODE, Failure: FAILURE, Meta: META, ...byName(records) },
      responses: {
        ...bodiless,
        ...sharedFailures([
          ...routes.map((route) => ({
            codes: errorsOf(route),
            isDeprecated: route.successor !== undefined,
          })),
          ...plainRoutes.map(({ errors, deprecated = false }) => ({
            codes: new Set(errors),
            isDeprecated: deprecated,
          })),
        ]),
      },
    },
  }
}

/** Replaces the responses without a body by references to shared components, and returns the components by name. */
function shareBodiless(operations: readonly Operation[]): Record<string, Response> {
  const shared = new Map<string, string>()
  for (const { responses } of operations) {
    for (const [status, name] of [
      ['204', 'NoContent'],
      ['304', 'NotModified'],
    ] as const) {
      const response = responses[status]
      if (!response) continue
      const text = JSON.stringify(response)
      if (!shared.has(text)) shared.set(text, `${name}${shared.size}`)
      responses[status] = { $ref: `#/components/responses/${shared.get(text)}` }
    }
  }
  return Object.fromEntries([...shared].map(([text, name]) => [name, JSON.parse(text)]))
}

function byName(records: Records): Record<string, Schema> {
  return Object.fromEntries([...records].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function inOrder(routes: readonly RouteRecord[]): RouteRecord[] {
  const names = Object.keys(TAGS)
  const unknown = routes.find(({ tag }) => !names.includes(tag))
  if (unknown) throw new Error(`${unknown.id} has the unknown tag ${unknown.tag}`)
  return routes.toSorted((a, b) => names.indexOf(a.tag) - names.indexOf(b.tag))
}

function operationOf(route: RouteRecord, records: Records): Operation {
  const { id, summary, description, tag, auth, body, file, successor } = route
  return {
    operationId: id,
    summary,
    ...(description && { description }),
    tags: [tag],
    ...(successor !== undefined && { deprecated: true }),
    security: SECURITY[auth],
    parameters: parametersOf(route),
    ...(body && {
      requestBody: {
        required: !IsOptional(body),
        content: { 'application/json': jsonOf(route, body, records) },
      },
    }),
    ...(file && { requestBody: formOf(file) }),
    responses: responsesOf(route, (schema) => extractRecords(schema, records)),
  }
}

function plainOf(route: PlainRoute): Operation {
  const { id, summary, description, tag, deprecated, parameters, answers, errors } = route
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    ...(deprecated && { deprecated }),
    security: [],
    parameters,
    responses: {
      ...answers,
      ...failuresOf(new Set(errors), deprecated ? DEPRECATION : []),
    },
  }
}

function jsonOf({ id }: RouteRecord, body: Schema, records: Records): MediaType {
  const { examples: [example] = [], ...schema } = body
  if (example === undefined) throw new Error(`${id} has no example of its request body`)
  return { schema: extractRecords(schema, records), example }
}

function formOf({ field, description }: NonNullable<RouteRecord['file']>): RequestBody {
  const schema: Schema = {
    type: 'object',
    required: [field],
    properties: {
      [field]: {
        type: 'string',
        format: 'binary',
        contentMediaType: 'application/octet-stream',
        description,
      },
    },
  }
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

function parametersOf(route: RouteRecord): (Parameter | Ref)[] {
  const header = (name: string): Ref => ({ $ref: `#/components/parameters/${name}` })
  return [
    ...Object.entries(route.params ?? {}).map(([name, param]) => pathParameter(name, param)),
    ...Object.entries(route.query?.properties ?? {}).map(([name, field]) =>
      queryParameter(name, field as Schema, route.query?.required),
    ),
    header('AcceptLanguage'),
    header('RequestId'),
    ...(takesIdempotencyKey(route) ? [header('IdempotencyKey')] : []),
    ...(isShared(route) ? [header('IfNoneMatch')] : []),
  ]
}

function pathParameter(name: string, param: PathParam): Parameter {
  const base = { name, in: 'path' as const, required: true }
  if (!('id' in param)) {
    return { ...base, ...TEXT_PARAMETERS[name], schema: { type: 'string' } }
  }
  const noun = Object.entries(PREFIXES).find(([, prefix]) => prefix === param.id)?.[0]
  return {
    ...base,
    description: `Id of the ${noun}`,
    schema: { type: 'string', pattern: `^${param.id}_[0-9a-z]{26}$` },
    example: `${param.id}_01kazqjv2gf8k9w3m5xrt7n4de`,
  }
}

/**
 * Returns the parameter of a query field. Omits the limits of integers: the server clamps values outside them,
 * but a validating gateway would reject such values.
 */
function queryParameter(name: string, field: Schema, required: string[] = []): Parameter {
  const { description, minimum, maximum, ...schema } = field
  const range = minimum === undefined ? undefined : `Clamped to ${minimum}..${maximum ?? ''}.`
  const text = [description, range].filter(Boolean).join('. ')
  const isRequired = required.includes(name) && field.default === undefined
  return {
    name,
    in: 'query',
    ...(isRequired && { required: true }),
    ...(text && { description: text }),
    schema,
  }
}
