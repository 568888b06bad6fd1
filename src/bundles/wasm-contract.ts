/**
 * What a WebAssembly game may be and may ask for: published at `GET /api/wasm/contract`, enforced
 * at upload (`wasm.ts`) and kept by the page that plays it, which calls the exports `init` and
 * `frame` (milliseconds) and reads from `memory`. docs/wasm-games.md tells what each import does.
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
  /** The server reads modules and never compiles nor runs them. */
  runs_in: 'browser',
  /** Its page has an origin of its own, which equals no other. */
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
  /** 64 KiB each. What has no maximum of its own is given this one. */
  max_memory_pages: 4096,
  max_tables: 8,
  /** What has no maximum of its own is given this one. */
  max_table_elements: 100_000,
  max_types: 10_000,
  max_params: 100,
  max_results: 100,
  max_imports: 1000,
  max_functions: 100_000,
  max_function_bytes: 4 * 1024 * 1024,
  max_function_locals: 10_000,
  /** Of all functions together. */
  max_locals: 1_000_000,
  max_globals: 10_000,
  max_exports: 10_000,
  max_element_segments: 10_000,
  /** Of all segments together. */
  max_element_entries: 1_000_000,
  max_data_segments: 10_000,
  max_custom_sections: 1000,
  max_name_bytes: 1000,
} as const

function host(name: string, params: HostType[], results: HostType[] = []): HostFunction {
  return { module: 'plaza', name, kind: 'function', params, results }
}

/** In alphabetical order of module and name. */
export const WASM_IMPORTS: readonly HostFunction[] = [
  // What AssemblyScript programs import unless told otherwise.
  {
    module: 'env',
    name: 'abort',
    kind: 'function',
    params: ['i32', 'i32', 'i32', 'i32'],
    results: [],
  },
  { module: 'env', name: 'seed', kind: 'function', params: [], results: ['f64'] },
  /** (pad, axis): -1 to 1. */
  host('gamepad_axis', ['i32', 'i32'], ['f64']),
  /** (pad, button): 1 while pressed. */
  host('gamepad_button', ['i32', 'i32'], ['i32']),
  /** (code): 1 while pressed. */
  host('key', ['i32'], ['i32']),
  /** (address, bytes): UTF-8 text for the console. */
  host('log', ['i32', 'i32']),
  /** A bit for each button: 1 the first one or a finger, 2 the second one, 4 the middle one. */
  host('pointer_buttons', [], ['i32']),
  /** In pixels of the picture. */
  host('pointer_x', [], ['f64']),
  host('pointer_y', [], ['f64']),
  /** (address): shows width x height pixels of four bytes, RGBA. */
  host('present', ['i32']),
  /** From 0 up to, not including, 1. */
  host('random', [], ['f64']),
  /** (address, count, rate, volume): plays 32-bit floats, one channel. */
  host('sample', ['i32', 'i32', 'f64', 'f64']),
  /** (width, height): of the picture, 1 to 4096 pixels each. */
  host('size', ['i32', 'i32']),
  /** Milliseconds since the start. */
  host('time', [], ['f64']),
  /** (frequency, milliseconds, volume, wave): 0 sine, 1 square, 2 sawtooth, 3 triangle. */
  host('tone', ['f64', 'f64', 'f64', 'i32']),
]

/** Exported functions that the player calls. A module needs one of them or a start function. */
export const WASM_ENTRIES: readonly string[] = ['init', 'frame']

export const WASM_CONTRACT = {
  version: 1,
  isolation: WASM_ISOLATION,
  limits: WASM_LIMITS,
  allowed_imports: WASM_IMPORTS,
}
