/**
 * The contract for WebAssembly games, which `wasm.ts` enforces at upload. The page that plays a game implements the
 * imports and calls the exports `init` and `frame`. docs/wasm-games.md documents each import.
 */

export type HostType = 'i32' | 'f64'

export interface HostFunction {
  module: string
  name: string
  kind: 'function'
  params: HostType[]
  results: HostType[]
}

export const WASM_ISOLATION = {
  /** The server parses modules; only the browser compiles and runs them. */
  runs_in: 'browser',
  origin: 'opaque',
  network: false,
  storage: false,
  document: false,
  threads: false,
  other_windows: false,
} as const

export const WASM_LIMITS = {
  max_module_bytes: 64 * 1024 * 1024,
  max_memories: 1,
  /** Maximum memory size in pages of 64 KiB. Also applies to a memory that declares no maximum. */
  max_memory_pages: 4096,
  max_tables: 8,
  /** Maximum number of elements of a table. Also applies to a table that declares no maximum. */
  max_table_elements: 100_000,
  max_types: 10_000,
  max_params: 100,
  max_results: 100,
  max_imports: 1000,
  max_functions: 100_000,
  max_function_bytes: 4 * 1024 * 1024,
  max_function_locals: 10_000,
  max_locals: 1_000_000,
  max_globals: 10_000,
  max_exports: 10_000,
  max_element_segments: 10_000,
  /** Maximum number of entries in all element segments together. */
  max_element_entries: 1_000_000,
  max_data_segments: 10_000,
  max_custom_sections: 1000,
  max_name_bytes: 1000,
} as const

function host(name: string, params: HostType[], results: HostType[] = []): HostFunction {
  return { module: 'plaza', name, kind: 'function', params, results }
}

export const WASM_IMPORTS: readonly HostFunction[] = [
  // AssemblyScript programs import `env.abort` and `env.seed` by default.
  {
    module: 'env',
    name: 'abort',
    kind: 'function',
    params: ['i32', 'i32', 'i32', 'i32'],
    results: [],
  },
  { module: 'env', name: 'seed', kind: 'function', params: [], results: ['f64'] },
  host('gamepad_axis', ['i32', 'i32'], ['f64']),
  host('gamepad_button', ['i32', 'i32'], ['i32']),
  host('key', ['i32'], ['i32']),
  host('log', ['i32', 'i32']),
  host('pointer_buttons', [], ['i32']),
  host('pointer_x', [], ['f64']),
  host('pointer_y', [], ['f64']),
  host('present', ['i32']),
  host('random', [], ['f64']),
  host('sample', ['i32', 'i32', 'f64', 'f64']),
  host('size', ['i32', 'i32']),
  host('time', [], ['f64']),
  host('tone', ['f64', 'f64', 'f64', 'i32']),
]

/** A module needs at least one of these exports or a start function. */
export const WASM_ENTRIES: readonly string[] = ['init', 'frame']

export const WASM_CONTRACT = {
  version: 1,
  isolation: WASM_ISOLATION,
  limits: WASM_LIMITS,
  allowed_imports: WASM_IMPORTS,
}
