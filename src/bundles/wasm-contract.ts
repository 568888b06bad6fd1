/**
 * Defines what a WebAssembly game may contain and import. The contract is published at
 * `GET /api/wasm/contract` and enforced at upload (`wasm.ts`). The page that plays the game fulfils it: it
 * calls the exports `init` and `frame` (milliseconds) and reads from `memory`. docs/wasm-games.md describes
 * each import.
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
  /** The server parses modules but never compiles or runs them. */
  runs_in: 'browser',
  /** The game's page has a unique opaque origin. */
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
  /** Pages of 64 KiB. A memory without a maximum gets this one. */
  max_memory_pages: 4096,
  max_tables: 8,
  /** A table without a maximum gets this one. */
  max_table_elements: 100_000,
  max_types: 10_000,
  max_params: 100,
  max_results: 100,
  max_imports: 1000,
  max_functions: 100_000,
  max_function_bytes: 4 * 1024 * 1024,
  max_function_locals: 10_000,
  /** Sum over all functions. */
  max_locals: 1_000_000,
  max_globals: 10_000,
  max_exports: 10_000,
  max_element_segments: 10_000,
  /** Sum over all segments. */
  max_element_entries: 1_000_000,
  max_data_segments: 10_000,
  max_custom_sections: 1000,
  max_name_bytes: 1000,
} as const

function host(name: string, params: HostType[], results: HostType[] = []): HostFunction {
  return { module: 'plaza', name, kind: 'function', params, results }
}

/** Sorted by module and name. */
export const WASM_IMPORTS: readonly HostFunction[] = [
  // AssemblyScript programs import these two by default.
  {
    module: 'env',
    name: 'abort',
    kind: 'function',
    params: ['i32', 'i32', 'i32', 'i32'],
    results: [],
  },
  { module: 'env', name: 'seed', kind: 'function', params: [], results: ['f64'] },
  /** (pad, axis): returns -1 to 1. */
  host('gamepad_axis', ['i32', 'i32'], ['f64']),
  /** (pad, button): returns 1 while pressed. */
  host('gamepad_button', ['i32', 'i32'], ['i32']),
  /** (code): returns 1 while pressed. */
  host('key', ['i32'], ['i32']),
  /** (address, bytes): writes UTF-8 text to the console. */
  host('log', ['i32', 'i32']),
  /** Returns a bit per button: 1 for the first button or a finger, 2 for the second, 4 for the middle. */
  host('pointer_buttons', [], ['i32']),
  /** Position in pixels of the picture, like `pointer_y`. */
  host('pointer_x', [], ['f64']),
  host('pointer_y', [], ['f64']),
  /** (address): shows width x height pixels of four bytes (RGBA). */
  host('present', ['i32']),
  /** Returns a number from 0 up to, but not including, 1. */
  host('random', [], ['f64']),
  /** (address, count, rate, volume): plays 32-bit float samples on one channel. */
  host('sample', ['i32', 'i32', 'f64', 'f64']),
  /** (width, height): sets the size of the picture, 1 to 4096 pixels each. */
  host('size', ['i32', 'i32']),
  /** Returns milliseconds since the start. */
  host('time', [], ['f64']),
  /**
   * (frequency, milliseconds, volume, wave): plays a tone. Waves: 0 sine, 1 square, 2 sawtooth, 3 triangle.
   */
  host('tone', ['f64', 'f64', 'f64', 'i32']),
]

/** Exported functions that the player calls. A module needs one of them, or a start function. */
export const WASM_ENTRIES: readonly string[] = ['init', 'frame']

export const WASM_CONTRACT = {
  version: 1,
  isolation: WASM_ISOLATION,
  limits: WASM_LIMITS,
  allowed_imports: WASM_IMPORTS,
}
