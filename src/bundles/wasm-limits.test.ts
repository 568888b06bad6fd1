import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, refusal } from '../../test/bundles.ts'
import {
  body,
  type Bytes,
  custom,
  END,
  exported,
  flat,
  FUNCREF,
  i32,
  I32,
  imported,
  limits,
  listOf,
  module,
  section,
  text,
  type,
  uleb,
  webAssembly,
} from '../../test/wasm.ts'
import { type LimitName } from './wasm-bytes.ts'
import { WASM_LIMITS } from './wasm-contract.ts'
import { boundModule, readModule } from './wasm.ts'

const PAGES_OF_4_GIB = 65_536
const many = (count: number, item: Bytes): Buffer => {
  const bytes = flat(item)
  return Buffer.alloc(bytes.length * count, bytes)
}
const times = (count: number, item: Bytes): Buffer => flat(uleb(count), many(count, item))
const [types, functions] = [listOf(1, type()), listOf(3, 0)]
const table = listOf(4, [FUNCREF, limits(0)])
/** For each limit, a function that returns a valid module with exactly `n` of the limited items. */
const counted: Record<LimitName, (n: number) => Buffer> = {
  max_module_bytes: (n) => module(custom('', Buffer.alloc(n - 8 - 1 - 4 - 1))),
  max_memories: (n) => module(section(5, times(n, limits(0, 1)))),
  max_memory_pages: (n) => module(listOf(5, limits(n))),
  max_tables: (n) => module(section(4, times(n, [FUNCREF, limits(0, 1)]))),
  max_table_elements: (n) => module(listOf(4, [FUNCREF, limits(n)])),
  max_types: (n) => module(section(1, times(n, type()))),
  max_params: (n) => module(listOf(1, [0x60, times(n, I32), 0])),
  max_results: (n) => module(listOf(1, [0x60, 0, times(n, I32)])),
  max_imports: (n) => module(listOf(1, type([], [0x7c])), section(2, times(n, time))),
  max_functions: (n) => module(types, section(3, times(n, 0)), section(10, times(n, body([])))),
  max_function_bytes: (n) =>
    module(types, functions, section(10, [1, uleb(n), 0, Buffer.alloc(n - 2, 0x01), END])),
  max_function_locals: (n) => module(types, functions, listOf(10, body([[n, I32]]))),
  max_locals: (n) => {
    const [most, rest] = [WASM_LIMITS.max_function_locals, n % WASM_LIMITS.max_function_locals]
    const full = Math.floor(n / most)
    const bodies = [...Array<Bytes>(full).fill(body([[most, I32]])), body([[rest, I32]])]
    // A body without groups of locals, because the server counts an empty group as one local.
    if (rest === 0) bodies[full] = body([])
    return module(types, listOf(3, ...bodies.map(() => 0)), listOf(10, ...bodies))
  },
  max_globals: (n) => module(section(6, times(n, [I32, 0, i32(0), END]))),
  max_exports: (n) => {
    const items = Array.from({ length: n }, (_, i) => exported(String(i), 0))
    return module(types, functions, listOf(7, ...items), listOf(10, body([])))
  },
  max_element_segments: (n) => module(table, section(9, times(n, [1, 0, 0]))),
  max_element_entries: (n) =>
    module(types, functions, section(9, [2, 1, 0, times(n - 1, 0), 1, 0, 1, 0]), code),
  max_data_segments: (n) => module(section(12, uleb(n)), section(11, times(n, [1, 0]))),
  max_custom_sections: (n) => module(Buffer.alloc(5 * n, custom('ab'))),
  max_name_bytes: (n) => module(custom('x'.repeat(n))),
}
const time = imported('plaza', 'time')
const code = listOf(10, body([]))

for (const [name, limit] of Object.entries(WASM_LIMITS) as [LimitName, number][]) {
  test(`enforces ${name} exactly`, async () => {
    const [most, more] = [counted[name](limit), counted[name](limit + 1)]
    if (name !== 'max_module_bytes') assert.ok(webAssembly.validate(most))
    const bounded = boundModule(most, read(most))
    if (name === 'max_module_bytes') assert.equal(most.length, limit)
    else assert.ok(webAssembly.validate(Buffer.concat(bounded)))
    const { key, params } = await refusal(more, 'wasm')
    assert.deepEqual([key, params], ['invalid.bundle_wasm_limit', { name, limit }])
  })
}

test('applies limits to maximum sizes as well as initial ones', async () => {
  const { max_memory_pages, max_table_elements } = WASM_LIMITS
  const memory = (min: number, max?: number) => module(listOf(5, limits(min, max)))
  for (const bytes of [
    memory(PAGES_OF_4_GIB),
    memory(0, PAGES_OF_4_GIB),
    memory(0xffffffff),
    memory(1, max_memory_pages + 1),
    module(listOf(4, [FUNCREF, limits(0, max_table_elements + 1)])),
    module(listOf(4, [FUNCREF, limits(0xffffffff)])),
  ]) {
    await assertRefused(bytes, 'wasm', 'wasm_limit')
  }
  read(memory(0, max_memory_pages))
  read(module(listOf(4, [FUNCREF, limits(0, max_table_elements)])))
})

const MOST_MICROSECONDS = 100_000
const longReferences = times(100_000, [many(20, i32(0)), 0xd2, 0, END])

test('rejects modules that declare far more than they contain, within milliseconds', async () => {
  const most = 0xffffffff
  const bodies = (locals: [number, number][]) => [types, functions, listOf(10, body(locals))]
  const bombs: [string, Bytes[]][] = [
    ['wasm_limit', [section(1, uleb(most))]],
    ['wasm', [section(1, uleb(10_000))]],
    ['wasm_limit', [types, section(2, uleb(1_000_000))]],
    ['wasm_limit', [types, section(2, times(1_000_000, time))]],
    ['wasm_limit', [types, section(3, uleb(most))]],
    ['wasm_limit', [section(4, uleb(most))]],
    ['wasm_limit', [section(6, uleb(most))]],
    ['wasm_limit', [section(7, uleb(most))]],
    ['wasm_limit', [table, section(9, uleb(most))]],
    ['wasm_limit', [table, listOf(9, [1, 0, uleb(most)])]],
    ['wasm', [table, listOf(9, [1, 0, uleb(1_000_000)])]],
    ['wasm_limit', [types, functions, section(10, uleb(most))]],
    ['wasm_limit', [types, functions, listOf(10, uleb(most))]],
    ['wasm', [types, functions, listOf(10, uleb(1000))]],
    ['wasm_limit', [section(11, uleb(most))]],
    ['wasm', [listOf(11, [1, uleb(most)])]],
    ['wasm_limit', bodies([[10_000_000, I32]])],
    [
      'wasm_limit',
      bodies([
        [most, I32],
        [most, I32],
      ]),
    ],
    ['wasm_limit', bodies(Array.from({ length: 2000 }, () => [9, I32]))],
    ['wasm_limit', [types, functions, listOf(10, noLocals(1_000_001))]],
    ['wasm', [types, functions, table, listOf(9, [4, i32(0), END, longReferences])]],
    ['wasm_limit', [custom('x'.repeat(1001))]],
    ['wasm', [section(0, uleb(most))]],
    ['wasm', [[0, uleb(most)]]],
    ['wasm', [listOf(6, [I32, 0, many(1000, i32(1)), END])]],
    ['wasm_limit', [listOf(7, [text('x'.repeat(1001)), 0, 0])]],
  ]
  for (const [why, sections] of bombs) {
    const bytes = module(...sections)
    assert.throws(() => read(bytes), { key: `invalid.bundle_${why}` })
    await assertRefused(bytes, 'wasm', why)
  }
})

/** Returns a function body with `count` empty groups of locals, which cost parsing time but declare no local. */
function noLocals(count: number): Bytes {
  const bytes = flat(uleb(count), Buffer.alloc(2 * count, Buffer.of(0, I32)), END)
  return [uleb(bytes.length), bytes]
}

/**
 * Returns the parsed module or throws the parser's error. Asserts that the fastest of three tries takes less than 100
 * ms of the thread's processor time.
 */
function read(bytes: Buffer): ReturnType<typeof readModule> {
  let least = Number.POSITIVE_INFINITY
  let found: ReturnType<typeof readModule> | undefined
  let refused: unknown
  for (let tries = 0; tries < 3 && least >= MOST_MICROSECONDS; tries++) {
    const before = process.threadCpuUsage()
    try {
      found = readModule(bytes)
    } catch (error) {
      refused = error
    }
    least = Math.min(least, process.threadCpuUsage(before).user)
  }
  assert.ok(least < MOST_MICROSECONDS, `${least} microseconds`)
  if (!found) throw refused
  return found
}
