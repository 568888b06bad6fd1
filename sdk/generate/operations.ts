/** The operations of openapi.json as the client offers them: their types, and the table it runs by. */
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
  /** Undefined where no success is declared, null where it has no body. */
  data: Schema | null | undefined
  list: { by: 'page' | 'cursor' | 'offset'; field: string; item: Schema } | undefined
  /** Fields that stand in the path and in the body, with one value. */
  twice: string[]
}

/** `upload` of the client is createUpload; the files at /uploads are no JSON. */
const LEFT_OUT = new Set(['createUpload', 'readFile'])

/** Which list is gone through, where an answer has several. */
const LISTS: Record<string, string> = { readThread: 'replies' }
/** Newest page first, and oldest entry first within it. */
const REVERSED = new Set(['listMessages'])

/** All operations that the client offers, in the order of the document. */
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
  if (declaration.requestBody && !body) throw new Error(`${name} takes something other than JSON`)
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

/** What stands in the path or the query; headers are the client's own affair. */
function parametersOf({ parameters = [] }: Declaration): Parameter[] {
  return parameters.filter((one) => one.in === 'path' || one.in === 'query')
}

/**
 * One flat input needs names that mean one thing. A required text of the body may have the name of
 * one in the path: games want the id of their path once more.
 */
function checkNames(name: string, method: string, parameters: Parameter[], body?: Schema) {
  const taken = new Set<string>()
  for (const { name: field = '' } of parameters) {
    if (taken.has(field)) throw new Error(`${name} has two parameters named ${field}`)
    taken.add(field)
  }
  if (body && parameters.some((one) => one.in === 'query')) {
    throw new Error(`${name} has a query and a body: the client would not know which is which`)
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
  if (!data) throw new Error(`${operationId} answers without data`)
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
  if (!field || !item) throw new Error(`which list of ${name} is gone through?`)
  return { by, field, item }
}

/** The types of an operation, as a member of `Operations`. */
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

/** What the client must know to call an operation, as a line of its table. */
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
