import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { assertRefused, inspect } from '../../test/bundles.ts'
import { makeFilm } from '../../test/flash.ts'
import { swfGame } from '../../test/games.ts'
import { BundleRefused } from './bundle.ts'
import { readHeader } from './swf.ts'

const LENGTH_AT = 4
const START_BYTES = 8
const header = (signature: string, version: number, rest: Buffer) =>
  Buffer.concat([Buffer.from(signature), Buffer.of(version, 0xff, 0xff, 0xff, 0x7f), rest])
const film = makeFilm()
const bodyOf = (bytes: Buffer) => bytes.subarray(START_BYTES)
const packed = (version: number, body: Buffer) => header('CWS', version, deflateSync(body))
const attributes = (flags: number) => Buffer.of(0x44, 0x11, flags, 0, 0, 0)
const withAttributes = (flags: number) =>
  Buffer.concat([bodyOf(film).subarray(0, 13), attributes(flags)])

test('accepts a real Flash file unchanged, with the facts of its header', async () => {
  const bytes = swfGame()
  const { runtime, entry, facts, files, content } = await inspect(bytes, 'swf')
  assert.deepEqual([runtime, entry], ['swf', null])
  assert.deepEqual(facts, {
    version: 12,
    compression: 'zlib',
    width: 480,
    height: 270,
    frame_rate: 60,
    frame_count: 1,
    action_script: 3,
    network: 1,
  })
  assert.deepEqual(
    files.map(({ path, mimeType }) => [path, mimeType]),
    [['movie.swf', 'application/x-shockwave-flash']],
  )
  assert.ok(content.get('movie.swf')?.equals(bytes))
})

test('reads the same facts from a compressed and an uncompressed file', async () => {
  const facts = {
    version: 6,
    width: 550,
    height: 400,
    frame_rate: 24,
    frame_count: 2,
    action_script: 1,
    network: null,
  }
  assert.deepEqual((await inspect(film, 'swf')).facts, { ...facts, compression: 'none' })
  const bytes = packed(6, bodyOf(film))
  assert.deepEqual((await inspect(bytes, 'swf')).facts, { ...facts, compression: 'zlib' })
})

test('derives the ActionScript version from the attributes, or else from the Flash version', async () => {
  const scriptVersionOf = async (version: number, body: Buffer) =>
    (await readHeader(header('FWS', version, body)))['action_script']
  const old = bodyOf(film)
  assert.deepEqual(
    await Promise.all([1, 6, 7, 8, 10].map((v) => scriptVersionOf(v, old))),
    [1, 1, 2, 2, 2],
  )
  assert.equal(await scriptVersionOf(9, withAttributes(0x08)), 3)
  assert.equal(await scriptVersionOf(9, withAttributes(0x01)), 2)
  const { network } = await readHeader(header('FWS', 9, withAttributes(0x09)))
  assert.equal(network, 1)
  assert.equal((await readHeader(header('FWS', 9, withAttributes(0x08))))['network'], 0)
})

test('reads only the fields before the compressed part of an LZMA file', async () => {
  const properties = Buffer.of(0x5d, 0, 0, 0x20, 0)
  const bytes = header('ZWS', 13, Buffer.concat([Buffer.alloc(4), properties, Buffer.alloc(20)]))
  const { facts } = await inspect(bytes, 'swf')
  assert.deepEqual([facts['version'], facts['compression'], facts['width']], [13, 'lzma', null])
  const wrong = Buffer.from(bytes)
  wrong[12] = 225
  await assertRefused(wrong, 'swf', 'swf')
  await assertRefused(bytes.subarray(0, 17), 'swf', 'swf')
})

test('ignores the length in the header', async () => {
  for (const length of [0, 1, 20, 0x7fffffff, 0xffffffff]) {
    const bytes = Buffer.from(film)
    bytes.writeUInt32LE(length, LENGTH_AT)
    assert.equal((await inspect(bytes, 'swf')).facts['width'], 550)
  }
})

test('does not unpack a decompression bomb', async () => {
  const bytes = packed(9, Buffer.concat([withAttributes(0x08), Buffer.alloc(200 * 1024 * 1024)]))
  await inspect(bytes, 'swf')
  const before = { rss: process.memoryUsage().rss, cpu: process.cpuUsage() }
  const { facts } = await inspect(bytes, 'swf')
  assert.deepEqual([facts['width'], facts['action_script']], [550, 3])
  assert.ok(process.cpuUsage(before.cpu).user < 100_000)
  assert.ok(process.memoryUsage().rss - before.rss < 50 * 1024 * 1024)
})

test('rejects a broken or truncated header', async () => {
  for (const version of [0, 60, 255]) {
    await assertRefused(header('FWS', version, bodyOf(film)), 'swf', 'swf')
  }
  for (const signature of ['FWT', 'fws', 'XWS', '\0\0\0']) {
    await assertRefused(header(signature, 6, bodyOf(film)), 'swf', 'swf')
  }
  const frameEnd = START_BYTES + 13
  for (let length = 0; length < frameEnd; length++) {
    await assertRefused(film.subarray(0, length), 'swf', 'swf')
  }
  assert.equal((await inspect(film.subarray(0, frameEnd), 'swf')).facts['frame_count'], 2)
  for (const body of [Buffer.alloc(50), Buffer.alloc(50, 0xff), deflateSync('')]) {
    await assertRefused(header('CWS', 6, body), 'swf', 'swf')
  }
  const empty = header('FWS', 6, Buffer.of(0, 0, 12, 1, 0, 0))
  const { facts } = await inspect(empty, 'swf')
  assert.deepEqual([facts['width'], facts['height'], facts['frame_rate']], [null, null, 12])
})

test('reads or rejects any header, without other errors', async () => {
  const start = fc.tuple(
    fc.constantFrom('FWS', 'CWS', 'ZWS'),
    fc.integer({ min: 1, max: 59 }),
    fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => deflateSync(bytes)),
    ),
  )
  await fc.assert(
    fc.asyncProperty(start, async ([signature, version, rest]) => {
      try {
        const facts = await readHeader(header(signature, version, Buffer.from(rest)))
        for (const fact of Object.values(facts)) {
          assert.ok(fact === null || typeof fact === 'string' || (fact >= 0 && fact < 2 ** 32))
        }
      } catch (error) {
        if (!(error instanceof BundleRefused)) throw error
      }
    }),
    { numRuns: 1000 },
  )
})
