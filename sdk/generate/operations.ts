/** Derives the client's types and table of operations from openapi.json. */
import { comment, type Schema, type TypeWriter } from './schema.ts'

interface Parameter {
  $ref?: string
  name?: string
  in?: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema?: Schema
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

export interface Declaration {
  operationId: string
  summary?: string
  description?: string
  deprecated?: boolean
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

export interface Operation {
  name: string
  method: string
  /** Below /api/v1, unless it begins with /api/. */
  path: string
  declaration: Declaration
  input: Schema
  /** Undefined when the operation declares no success, null when its success has no body. */
  data: Schema | null | undefined
  list: { by: 'page' | 'cursor' | 'offset'; field: string; item: Schema } | undefined
  /** Fields that are both in the path and in the body, with the same value. */
  twice: string[]
}

/** `plaza.upload` replaces createUpload. readFile serves files, not JSON. */
const LEFT_OUT = new Set(['createUpload', 'readFile'])

/** The list to iterate over, for responses that contain several lists. */
const LISTS: Record<string, string> = { readThread: 'replies' }
/** Operations whose pages run from newest to oldest, while entries within a page run the other way. */
const REVERSED = new Set(['listMessages'])

/** Returns the operations that the client offers, in the order of openapi.json. */
export function operationsOf(
  paths: Record<string, Record<string, Declaration>>,
  components: Record<string, Schema>,
): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId, deprecated }]) => !deprecated && !LEFT_OUT.has(operationId))
      .map(([method, declaration]) => toOperation(method, path, declaration, components)),
  )
}

function toOperation(
  method: string,
  path: string,
  declaration: Declaration,
  components: Record<string, Schema>,
): Operation {
  const name = declaration.operationId
  const parameters = parametersOf(declaration)
  const body = declaration.requestBody?.content?.['application/json']?.schema
  if (declaration.requestBody && !body) throw new Error(`${name} takes a body other than JSON`)
  const twice = checkNames(name, method, parameters, body)
  const data = dataOf(declaration)
  return {
    name,
    method: method.toUpperCase(),
    path: path.replace(/^\/api\/v1(?=\/)/, ''),
    declaration,
    input: inputOf(parameters, body),
    data,
    list: listOf(name, parameters, data, components),
    twice,
  }
}

/** Path and query parameters. The client sets the headers itself. */
function parametersOf({ parameters = [] }: Declaration): Parameter[] {
  return parameters.filter((one) => one.in === 'path' || one.in === 'query')
}

/**
 * Returns the names of the fields that are both in the path and in the body. They must be required strings.
 *
 * Throws when any other two fields of an operation share a name, because the client's input is one flat
 * object.
 */
function checkNames(name: string, method: string, parameters: Parameter[], body?: Schema) {
  const taken = new Set<string>()
  for (const { name: field = '' } of parameters) {
    if (taken.has(field)) throw new Error(`${name} has two parameters named ${field}`)
    taken.add(field)
  }
  if (body && parameters.some((one) => one.in === 'query')) {
    throw new Error(
      `${name} has both a query and a body: fields of a flat input would be ambiguous`,
    )
  }
  if (body && (method === 'get' || method === 'delete')) {
    throw new Error(`${name} has a body, which ${method} must not have`)
  }
  const twice = Object.keys(body?.properties ?? {}).filter((field) => taken.has(field))
  for (const field of twice) {
    const isSame =
      body?.properties?.[field]?.type === 'string' &&
      body.required?.includes(field) &&
      parameters.some((one) => one.name === field && one.in === 'path')
    if (!isSame) throw new Error(`${name} has two fields named ${field}`)
  }
  return twice
}

function inputOf(parameters: Parameter[], body: Schema | undefined): Schema {
  const properties: Record<string, Schema> = { ...body?.properties }
  const required = new Set(body?.required)
  const fields: Record<string, Schema> = {}
  for (const { name = '', schema = {}, description, required: isRequired } of parameters) {
    delete properties[name]
    fields[name] = { ...schema, ...(description && { description }) }
    if (isRequired) required.add(name)
  }
  return { type: 'object', required: [...required], properties: { ...fields, ...properties } }
}

function dataOf({ responses, operationId }: Declaration): Schema | null | undefined {
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
  if (successes.length > 1) throw new Error(`${operationId} has two kinds of success`)
  const [status] = successes
  if (!status) return undefined
  const envelope = responses[status]?.content?.['application/json']?.schema
  if (!envelope) return null
  const data = envelope.properties?.['data']
  if (!data) throw new Error(`${operationId} has a success response without data`)
  return data
}

function listOf(
  name: string,
  parameters: Parameter[],
  data: Schema | null | undefined,
  components: Record<string, Schema>,
): Operation['list'] {
  const has = (field: string) => parameters.some((one) => one.in === 'query' && one.name === field)
  const by = has('page') ? 'page' : has('before') ? 'cursor' : has('offset') ? 'offset' : undefined
  if (!by) return undefined
  const whole = data?.$ref ? components[data.$ref.replace('#/components/schemas/', '')] : data
  const lists = Object.entries(whole?.properties ?? {}).filter(([, { type }]) => type === 'array')
  const field = LISTS[name] ?? (lists.length === 1 ? lists[0]?.[0] : undefined)
  const item = lists.find(([one]) => one === field)?.[1].items
  if (!field || !item) throw new Error(`which list of ${name} should be iterated over?`)
  return { by, field, item }
}

/** Writes the input, data and item types of an operation, as one property of `Operations`. */
export function typesOf(operation: Operation, types: TypeWriter): string {
  const { name, declaration, input, data, list } = operation
  const { summary = '', description } = declaration
  const about = description ? `${summary}.\n\n${description}` : `${summary}.`
  const fields = types.members(input, 'request')
  const gives = data === undefined ? 'never' : data === null ? 'void' : types.of(data, 'answer')
  return `${comment(about)}${name}: {
${fields ? `input: {\n${fields}}` : 'input: Record<string, never>'}
data: ${gives}
${list ? `item: ${types.of(list.item, 'answer')}\n` : ''}}\n`
}

/** Writes the line of an operation in the client's table. */
export function lineOf({ name, method, path, declaration, list, twice }: Operation): string {
  const { requestBody, security = [], parameters = [] } = declaration
  const words = [method, path]
  if (security.length === 0) words.push('public')
  if (requestBody) words.push('json')
  words.push(...twice.map((field) => `twice:${field}`))
  if (parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))) words.push('once')
  if (list) words.push(`${list.by}:${list.field}`)
  if (REVERSED.has(name)) words.push('reversed')
  return `${name}: '${words.join(' ')}',\n`
}
