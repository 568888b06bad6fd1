import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, inspect, isAccepted } from '../../test/bundles.ts'
import { wasmGame } from '../../test/games.ts'
import {
  body,
  type Bytes,
  custom,
  END,
  type ExportedMemory,
  type ExportedTable,
  exported,
  EXTERNREF,
  F32,
  F64,
  flat,
  FUNCREF,
  i32,
  I32,
  I64,
  imported,
  limits,
  list,
  listOf,
  MAGIC,
  module,
  section,
  startable,
  text,
  type,
  uleb,
  webAssembly,
} from '../../test/wasm.ts'
import { boundModule, readModule } from './wasm.ts'

const refused = (why: string, ...sections: Bytes[]) =>
  assertRefused(module(...sections), 'wasm', why)
test('keeps a game as uploaded and adds a playable version', async () => {
  const game = wasmGame()
  const { runtime, entry, facts, files, content } = await inspect(game, 'wasm')
  assert.deepEqual([runtime, entry], ['wasm', null])
  assert.deepEqual(facts, { memory_pages: 3, functions: 2, imports: 4, exports: 3 })
  assert.deepEqual(
    files.map(({ path, mimeType }) => [path, mimeType]),
    [
      ['module.wasm', 'application/wasm'],
      ['bounded.wasm', 'application/wasm'],
    ],
  )
  assert.ok(content.get('module.wasm')?.equals(game))
  assert.ok(webAssembly.validate(content.get('bounded.wasm') as Buffer))
})

test('accepts the smallest module, and rejects truncated or longer ones', async () => {
  assert.equal((await inspect(startable(), 'wasm')).files.length, 2)
  assert.ok(isAccepted(MAGIC))
  const game = wasmGame()
  for (let length = 0; length < game.length; length++) {
    // A module that is cut between two sections stays valid unless a remaining section refers to a missing one.
    const cut = game.subarray(0, length)
    assert.equal(isAccepted(cut), length >= 8 && webAssembly.validate(cut), String(length))
  }
  for (const more of [0, 1, 0xff]) await assertRefused(flat(game, more), 'wasm', 'wasm')
})

test('rejects other versions and formats', async () => {
  for (const version of [0, 2, 0x0d, 0x1_000d]) {
    const bytes = Buffer.from(MAGIC)
    bytes.writeUInt32LE(version, 4)
    await assertRefused(bytes, 'wasm', 'wasm_version')
  }
  for (const bytes of ['', '\0', '\0asm', '\0asm\x01\0\0', 'MZ000000', '\0ASM\x01\0\0\0']) {
    await assertRefused(Buffer.from(bytes, 'latin1'), 'wasm', 'wasm')
  }
})

test('requires sections in order, once, and of the declared size', async () => {
  const [types, functions] = [listOf(1, type()), listOf(3, 0)]
  const code = listOf(10, body([]))
  await refused('wasm', functions, types, code)
  await refused('wasm', types, types)
  await refused('wasm', types, functions)
  await refused('wasm', types, code)
  await refused('wasm', types, functions, code, code)
  await refused('wasm', section(14))
  await refused('wasm', [1, 5, 0])
  await refused('wasm', [1, 2, 0, 0])
  await refused('wasm', [1, 0])
  await refused('wasm', section(0))
  await refused('wasm', section(0, [5, 0x61]))
  await refused('wasm', section(0, [1, 0xff]))
  await refused('wasm', listOf(11), section(10, 0), section(12, 0))
  await refused('wasm', section(12, 1))
  await refused('wasm_feature', listOf(13, [0, 0]))
  const note = custom('name', 1, 2, 3)
  const spread = module(note, types, note, functions, note, code, note, note)
  assert.ok(isAccepted(spread) && webAssembly.validate(spread))
})

test('rejects numbers with more bytes or bits than their type', async () => {
  // The encoding of the count 0 may have up to five bytes.
  for (let extra = 0; extra < 6; extra++) {
    const zero = extra === 0 ? [0] : [...Array(extra).fill(0x80), 0]
    const bytes = module(section(1, zero))
    assert.equal(isAccepted(bytes), extra < 5)
    assert.equal(webAssembly.validate(bytes), extra < 5)
  }
  await refused('wasm', section(1, [0x80, 0x80, 0x80, 0x80, 0x10]))
  await refused('wasm', [1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0])
  const constants: [number, number[], boolean][] = [
    [0x41, [0xff, 0xff, 0xff, 0xff, 0x07], true],
    [0x41, [0x80, 0x80, 0x80, 0x80, 0x78], true],
    [0x41, [0x80, 0x80, 0x80, 0x80, 0x08], false],
    [0x41, [0xff, 0xff, 0xff, 0xff, 0x77], false],
    [0x41, [0x80, 0x80, 0x80, 0x80, 0x80, 0x00], false],
    [0x42, [...Array(9).fill(0x80), 0x00], true],
    [0x42, [...Array(9).fill(0x80), 0x7f], true],
    [0x42, [...Array(9).fill(0x80), 0x01], false],
    [0x42, [...Array(9).fill(0xff), 0x7e], false],
    [0x42, [...Array(10).fill(0x80), 0x00], false],
  ]
  for (const [code, digits, isRight] of constants) {
    const bytes = module(listOf(6, [code === 0x41 ? I32 : I64, 0, code, digits, END]))
    assert.equal(isAccepted(bytes), isRight, digits.join())
    assert.equal(webAssembly.validate(bytes), isRight, digits.join())
  }
})

test('rejects invalid indices and duplicate export names', async () => {
  const oneFunction = [listOf(1, type()), listOf(3, 0)]
  const code = listOf(10, body([]))
  await refused('wasm', listOf(3, 0), code)
  await refused('wasm', oneFunction, listOf(7, exported('f', 0, 1)), code)
  for (const kind of [1, 2, 3])
    await refused('wasm', oneFunction, listOf(7, exported('x', kind)), code)
  await refused('wasm', oneFunction, listOf(7, exported('f', 0), exported('f', 0)), code)
  await refused('wasm', oneFunction, section(8, 1), code)
  await refused('wasm', listOf(1, type([I32])), listOf(3, 0), section(8, 0), code)
  await refused('wasm', oneFunction, listOf(9, [0, i32(0), END, list([])]), code)
  await refused(
    'wasm',
    oneFunction,
    listOf(4, [FUNCREF, limits(1)]),
    listOf(9, [0, i32(0), END, [1, 1]]),
  )
  await refused('wasm', listOf(11, [0, i32(0), END, text('x')]))
  await refused('wasm', listOf(6, [I32, 0, 0x23, 0, END]))
  await refused('wasm', listOf(6, [FUNCREF, 0, 0xd2, 0, END]))
  await refused('wasm', listOf(6, [I32, 2, i32(0), END]))
  await refused('wasm', listOf(6, [I32, 0, 0x20, 0, END]))
  await refused('wasm', listOf(6, [I32, 0, i32(0)]))
  await refused('wasm', oneFunction, listOf(10, [uleb(2), 0, 0]))
  await refused('wasm', oneFunction, listOf(10, [uleb(1), 0]))
  await refused('wasm', oneFunction, listOf(10, [uleb(0)]))
  await refused('wasm', listOf(5, [1, 2, 1]))
})

test('rejects features that games may not use, with their own error', async () => {
  const features: Bytes[] = [
    listOf(5, [2, 1]), // shared memory
    listOf(5, [3, 1, 2]),
    listOf(5, [4, 1]), // 64-bit memory
    listOf(5, [5, 1, 2]),
    listOf(4, [FUNCREF, [4, 1]]),
    listOf(4, [0x40, 0, FUNCREF, limits(1), 0xd0, FUNCREF, END]), // a table with an initial value
    listOf(1, [0x5f, 0]), // a structure; then an array and a recursive group
    listOf(1, [0x5e, I32, 0]),
    listOf(1, [0x4e, 0]),
    listOf(1, type([0x6d])),
    listOf(1, [0x60, list([[0x63, 0]]), 0]), // typed references
    listOf(6, [I32, 0, 0xfb, 0, 0, END]),
    section(13, 1, 0, 0),
  ]
  for (const feature of features) await refused('wasm_feature', feature)
})

test('allows only the offered imports, with their exact types', async () => {
  const size = type([I32, I32])
  const take = (kind: Bytes) => listOf(2, kind)
  assert.ok(isAccepted(module(listOf(1, size), take(imported('plaza', 'size')))))
  const others: [Bytes, Bytes][] = [
    [type([I32]), imported('plaza', 'size')],
    [type([I32, I32, I32]), imported('plaza', 'size')],
    [type([I32, F64]), imported('plaza', 'size')],
    [type([I32, I32], [I32]), imported('plaza', 'size')],
    [type([], [F32]), imported('plaza', 'time')],
    [size, imported('plaza', 'Size')],
    [size, imported('plaza', 'toString')],
    [size, imported('', 'size')],
    [size, imported('plaza\nsize', '')],
    [size, imported('__proto__', 'constructor')],
    [size, imported('env', 'size')],
    [size, imported('wasi_snapshot_preview1', 'fd_write')],
    [size, [text('env'), text('memory'), 2, limits(1)]],
    [size, [text('plaza'), text('size'), 1, FUNCREF, limits(1)]],
    [size, [text('plaza'), text('size'), 3, I32, 0]],
    [size, [text('plaza'), text('size'), 4, 0, 0]],
  ]
  for (const [target, what] of others) await refused('wasm_import', listOf(1, target), take(what))
  await refused('wasm', listOf(1, size), take(imported('plaza', 'size', 1)))
  await refused('wasm', listOf(1, size), take([text('plaza'), text('size'), 5, 0]))
  await refused('wasm', listOf(1, size), take([text('plaza'), [1, 0xff], 0, 0]))
})

test('the playable version limits growth to the contract and is otherwise the same', () => {
  const bytes = module(
    custom('before'),
    listOf(4, [FUNCREF, limits(1)], [EXTERNREF, limits(2, 3)]),
    listOf(5, limits(1)),
    listOf(7, exported('memory', 2), exported('table', 1)),
    custom('after'),
  )
  const bounded = Buffer.concat(boundModule(bytes, readModule(bytes)))
  assert.ok(webAssembly.validate(bounded))
  const { exports } = new webAssembly.Instance(new webAssembly.Module(bounded))
  const memory = exports['memory'] as ExportedMemory
  assert.throws(() => memory.grow(4096), RangeError)
  assert.equal(memory.grow(4095), 1)
  assert.throws(() => memory.grow(1), RangeError)
  const table = exports['table'] as ExportedTable
  assert.throws(() => table.grow(100_000), RangeError)
  assert.equal(table.grow(99_999), 1)
  const { sections, contents } = readModule(bounded)
  assert.deepEqual(contents.memories, [{ min: 1, max: 4096 }])
  assert.deepEqual(contents.tables, [
    { type: FUNCREF, min: 1, max: 100_000 },
    { type: EXTERNREF, min: 2, max: 3 },
  ])
  assert.deepEqual(
    sections.map(({ id }) => id),
    [0, 4, 5, 7, 0],
  )
  const own = module(listOf(4, [FUNCREF, limits(1, 2)]), listOf(5, limits(1, 2)))
  assert.ok(Buffer.concat(boundModule(own, readModule(own))).equals(own))
})
