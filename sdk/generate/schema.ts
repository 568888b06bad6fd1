/**
 * Writes TypeScript types for the subset of JSON Schema in openapi.json. Ignores other keywords: a schema with
 * only `oneOf` or `allOf` becomes `unknown`.
 */

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: (string | null)[]
  const?: unknown
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  default?: unknown
}

/** Use of a type. Types in an `answer` accept unknown enumeration values, because later servers may add some. */
export type Side = 'answer' | 'request'

const REFERENCE = '#/components/schemas/'

const PRIMITIVES: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

export class TypeWriter {
  readonly #components: Record<string, Schema>

  constructor(components: Record<string, Schema>) {
    this.#components = components
  }

  typeFor(schema: Schema, side: Side): string {
    if (schema.$ref) return this.#reference(schema.$ref, side)
    if (schema.anyOf)
      return unique(schema.anyOf.map((option) => this.typeFor(option, side))).join(' | ')
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum) return enumeration(schema.enum, side)
    const types = [schema.type ?? []].flat()
    if (types.length === 0) return 'unknown'
    return unique(types.map((type) => this.#ofType(type, schema, side))).join(' | ')
  }

  members(schema: Schema, side: Side): string {
    const required = new Set(schema.required)
    return Object.entries(schema.properties ?? {})
      .map(([name, property]) => {
        const mark = required.has(name) ? '' : '?'
        return `${comment(documentationOf(property, side))}${name}${mark}: ${this.typeFor(property, side)}\n`
      })
      .join('')
  }

  /** Returns the TypeScript declaration of a component, without `null`, which each reference to the type adds. */
  declaration(name: string): string {
    const schema = this.#component(name)
    const head = comment(schema.description?.replace(/^Null unless .*$/, ''))
    if (schema.enum) {
      return `${head}export type ${name} = ${schema.enum.map(literal).join(' | ')}\n`
    }
    return `${head}export interface ${name} {\n${this.members(schema, 'answer')}}\n`
  }

  #reference(reference: string, side: Side): string {
    const name = reference.replace(REFERENCE, '')
    const schema = this.#component(name)
    if (side === 'request') throw new Error(`${name} is used in a request and in responses`)
    return mayBeNull(schema) ? `${name} | null` : name
  }

  #component(name: string): Schema {
    const schema = this.#components[name]
    if (!schema) throw new Error(`unknown component ${name}`)
    return schema
  }

  #ofType(type: string, schema: Schema, side: Side): string {
    const primitive = PRIMITIVES[type]
    if (primitive) return primitive
    if (type === 'array') {
      if (!schema.items) throw new Error('array without items')
      const item = this.typeFor(schema.items, side)
      return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`
    }
    if (type !== 'object') throw new Error(`unknown type ${type}`)
    if (!schema.properties) return 'Record<string, unknown>'
    return `{\n${this.members(schema, side)}}`
  }
}

export function comment(text: string | undefined): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

function documentationOf(schema: Schema, side: Side): string | undefined {
  const { description, default: preset } = schema
  if (side === 'answer' || preset === undefined) return description
  return [description, `Default: ${JSON.stringify(preset)}`].filter(Boolean).join('. ')
}

function mayBeNull(schema: Schema): boolean {
  return Array.isArray(schema.type) && schema.type.includes('null')
}

function enumeration(values: (string | null)[], side: Side): string {
  const texts = values.filter((value) => value !== null).map(literal)
  const open = side === 'answer' ? ['(string & {})'] : []
  return [...texts, ...open, ...(values.includes(null) ? ['null'] : [])].join(' | ')
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function unique(types: string[]): string[] {
  return [...new Set(types)]
}
