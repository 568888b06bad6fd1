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
  tags?: string[]
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
  /** Method in the client, such as `contents.get`. */
  member: string
  method: string
  /** Path relative to /api/v1, or an absolute path that begins with /api/. */
  path: string
  declaration: Declaration
  ids: string[]
  input: Schema
  /** Schema of `data`. Null for a success response without body, undefined if no success response is declared. */
  data: Schema | null | undefined
  list: { by: 'page' | 'cursor' | 'offset'; field: string; item: Schema } | undefined
  twice: string[]
}

/**
 * Operations without a client method. `plaza.upload` calls createUpload. getFile and getExportFile return no JSON.
 * The other operations duplicate an operation that has a method.
 */
const LEFT_OUT = new Set([
  'createUpload',
  'getFile',
  'getExportFile',
  'listMyAuthoredContents',
  'listMyLikedContents',
  'listMyBookmarkedContents',
])

/** Operations whose method belongs to the client itself instead of a group, with the name of the method. */
const ON_CLIENT: Record<string, string> = {
  register: 'register',
  signIn: 'signIn',
  signInWithPasskey: 'signInWithPasskey',
  createFirstAdmin: 'createFirstAdmin',
  signOut: 'signOut',
  refreshSession: 'refresh',
}

/** Operations that return several lists, with the response field of the list that `for await` iterates over. */
const LISTS: Record<string, string> = { getThread: 'replies' }
/** Paged operations whose input decides which list they return. The client does not iterate over their entries. */
const WITHOUT_LIST = new Set(['listSearchResults'])
/** Operations whose pages run from newest to oldest, while each page runs from oldest to newest. */
const REVERSED = new Set(['listMessages'])

/**
 * Returns the operations that have a client method. Throws for a duplicate method name, and for an operation that the
 * client does not support.
 */
export function operationsOf(
  paths: Record<string, Record<string, Declaration>>,
  components: Record<string, Schema>,
): Operation[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId, deprecated }]) => !deprecated && !LEFT_OUT.has(operationId))
      .map(([method, declaration]) => toOperation(method, path, declaration, components)),
  )
  const members = new Set<string>()
  for (const { name, member } of operations) {
    if (members.has(member)) throw new Error(`${name} is a second ${member}`)
    members.add(member)
  }
  return operations
}

/** Returns the client method, such as `notifications.markRead` for `markNotificationRead` of Notifications. */
function memberOf({ operationId, tags: [tag = ''] = [] }: Declaration): string {
  const own = ON_CLIENT[operationId]
  if (own !== undefined) return own
  if (!tag) throw new Error(`${operationId} has no tag`)
  const name = tag.replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase())
  const noun = name === 'Me' ? 'Me|My' : `${name.replace(/s$/, '')}s?`
  const method = operationId.replace(new RegExp(`(?<=[a-z])(${noun})(?=[A-Z]|$)`), '')
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}.${method}`
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
    member: memberOf(declaration),
    method: method.toUpperCase(),
    path: path.replace(/^\/api\/v1(?=\/)/, ''),
    declaration,
    ids: parameters.filter((entry) => entry.in === 'path').map((entry) => entry.name ?? ''),
    input: inputOf(parameters, body),
    data,
    list: listOf(name, parameters, data, components),
    twice,
  }
}

/** Returns the path and query parameters. Header parameters are left out, because the client sets these headers. */
function parametersOf({ parameters = [] }: Declaration): Parameter[] {
  return parameters.filter((entry) => entry.in === 'path' || entry.in === 'query')
}

/** Returns the fields that are in both path and body. Throws when the client cannot support the fields or the body. */
function checkNames(name: string, method: string, parameters: Parameter[], body?: Schema) {
  const taken = new Set<string>()
  for (const { name: field = '' } of parameters) {
    if (taken.has(field)) throw new Error(`${name} has two parameters named ${field}`)
    taken.add(field)
  }
  if (body && parameters.some((entry) => entry.in === 'query')) {
    throw new Error(`${name} has both a query and a body: a field could belong to either`)
  }
  if (body && (method === 'get' || method === 'delete')) {
    throw new Error(`${name} has a body, which ${method} must not have`)
  }
  const twice = Object.keys(body?.properties ?? {}).filter((field) => taken.has(field))
  for (const field of twice) {
    const isSame =
      body?.properties?.[field]?.type === 'string' &&
      body.required?.includes(field) &&
      parameters.some((entry) => entry.name === field && entry.in === 'path')
    if (!isSame) throw new Error(`${name} has two fields named ${field}`)
  }
  return twice
}

function inputOf(parameters: Parameter[], body: Schema | undefined): Schema {
  const properties: Record<string, Schema> = { ...body?.properties }
  const required = new Set(body?.required)
  const fields: Record<string, Schema> = {}
  for (const { name = '', in: where, schema = {}, description, ...rest } of parameters) {
    delete properties[name]
    required.delete(name)
    if (where === 'path') continue
    fields[name] = { ...schema, ...(description && { description }) }
    if (rest.required) required.add(name)
  }
  return { type: 'object', required: [...required], properties: { ...fields, ...properties } }
}

function dataOf({ responses, operationId }: Declaration): Schema | null | undefined {
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
  const kinds = new Map(
    successes.map((status) => [JSON.stringify(responses[status]?.content), status]),
  )
  const found = [...kinds.values()].map((status) => {
    const envelope = responses[status]?.content?.['application/json']?.schema
    if (!envelope) return null
    const data = envelope.properties?.['data']
    if (!data) throw new Error(`${operationId} has a success response without data`)
    return data
  })
  if (found.length < 2) return found[0]
  const alternatives = found.filter((data) => data !== null)
  if (alternatives.length < found.length) throw new Error(`${operationId} has two kinds of success`)
  return { anyOf: alternatives }
}

function listOf(
  name: string,
  parameters: Parameter[],
  data: Schema | null | undefined,
  components: Record<string, Schema>,
): Operation['list'] {
  const has = (field: string) =>
    parameters.some((entry) => entry.in === 'query' && entry.name === field)
  const by = has('page') ? 'page' : has('before') ? 'cursor' : has('offset') ? 'offset' : undefined
  if (!by || WITHOUT_LIST.has(name)) return undefined
  const whole = data?.$ref ? components[data.$ref.replace('#/components/schemas/', '')] : data
  const lists = Object.entries(whole?.properties ?? {}).filter(([, { type }]) => type === 'array')
  const field = LISTS[name] ?? (lists.length === 1 ? lists[0]?.[0] : undefined)
  const item = lists.find(([key]) => key === field)?.[1].items
  if (!field || !item) throw new Error(`which list of ${name} should be iterated over?`)
  return { by, field, item }
}

export function groupsOf(operations: Operation[]): string {
  const groups = new Map<string, string>()
  for (const { name, member, declaration } of operations) {
    const [group = '', method] = member.split('.')
    if (method === undefined) continue
    const line = `${comment(aboutOf(declaration))}${method}: '${name}'\n`
    groups.set(group, (groups.get(group) ?? '') + line)
  }
  return [...groups].map(([group, members]) => `${group}: {\n${members}}\n`).join('')
}

function aboutOf({ summary = '', description }: Declaration): string {
  return description ? `${summary}.\n\n${description}` : `${summary}.`
}

export function typesOf(operation: Operation, types: TypeWriter): string {
  const { name, ids, input, data, list } = operation
  const fields = types.members(input, 'request')
  const gives =
    data === undefined ? 'never' : data === null ? 'void' : types.typeFor(data, 'answer')
  return `${name}: {
ids: [${ids.map((id) => `${camelCase(id)}: string`).join(', ')}]
${fields ? `input: {\n${fields}}` : 'input: Record<string, never>'}
data: ${gives}
${list ? `item: ${types.typeFor(list.item, 'answer')}\n` : ''}}\n`
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

export function lineOf({
  name,
  member,
  method,
  path,
  declaration,
  list,
  twice,
}: Operation): string {
  const { requestBody, security = [], parameters = [] } = declaration
  const words = [member, method, path]
  if (security.length === 0) words.push('public')
  if (requestBody) words.push('json')
  words.push(...twice.map((field) => `twice:${field}`))
  if (parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))) words.push('once')
  if (list) words.push(`${list.by}:${list.field}`)
  if (REVERSED.has(name)) words.push('reversed')
  return `${name}: '${words.join(' ')}',\n`
}
