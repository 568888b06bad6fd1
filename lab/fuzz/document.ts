import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv'

export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  format?: string
  [more: string]: unknown
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

export interface Operation {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  body: Schema | undefined
  example: Record<string, unknown> | undefined
  isOpen: boolean
  takesFile: boolean
  /** False for operations that do not use the API's response format. */
  hasEnvelope: boolean
  /** Documented error codes by status. A success status has no codes. */
  answers: Map<number, string[]>
}

interface RawOperation {
  operationId: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: {
    content: Record<string, { schema: Schema; example?: Record<string, unknown> }>
  }
  security?: object[]
  responses: Record<string, { $ref?: string }>
}

const BASE = 'plaza'
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const PLAIN = /^\/(uploads|api\/v1\/(games|exports\/{id}\/download))/

export class Description {
  readonly operations: Operation[]
  readonly #document: { paths: Record<string, Record<string, RawOperation>>; components: never }
  readonly #ajv: Ajv2020
  readonly #validators = new Map<string, ValidateFunction | undefined>()

  constructor() {
    const file = join(import.meta.dirname, '../../openapi.json')
    this.#document = JSON.parse(readFileSync(file, 'utf8'))
    const operations = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => this.#operationOf(method, path, raw)),
    )
    // Leaves out operations that erase accounts, because the other requests need these accounts.
    this.operations = operations.filter(({ id }) => !/^(eraseUser|scheduleDeletion)$/.test(id))
    closeObjects(this.#document)
    const formats = { 'date-time': TIME, uuid: true, binary: true, uri: true } as const
    this.#ajv = new Ajv2020({ strict: false, validateFormats: true, formats })
    this.#ajv.addSchema(this.#document, BASE)
  }

  problemOf({ id, method, path }: Operation, status: number, body: unknown): string | undefined {
    const key = `${id} ${status}`
    if (!this.#validators.has(key)) this.#validators.set(key, this.#compile(method, path, status))
    const validate = this.#validators.get(key)
    if (!validate) return `openapi.json documents no body for ${status}`
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors)
  }

  #compile(method: string, path: string, status: number): ValidateFunction | undefined {
    const response = this.#document.paths[path]?.[method.toLowerCase()]?.responses[status]
    if (!response) return undefined
    const pointer =
      response.$ref ?? `#/paths/${escape(path)}/${method.toLowerCase()}/responses/${status}`
    return this.#ajv.compile({ $ref: `${BASE}${pointer}/content/application~1json/schema` })
  }

  #operationOf(method: string, path: string, raw: RawOperation): Operation {
    const content = raw.requestBody?.content ?? {}
    return {
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      parameters: (raw.parameters ?? []).filter((entry): entry is Parameter => 'name' in entry),
      body: content['application/json']?.schema,
      example: content['application/json']?.example,
      isOpen: !raw.security?.length,
      takesFile: 'multipart/form-data' in content,
      hasEnvelope: !PLAIN.test(path),
      answers: new Map(
        Object.entries(raw.responses).map(([status, { $ref }]) => [
          Number(status),
          // The component name of an error response contains its error codes.
          $ref
            ?.split('/')
            .at(-1)
            ?.match(/[A-Z_]+/g) ?? [],
        ]),
      ),
    }
  }
}

/** Escapes a path for a JSON pointer in a URI fragment (RFC 6901). */
function escape(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function closeObjects(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  const schema = node as Schema
  if (schema.type === 'object' && schema.properties) schema['additionalProperties'] ??= false
  for (const child of Object.values(node)) closeObjects(child)
}
