import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isAccepted } from '../../test/bundles.ts'
import { wasmGame } from '../../test/games.ts'
import {
  body,
  type Bytes,
  custom,
  END,
  exported,
  EXTERNREF,
  F32,
  F64,
  f64,
  FUNCREF,
  i32,
  I32,
  I64,
  imported,
  limits,
  list,
  listOf,
  module,
  section,
  text,
  type,
  uleb,
  V128,
  webAssembly,
} from '../../test/wasm.ts'
import { boundModule, readModule } from './wasm.ts'

const constant = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((n): Bytes => [i32(n), END]),
  fc.constant<Bytes>([i32(1), i32(2), 0x6a, END]),
)
const element = fc.oneof(
  fc.tuple(constant).map(([offset]): Bytes => [0, offset, list([0, 0])]),
  fc.constant<Bytes>([1, 0, list([0])]),
  constant.map((offset): Bytes => [2, 0, offset, 0, list([0])]),
  fc.constant<Bytes>([3, 0, list([])]),
  constant.map(
    (offset): Bytes => [
      4,
      offset,
      list([
        [0xd2, 0, END],
        [0xd0, FUNCREF, END],
      ]),
    ],
  ),
  fc.constant<Bytes>([5, EXTERNREF, list([[0xd0, EXTERNREF, END]])]),
  constant.map((offset): Bytes => [6, 0, offset, FUNCREF, list([[0xd0, FUNCREF, END]])]),
  fc.constant<Bytes>([7, FUNCREF, list([[0xd2, 0, END]])]),
)
const segment = fc.oneof(
  constant.map((offset): Bytes => [0, offset, text('bytes')]),
  constant.map((offset): Bytes => [2, 0, offset, text('')]),
  fc.constant<Bytes>([1, text('passive')]),
)
const global = fc.constantFrom<Bytes>(
  [I32, 1, i32(-5), END],
  [I64, 0, 0x42, 0x7f, END],
  [F32, 1, 0x43, 0, 0, 0, 0, END],
  [F64, 0, f64(0.5), END],
  [V128, 0, 0xfd, 12, Buffer.alloc(16), END],
  [FUNCREF, 1, 0xd0, FUNCREF, END],
  [FUNCREF, 0, 0xd2, 0, END],
  [EXTERNREF, 0, 0xd0, EXTERNREF, END],
)
const value = fc.constantFrom(I32, I64, F32, F64, V128, FUNCREF, EXTERNREF)
const right = fc.record({
  types: fc.array(fc.tuple(fc.array(value, { maxLength: 4 }), fc.array(value, { maxLength: 3 })), {
    maxLength: 5,
  }),
  bodies: fc.array(fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), value), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  }),
  imports: fc.integer({ min: 0, max: 3 }),
  table: fc.option(fc.integer({ min: 20, max: 30 }), { nil: undefined }),
  memory: fc.option(fc.integer({ min: 1, max: 4096 }), { nil: undefined }),
  globals: fc.array(global, { maxLength: 6 }),
  elements: fc.array(element, { maxLength: 5 }),
  segments: fc.array(segment, { maxLength: 5 }),
  hasStart: fc.boolean(),
  notes: fc.array(fc.tuple(fc.nat(12), fc.string({ maxLength: 9 })), { maxLength: 4 }),
})

function build(parts: typeof right extends fc.Arbitrary<infer T> ? T : never): Buffer {
  const { types, bodies, imports, globals, elements, segments } = parts
  const sections: Bytes[] = [
    listOf(1, type(), type([], [F64]), ...types.map(([params, results]) => type(params, results))),
    listOf(2, ...Array.from({ length: imports }, () => imported('plaza', 'time', 1))),
    listOf(3, ...bodies.map(() => 0)),
    listOf(4, [FUNCREF, limits(20, parts.table)]),
    listOf(5, limits(1, parts.memory)),
    listOf(6, ...globals),
    listOf(7, exported('f', 0, imports), exported('memory', 2), exported('', 1)),
    ...(parts.hasStart ? [section(8, uleb(imports))] : []),
    listOf(9, ...elements),
    section(12, uleb(segments.length)),
    listOf(10, ...bodies.map((locals) => body(locals, 0x01))),
    listOf(11, ...segments),
  ]
  for (const [index, name] of parts.notes) sections.splice(index, 0, custom(name, 1, 2))
  return module(...sections)
}

test('accepts every valid module within the limits, and its playable version is valid', () => {
  fc.assert(
    fc.property(right, (parts) => {
      const bytes = build(parts)
      assert.ok(webAssembly.validate(bytes))
      const bounded = Buffer.concat(boundModule(bytes, readModule(bytes)))
      assert.ok(webAssembly.validate(bounded))
    }),
    { numRuns: 300 },
  )
})

test('accepts or rejects any corrupted module immediately', () => {
  const seeds = [wasmGame(), ...fc.sample(right, { numRuns: 20, seed: 1 }).map(build)]
  const [share, to] = [fc.nat(9999).map((n) => n / 10_000), fc.nat(255)]
  const changes = fc.tuple(
    fc.constantFrom(...seeds),
    fc.array(fc.tuple(share, to), { minLength: 1, maxLength: 3 }),
    fc.option(share, { freq: 9 }),
  )
  let [longest, taken] = [0, 0]
  fc.assert(
    fc.property(changes, ([seed, flips, cut]) => {
      const bytes = Buffer.from(seed)
      for (const [place, byte] of flips) bytes[Math.floor(place * bytes.length)] = byte
      const changed = cut === null ? bytes : bytes.subarray(0, Math.floor(cut * bytes.length))
      const before = process.cpuUsage()
      const isRight = isAccepted(changed)
      longest = Math.max(longest, process.cpuUsage(before).user)
      if (isRight) {
        taken += 1
        // Setting the missing maximums must not change whether the module is valid.
        const bounded = Buffer.concat(boundModule(changed, readModule(changed)))
        assert.equal(webAssembly.validate(bounded), webAssembly.validate(changed))
      }
    }),
    { numRuns: 20_000 },
  )
  assert.ok(longest < 100_000, `${longest} microseconds`)
  assert.ok(taken > 100 && taken < 19_000, String(taken))
})
