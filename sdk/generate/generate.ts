/** Writes the source that follows from openapi.json. */
import { type Declaration, lineOf, operationsOf, typesOf } from './operations.ts'
import { type Schema, TypeWriter } from './schema.ts'

export interface Document {
  paths: Record<string, Record<string, Declaration>>
  components: { schemas: Record<string, Schema> }
}

/** The whole of src/generated.ts, before it is formatted. */
export function generate({ paths, components: { schemas } }: Document): string {
  const types = new TypeWriter(schemas)
  const operations = operationsOf(paths, schemas)
  return `/** Written by \`npm run sdk\` from openapi.json. */

${Object.keys(schemas)
  .map((name) => types.declaration(name))
  .join('\n')}
/** What each operation takes, what it gives, and what the lists among them are lists of. */
export interface Operations {
${operations.map((operation) => typesOf(operation, types)).join('\n')}}

/**
 * How each operation is called: method and path, below \`/api/v1\` unless it begins with \`/api/\`; then
 * \`public\` where a session means nothing to it, \`json\` where it has a body, \`twice:\` a field that goes
 * into the path and the body, \`once\` where it takes an \`Idempotency-Key\`, how a list goes on, and
 * \`reversed\` where its pages are in another order than their entries.
 */
export const operations: Record<keyof Operations, string> = {
${operations.map(lineOf).join('')}}
`
}
