import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { archive, type Entry, extra, u32, u64, UTF8 } from '../../test/archives.ts'
import { assertRefused, inspect, refusal } from '../../test/bundles.ts'
import { htmlGame, htmlGameFiles } from '../../test/games.ts'
import { BundleRefused } from './bundle.ts'
import { findEntry } from './entry.ts'
import { valuesOf } from '../../test/make.ts'

const MIB = 1024 * 1024
const page: Entry = { name: 'index.html', content: '<!doctype html><title>A game</title>' }
const refused = (why: string, ...entries: Entry[]) =>
  assertRefused(archive([page, ...entries]), 'zip', why)
const pathsOf = async (...names: string[]) =>
  (await inspect(archive([page, ...names.map((name) => ({ name }))]), 'zip')).files.map(
    ({ path }) => path,
  )

test('unpacks an archive file by file, named by position', async () => {
  const { runtime, entry, files, facts, content } = await inspect(await htmlGame(), 'zip')
  const expected = await htmlGameFiles()
  assert.deepEqual([runtime, entry], ['html5', 'index.html'])
  assert.deepEqual([...content.keys()], Object.keys(expected))
  for (const [path, bytes] of content) assert.ok(bytes.equals(Buffer.from(expected[path] ?? '')))
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  assert.deepEqual(facts, { files: files.length, total_bytes: total })
})

test('unpacks stored, empty and large files completely', async () => {
  const large = Buffer.alloc(3 * MIB, 'plaza and its games ')
  const { content } = await inspect(
    archive([
      page,
      { name: 'stored.bin', content: large, deflated: false },
      { name: 'deflated.bin', content: large },
      { name: 'empty.txt' },
      { name: 'empty-deflated.txt', packed: deflateRawSync(''), method: 8 },
    ]),
    'zip',
  )
  assert.ok(content.get('stored.bin')?.equals(large))
  assert.ok(content.get('deflated.bin')?.equals(large))
  assert.equal(content.get('empty.txt')?.length, 0)
  assert.equal(content.get('empty-deflated.txt')?.length, 0)
})

test('treats a nested archive as an ordinary file', async () => {
  const inner = archive([{ name: '../../escape.sh', content: '#!/bin/sh' }])
  const { content } = await inspect(archive([page, { name: 'data.zip', content: inner }]), 'zip')
  assert.deepEqual([...content.keys()], ['index.html', 'data.zip'])
  assert.ok(content.get('data.zip')?.equals(inner))
})

test('rejects names that leave the bundle or are ambiguous on other systems', async () => {
  const bad = [
    '../escape.txt',
    'a/../../escape.txt',
    '..',
    './a.txt',
    'a/./b.txt',
    '/etc/passwd',
    '//host/share.txt',
    'C:/windows.txt',
    'c:evil.txt',
    '..\\escape.txt',
    'a\\b.txt',
    'a//b.txt',
    'a/ /b.txt',
    'trailing./b.txt',
    'trailing. ',
    'space /b.txt',
    '...',
    'new\nline.txt',
    'null\0.txt',
    'escape\u001b[2J.txt',
    'c1\u0085.txt',
    '',
    '/',
    `${'x'.repeat(256)}.txt`,
    '한'.repeat(86),
    `${`${'x'.repeat(99)}/`.repeat(10)}a.txt`,
    `${'a/'.repeat(32)}b`,
  ]
  for (const name of bad) {
    await refused('path', { name, content: 'x' }).catch((error: Error) => {
      throw new Error(JSON.stringify(name), { cause: error })
    })
  }
  await refused('path', { name: Buffer.from([0x61, 0xff, 0xfe]), content: 'x' })
  await refused('path', { name: Buffer.from([0xed, 0xa0, 0x80]), content: 'x' })
  const fine = [
    '..a.txt',
    'a b/c d.txt',
    'x'.repeat(255),
    `${'a/'.repeat(31)}b`,
    'a..b/c',
    '한.txt',
  ]
  // Unpacking ignores `..a.txt`, which is a hidden file.
  assert.deepEqual(await pathsOf(...fine), ['index.html', ...fine.slice(1)])
})

test('decodes names by their encoding and converts them to NFC', async () => {
  const korean = Buffer.from([0xb0, 0xd4, 0xc0, 0xd3]) // 게임 in code page 949
  const { files } = await inspect(
    archive([
      page,
      { name: Buffer.concat([korean, Buffer.from('.png')]), flags: 0 },
      { name: '그림.png'.normalize('NFD') },
      { name: '소리.ogg', flags: 0 },
    ]),
    'zip',
  )
  assert.deepEqual(valuesOf(files, 'path'), ['index.html', '게임.png', '그림.png', '소리.ogg'])
  for (const byte of [0x80, 0x82, 0xb0, 0xff]) {
    await refused('path', { name: Buffer.of(0x61, byte, 0x2e), flags: 0 })
  }
})

test('ignores hidden files and files of operating systems', async () => {
  const left = [
    '__MACOSX/._index.html',
    '__MACOSX/game/._a.png',
    '.DS_Store',
    'img/.DS_Store',
    'Thumbs.db',
    'img/desktop.ini',
    '.git/config',
    'src/.env',
    '._a.png',
  ]
  assert.deepEqual(await pathsOf(...left, 'a.png', 'thumbs.db.png'), [
    'index.html',
    'a.png',
    'thumbs.db.png',
  ])
  await assertRefused(archive([{ name: '__MACOSX/index.html' }]), 'zip', 'no_page')
})

test('rejects links and special files, also hidden ones', async () => {
  for (const mode of [0o120777, 0o020644, 0o060644, 0o010644, 0o140755, 0o040755]) {
    await refused('link', { name: 'passwd', content: '/etc/passwd', mode })
  }
  await refused('link', { name: '.link', content: '/etc', mode: 0o120777 })
  await refused('link', { name: 'folder/', mode: 0o120777 })
  const fine = [
    { name: 'folder/', mode: 0o040755 },
    { name: 'folder/a', mode: 0o100644 },
  ]
  assert.equal((await inspect(archive([page, ...fine]), 'zip')).files.length, 2)
})

test('rejects duplicate names, ignoring case and Unicode form', async () => {
  const clashes: string[][] = [
    ['a.png', 'a.png'],
    ['a.png', 'A.PNG'],
    ['게임.png', '게임.png'.normalize('NFD')],
    ['Éa.png', 'e\u0301a.png'],
    ['a', 'a/b.png'],
    ['a/b.png', 'a'],
    ['a/b.png', 'A'],
    ['a/b/c.png', 'a/B'],
    ['a/', 'a'],
  ]
  for (const names of clashes) await refused('clash', ...names.map((name) => ({ name })))
  assert.equal((await pathsOf('a/', 'a/', 'a/b.png', 'A/c.png')).length, 3)
})

test('rejects encrypted files and other compression methods', async () => {
  for (const flags of [UTF8 | 1, UTF8 | 0x2000]) {
    await refused('encrypted', { name: 'a.bin', content: 'x', flags })
  }
  await refused('zip', { name: 'a.bin', content: 'x', flags: UTF8 | 0x41 })
  await refused('file', { name: 'a.bin', content: 'x', localFlags: UTF8 | 1 })
  for (const method of [1, 9, 12, 14, 93, 95, 99]) {
    await refused('method', { name: 'a.bin', content: 'x', method })
  }
})

test('limits the declared number and sizes of files', async () => {
  const named = (count: number, over: Partial<Entry> = {}) =>
    Array.from({ length: count }, (_, i) => ({ name: `${i}.txt`, ...over }))
  await assertRefused(archive(named(2001)), 'zip', 'count')
  // 2,000 files are within the limit, so the archive is rejected for its missing page.
  await assertRefused(archive(named(2000)), 'zip', 'no_page')
  const tooMany = { key: 'invalid.too_many', params: { limit: 10_000 } }
  const folders = await refusal(archive(named(10_001, { name: 'folder/' })), 'zip')
  assert.deepEqual({ key: folders.key, params: folders.params }, tooMany)
  // The 16-bit count in the end record overflows, so it is lower than the real number of entries.
  const shared = archive(named(100_000, { offset: 0 }), { count: 100_000 % 65_536 })
  assert.equal((await refusal(shared, 'zip')).key, tooMany.key)

  await refused('file_size', { name: 'a.bin', content: 'x', size: 512 * MIB + 1 })
  const third = { content: 'x', size: 400 * MIB }
  await refused('size', { name: 'a', ...third }, { name: 'b', ...third }, { name: 'c', ...third })
  const long = extra(1, u64(2 ** 40))
  await refused('file_size', { name: 'a', content: 'x', size: 0xffffffff, extra: long })
})

test('rejects ten gigabytes in ten megabytes before unpacking', async () => {
  const packed = deflateRawSync(Buffer.alloc(100 * MIB))
  const bomb = (size: number, i: number) => ({ name: `${i}.bin`, packed, method: 8, size, crc: 1 })
  const hundred = Array.from({ length: 100 }, (_, i) => bomb(100 * MIB, i))
  await refused('size', ...hundred)
  await refused('ratio', ...hundred.slice(0, 9))
  // The entries declare too small a size; unpacking stops at that size and rejects the file.
  await refused('file', ...Array.from({ length: 100 }, (_, i) => bomb(1000, i)))
})

test('rejects an archive that unpacks to over 1 MiB and over 100 times its size', async () => {
  await refused('ratio', { name: 'a.bin', content: Buffer.alloc(64 * MIB) })
  await refused('ratio', { name: 'a.bin', content: Buffer.alloc(MIB + 1) })
  const taken = (file: Entry) => inspect(archive([page, file]), 'zip')
  await taken({ name: 'a.bin', content: Buffer.alloc(MIB - 1000) })
  const level = Array.from({ length: 60_000 }, (_, i) => `${i % 97},${i % 31},0,0,0,0,0,0\n`)
  await taken({ name: 'level.csv', content: level.join('') })
})

test('rejects entries that share bytes', async () => {
  const kernel = { name: 'a.bin', content: Buffer.alloc(1000) }
  const offset = archive([page]).indexOf('PK\x01\x02')
  await refused('overlap', kernel, { ...kernel, name: 'b.bin', offset })
  await refused('overlap', kernel, { ...kernel, offset, name: 'A/..b' })
  // A stored file whose content is the header and data of another entry.
  const inner = archive([{ name: 'in.bin', content: 'x' }])
  const quoted = inner.subarray(0, inner.indexOf('PK\x01\x02'))
  const outer = { name: 'out.bin', content: quoted, deflated: false }
  const inside = { name: 'in.bin', content: 'x', offset: offset + 30 + 'out.bin'.length }
  await refused('overlap', outer, inside)
  await refused('overlap', inside, outer)
  await refused('file', { name: 'b.bin', content: 'x', packedSize: 100_000 }).catch(() =>
    refused('zip', { name: 'b.bin', content: 'x', packedSize: 100_000 }),
  )
})

test('rejects files that differ from their entry', async () => {
  const content = Buffer.from('the quick brown fox '.repeat(100))
  const packed = deflateRawSync(content)
  const file = { name: 'a.bin', content }
  await refused('file', { ...file, size: content.length - 1 })
  await refused('file', { ...file, size: content.length + 1 })
  await refused('file', { ...file, crc: 1 })
  await refused('file', { ...file, deflated: false, size: 5 })
  await refused('file', { ...file, deflated: false, crc: 1 })
  await refused('file', { ...file, packed: packed.subarray(0, -4), method: 8 })
  await refused('file', { ...file, packed: Buffer.concat([packed, Buffer.alloc(100)]), method: 8 })
  const noise = Buffer.alloc(300_000, 'x')
  await refused('file', { ...file, packed: Buffer.concat([packed, noise]), method: 8 })
  await refused('file', { ...file, packed: Buffer.alloc(500, 0xff), method: 8 })
  await refused('file', { ...file, localName: 'b.bin' })
  await refused('file', { ...file, localMethod: 0 })
  await refused('file', { name: 'folder/', content: 'x' })
})

test('rejects truncated, split and ZIP64 archives, and data before or after', async () => {
  const whole = await htmlGame()
  for (let length = 0; length < whole.length; length += 7) {
    const { key } = await refusal(whole.subarray(0, length), 'zip')
    assert.equal(key, 'invalid.bundle_zip')
  }
  const files = [page, { name: 'a.png', content: 'x' }]
  const kinds: [string, Parameters<typeof archive>[1]][] = [
    ['zip', { after: Buffer.from('more') }],
    ['zip', { prefix: Buffer.from('#!/bin/sh\n') }],
    ['zip', { count: 1 }],
    ['zip', { count: 3 }],
    ['zip', { directorySize: 50 }],
    ['zip', { directoryStart: 0 }],
    ['zip', { directoryStart: 0xffffffff }],
    ['zip', { before: Buffer.from('a signature, or anything else') }],
    ['zip_kind', { disk: 1 }],
    ['zip_kind', { before: Buffer.concat([Buffer.from('PK\x06\x07'), u32(0, 0, 0, 1)]) }],
    ['zip_kind', { before: Buffer.concat([Buffer.from('PK\x06\x07'), Buffer.alloc(16, 0xff)]) }],
  ]
  for (const [why, ending] of kinds) await assertRefused(archive(files, ending), 'zip', why)
  const far = { name: 'a', content: 'x', offset: 0xffffffff }
  await refused('file', { ...far, extra: extra(1, u64(2 ** 62)) })
  await refused('zip', { ...far, extra: extra(1, Buffer.alloc(3)) })
  const fine = archive(files, { comment: Buffer.from('made by hand'), gap: Buffer.alloc(9) })
  assert.equal((await inspect(fine, 'zip')).files.length, 2)
})

test('unpacks or rejects any corrupted archive', async () => {
  const whole = archive([page, { name: 'a/b.txt', content: 'some text' }, { name: 'c.bin' }])
  const place = fc.nat(whole.length - 1)
  const changes = fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(changes, async (flips) => {
      const bytes = Buffer.from(whole)
      for (const [index, byte] of flips) bytes[index] = byte
      try {
        const { content } = await inspect(bytes, 'zip')
        for (const path of content.keys()) assert.match(path, /^[^/\\]+(\/[^/\\]+)*$/)
      } catch (error) {
        if (!(error instanceof BundleRefused)) throw error
      }
    }),
    { numRuns: 300 },
  )
})

test('rejects a directory of several megabytes', () => {
  const fields = Buffer.alloc(65_532, extra(1, Buffer.alloc(0)))
  const entries = Array.from({ length: 70 }, (_, i) => ({ name: `${i}.js`, extra: fields }))
  return refused('zip', ...entries)
})

test('picks the most likely start page', () => {
  const cases: [string, ...string[]][] = [
    ['index.html', 'a/index.html', 'index.html', 'about.html'],
    ['INDEX.HTM', 'other.html', 'INDEX.HTM'],
    ['game/index.html', 'game/img/a.png', 'game/help/index.html', 'game/index.html'],
    ['a/b/index.html', 'a/b/index.html', 'a/b/c/d.js'],
    ['play.html', 'docs/index.html', 'play.html', 'a.js'],
    ['play.htm', 'play.htm', 'a.js'],
    ['deep/down/play.html', 'a.js', 'deep/down/play.html'],
    ['build/index.html', 'src/web/index.html', 'build/index.html', 'a.js'],
    ['web/index.html', 'a.html', 'b.html', 'web/index.html'],
    ['a.html', 'b.html', 'a.html', 'sub/0.html'],
  ]
  for (const [expected, ...paths] of cases) {
    assert.equal(findEntry(paths), expected)
    assert.equal(findEntry(paths.toReversed()), expected)
  }
  assert.equal(findEntry(['a.js', 'index.html/a.png']), undefined)
  assert.equal(findEntry([]), undefined)
})
