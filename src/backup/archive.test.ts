import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Backup, BackupDamaged, BackupWriter } from './archive.ts'
import type { LinesPart, Manifest, Part } from './manifest.ts'
import { BLOCK, padded, readHeader, writeHeader } from './tar.ts'
import { temporaryFolder } from '../../test/files.ts'

const root = temporaryFolder('plaza-archive-')

let made = 0
const newFile = () => join(root, `${++made}.tar`)

interface Written {
  file: string
  parts: Part[]
  contents: Buffer[]
  lines: LinesPart
}

const LINES = ['["usr_1","한글"]', '["usr_2",null]']
const longName = `files/${'a'.repeat(64)}/${'b'.repeat(36)}/master.m3u8`

/** Writes a backup whose files have these sizes. The default sizes are around a block boundary. */
async function write(file = newFile(), sizes = [0, 1, 511, 512, 513]): Promise<Written> {
  const writer = await BackupWriter.create(file, Date.now())
  const contents = sizes.map((size) => randomBytes(size))
  const names = sizes.map((size, index) => (index === 0 ? longName : `files/${size}.bin`))
  const lines = await writer.writeLines('tables/users/000001.zst', LINES)
  const parts = await Promise.all(
    contents.map((bytes, index) =>
      writer.write(
        names[index] as string,
        bytes.length,
        // A store may stream a file in several chunks.
        Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]),
      ),
    ),
  )
  await writer.finish(manifestOf(lines))
  return { file, parts, contents, lines }
}

function manifestOf(lines: LinesPart): Omit<Manifest, 'format'> {
  const table = { name: 'users', columns: [], key: [], rows: 2, sha256: '', parts: [lines] }
  return { tables: [table] } as unknown as Omit<Manifest, 'format'>
}

async function withBackup<T>(file: string, action: (backup: Backup) => Promise<T>): Promise<T> {
  const backup = await Backup.open(file)
  try {
    return await action(backup)
  } finally {
    await backup.close()
  }
}

function readAll({ file, parts, lines }: Written): Promise<Buffer[]> {
  return withBackup(file, async (backup) => {
    assert.deepEqual(await backup.readLines(lines), LINES)
    return Promise.all(parts.map((part) => backup.read(part)))
  })
}

test('reads concurrently written parts byte for byte, also as a stream', async () => {
  const written = await write(newFile(), [600_000, 0, 1, 262_144])
  assert.deepEqual(await readAll(written), written.contents)
  await withBackup(written.file, async (backup) => {
    for (const [index, part] of written.parts.entries()) {
      const chunks = await Array.fromAsync(backup.stream(part))
      assert.deepEqual(Buffer.concat(chunks), written.contents[index])
    }
  })
})

test('tar lists and extracts a backup', async () => {
  const { file, parts, contents } = await write()
  const tar = (...args: string[]) =>
    execFileSync('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const names = tar('-tf', file).toString().trimEnd().split('\n')
  const ends = ['manifest.json', 'end.json']
  assert.deepEqual(names, ['tables/users/000001.zst', ...parts.map(({ path }) => path), ...ends])
  for (const [index, { path }] of parts.entries()) {
    assert.deepEqual(tar('-xOf', file, path), contents[index])
  }
})

test('writes and reads headers with names of 255 characters and sizes above 8 GiB', () => {
  const sizes = [0, 8 ** 11 - 1, 8 ** 11, 3 * 2 ** 40]
  for (const size of sizes) {
    for (const name of ['a', longName, `${'b'.repeat(154)}/${'한'.repeat(33)}`]) {
      assert.deepEqual(readHeader(writeHeader({ name, size }, 1e9)), { name, size })
    }
  }
  assert.throws(() => writeHeader({ name: 'a'.repeat(101), size: 1 }, 1e9), /name is too long/)
  assert.throws(() => writeHeader({ name: `${'a/'.repeat(90)}b`, size: 1 }, 1e9), /too long/)
})

test('a backup file is readable only by its owner, and appears only when complete', async () => {
  const file = join(root, 'a new folder', 'monday.tar')
  const writer = await BackupWriter.create(file, Date.now())
  const lines = await writer.writeLines('tables/users/000001.zst', LINES)
  assert.ok(!existsSync(file))
  assert.equal(statSync(`${file}.partial`).mode & 0o777, 0o600)
  assert.equal(statSync(join(file, '..')).mode & 0o077, 0)
  await assert.rejects(Backup.open(`${file}.partial`), /is not a complete backup/)
  await writer.finish(manifestOf(lines))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(!existsSync(`${file}.partial`))
  const before = readFileSync(file)
  await assert.rejects(
    BackupWriter.create(file, Date.now()),
    /already exists: choose a new file name$/,
  )
  assert.deepEqual(readFileSync(file), before)
})

test('fails when content is shorter or longer than announced, or breaks off', async () => {
  const file = newFile()
  const writer = await BackupWriter.create(file, Date.now())
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('a')
      throw new Error('the store is unavailable')
    })(),
  )
  const two = [Buffer.from('ab')]
  await assert.rejects(writer.write('files/a', 3, two), /files\/a has 2 bytes, not 3$/)
  await assert.rejects(writer.write('files/b', 1, two), /files\/b has more than 1 bytes$/)
  await assert.rejects(writer.write('files/c', 2, broken), /the store is unavailable$/)
  await writer.abandon()
  assert.deepEqual([existsSync(file), existsSync(`${file}.partial`)], [false, false])
})

test('the later of two writers of one file succeeds, also after one that crashed', async () => {
  const file = newFile()
  writeFileSync(`${file}.partial`, 'left by a crashed writer')
  const first = await BackupWriter.create(file, Date.now())
  const lines = await first.writeLines('tables/users/000001.zst', LINES)
  const second = await BackupWriter.create(file, Date.now())
  const manifest = manifestOf(await second.writeLines('tables/users/000001.zst', LINES))
  await assert.rejects(first.finish(manifestOf(lines)), /another backup to .* has started/)
  await first.abandon()
  await second.finish(manifest)
  await withBackup(file, async (backup) =>
    assert.deepEqual(backup.manifest.tables, manifest.tables),
  )
})

test('detects a change of any byte, except for padding', async () => {
  const written = await write()
  const whole = readFileSync(written.file)
  const { size } = statSync(written.file)
  let noticed = 0
  for (let position = 0; position < size; position += 47) {
    const bytes = Buffer.from(whole)
    bytes[position] = (bytes[position] as number) ^ 1
    writeFileSync(written.file, bytes)
    try {
      assert.deepEqual(await readAll(written), written.contents)
      const last = [written.lines, ...written.parts].findLast(({ offset }) => offset <= position)
      assert.ok(
        last && position >= last.offset + last.size && whole[position] === 0,
        `byte ${position} is padding`,
      )
    } catch (error) {
      assert.ok(error instanceof BackupDamaged, `byte ${position}: ${String(error)}`)
      assert.match(error.message, /^[^\n]+$/)
      noticed++
    }
  }
  assert.ok(noticed > size / 47 / 2)
})

test('rejects archives that are truncated, too long, incomplete or of another kind', async () => {
  const { file, parts } = await write()
  const whole = readFileSync(file)
  const refused = async (bytes: Buffer | string, why: RegExp) => {
    writeFileSync(file, bytes)
    await assert.rejects(Backup.open(file), (error: Error) => {
      assert.ok(error instanceof BackupDamaged, String(error))
      assert.match(error.message, why)
      return true
    })
  }
  for (let size = BLOCK; size < whole.length; size += 100) {
    await refused(whole.subarray(0, size), /is not a complete backup: it is truncated/)
  }
  for (const more of [1, BLOCK, 2 * BLOCK, 10_000]) {
    await refused(Buffer.concat([whole, Buffer.alloc(more)]), /data follows its end/)
  }
  for (const content of ['', 'select 1;', randomBytes(10_000), Buffer.alloc(10_240)]) {
    await refused(content, /is not a backup$/)
  }
  const { offset, size } = parts[3] as Part
  const before = whole.subarray(0, offset - BLOCK)
  const without = Buffer.concat([before, whole.subarray(offset + padded(size))])
  await refused(without, /the backup is damaged: manifest.json is not at its recorded position/)
  const folder = newFile()
  mkdirSync(folder)
  execFileSync('tar', ['-cf', file, '-C', root, 'a new folder'])
  await assert.rejects(Backup.open(file), /is not a (complete )?backup/)
  await assert.rejects(Backup.open(folder), /is not a backup$/)
  await assert.rejects(Backup.open(newFile()), /^BackupDamaged: \S+ does not exist$/)
  writeFileSync(file, whole)
  appendFileSync(file, 'x')
  await assert.rejects(Backup.open(file), BackupDamaged)
})
