import { Type } from 'typebox'
import { choice, textOrNull } from '../http/fields.ts'
import { type HostFunction, WASM_CONTRACT, WASM_ISOLATION, WASM_LIMITS } from './wasm-contract.ts'

const HostTypes = Type.Array(
  Type.Unsafe<HostFunction['params'][number]>({ type: 'string', enum: ['i32', 'f64'] }),
)

export const Contract = Type.Object(
  {
    version: Type.Integer(),
    isolation: Type.Object(typesOf(WASM_ISOLATION), {
      title: 'WasmIsolation',
      description: 'Where modules run and what they can access',
    }),
    limits: Type.Object(typesOf(WASM_LIMITS), {
      title: 'WasmLimits',
      description:
        'Limits of one module. A memory or table without a maximum gets the largest allowed one',
    }),
    allowed_imports: Type.Array(
      Type.Object(
        {
          module: Type.String(),
          name: Type.String(),
          kind: Type.Unsafe<'function'>({ type: 'string', enum: ['function'] }),
          params: HostTypes,
          results: HostTypes,
        },
        { title: 'WasmImport' },
      ),
      { description: 'The only imports a module may use, with their types' },
    ),
  },
  { title: 'WasmContract' },
)

export const EXAMPLE = {
  ...WASM_CONTRACT,
  allowed_imports: WASM_CONTRACT.allowed_imports.filter(({ name }) =>
    ['present', 'size', 'tone'].includes(name),
  ),
}

export const BundleInfo = Type.Object(
  {
    runtime: choice(['html5', 'wasm', 'swf']),
    entry: textOrNull({
      description: 'Page that starts the game, unless `game.entry` is set',
    }),
    pages: Type.Array(Type.String(), { description: 'HTML pages of an archive, at most 100' }),
    warnings: Type.Array(
      Type.Object(
        {
          code: choice(['absolute_path']),
          path: Type.String({
            description: 'Absolute path, which is not found on the games origin',
          }),
          file: Type.String({ description: 'File of the bundle that refers to the path' }),
        },
        { title: 'BundleWarning' },
      ),
      { description: 'Reasons why the game may not start, at most 20' },
    ),
  },
  { title: 'Bundle' },
)

type TypeOf<T> = T extends number
  ? ReturnType<typeof Type.Integer>
  : T extends boolean
    ? ReturnType<typeof Type.Boolean>
    : ReturnType<typeof Type.String>

function typesOf<T extends Record<string, number | boolean | string>>(values: T) {
  const types = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number'
      ? Type.Integer()
      : typeof value === 'boolean'
        ? Type.Boolean()
        : Type.String(),
  ])
  return Object.fromEntries(types) as { [K in keyof T]: TypeOf<T[K]> }
}
