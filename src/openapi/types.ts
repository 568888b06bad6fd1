export interface Ref {
  $ref: string
}

export interface Schema {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  format?: string
  contentMediaType?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export interface Header {
  description?: string
  schema: Schema
}

export interface MediaType {
  schema: Schema
  example?: unknown
}

export interface Response {
  description: string
  headers?: Record<string, Header | Ref>
  content?: Record<string, MediaType>
}

export interface RequestBody {
  required: boolean
  content: Record<string, MediaType>
}

/** Maps security schemes to required roles. `{}` allows requests without credentials. */
export type Security = Record<string, string[]>

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  deprecated?: boolean
  security: Security[]
  parameters: (Parameter | Ref)[]
  requestBody?: RequestBody
  responses: Record<string, Response | Ref>
}

export interface Components {
  securitySchemes: Record<string, Record<string, string>>
  parameters: Record<string, Parameter>
  headers: Record<string, Header>
  schemas: Record<string, Schema>
  responses: Record<string, Response>
}

export interface Document {
  openapi: string
  info: { title: string; version: string; description: string; license: Record<string, string> }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Components
}
