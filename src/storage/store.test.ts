import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { after, suite, test } from 'node:test'
import fc from 'fast-check'
import { temporaryFolder } from '../../test/files.ts'
import { startS3 } from '../../test/s3.ts'
import { openStore } from './open.ts'
import { FileMissing, isPath } from './store.ts'

const s3 = await startS3()
const A = `${'a'.repeat(64)}.png`
const SEGMENT = `${'b'.repeat(64)}/720p/segment-1.m4s`
const BUNDLED = `bundles/${'c'.repeat(64)}/0`

for (const [name, storageUrl] of [
  ['on the local disk', undefined],
  ['in an S3-compatible service', s3.storageUrl],
] as const) {
  suite(name, async () => {
    const dataDir = temporaryFolder('plaza-store-')
    const { store, staging } = await openStore({ storageUrl, dataDir })
    after(() => store.close())

    async function put(path: string, bytes: Buffer | string): Promise<void> {
      const file = staging.newFile()
      writeFileSync(file, bytes)
      await store.put(path, file, 'image/png')
      assert.ok(!existsSync(file), 'the staged file was moved away')
    }

    async function list(prefix: string): Promise<string[]> {
      const paths: string[] = []
      for await (const { path } of store.list(prefix)) paths.push(path)
      return paths.sort()
    }

    test('finds a stored file and reads it as a whole and in part', async () => {
      const bytes = randomBytes(300_000)
      const before = Date.now()
      await put(A, bytes)
      const found = await store.find(A)
      assert.equal(found?.sizeBytes, bytes.length)
      assert.ok(Math.abs((found?.modifiedAt ?? 0) - before) < 10_000)
      assert.deepEqual(await buffer(await store.read(A)), bytes)
      const part = await buffer(await store.read(A, { start: 100_000, end: 299_999 }))
      assert.deepEqual(part, bytes.subarray(100_000))
      const local = await store.withLocalFile(A, async (file) => readFileSync(file))
      assert.deepEqual(local, bytes)
    })

    test('reads exactly the bytes of any range', async () => {
      const bytes = randomBytes(200_000)
      await put(SEGMENT, bytes)
      await fc.assert(
        fc.asyncProperty(fc.nat(199_999), fc.nat(199_999), async (left, right) => {
          const range = { start: Math.min(left, right), end: Math.max(left, right) }
          const read = await buffer(await store.read(SEGMENT, range))
          assert.deepEqual(read, bytes.subarray(range.start, range.end + 1))
        }),
        { numRuns: 60 },
      )
    })

    test('treats a file that was never put as missing in every operation', async () => {
      const path = `${'0'.repeat(64)}.png`
      assert.equal(await store.find(path), undefined)
      assert.equal(await store.open(path), undefined)
      await assert.rejects(store.read(path), FileMissing)
      await assert.rejects(
        store.withLocalFile(path, async () => {}),
        FileMissing,
      )
      await store.remove(path)
      assert.equal(await store.removeOlder(path, Date.now() + 1000), false)
      // The path of a folder that contains files is not a file.
      await put(SEGMENT, 'x')
      assert.equal(await store.find(SEGMENT.slice(0, 64)), undefined)
      assert.equal(await store.find(`${SEGMENT}/more`), undefined)
    })

    test('accepts concurrent puts of the same path', async () => {
      await Promise.all(Array.from({ length: 20 }, () => put(BUNDLED, 'the same bytes')))
      assert.equal((await buffer(await store.read(BUNDLED))).toString(), 'the same bytes')
      assert.deepEqual(await list('bundles/'), [BUNDLED])
    })

    test('stores an empty file', async () => {
      const path = `bundles/${'c'.repeat(64)}/1`
      await put(path, '')
      assert.equal((await store.find(path))?.sizeBytes, 0)
      assert.equal((await buffer(await store.read(path))).length, 0)
      await store.remove(path)
      assert.equal(await store.find(path), undefined)
    })

    test('lists every file below a prefix', async () => {
      s3.pageSize = 2
      for (const path of [A, SEGMENT, BUNDLED]) await put(path, 'x')
      const folder = SEGMENT.slice(0, 65)
      const more = Array.from({ length: 7 }, (_, n) => `${folder}${n}.m4s`)
      await Promise.all(more.map((path) => put(path, 'x')))
      assert.deepEqual(await list(''), [A, ...more, SEGMENT, BUNDLED])
      assert.deepEqual(await list(folder), [...more, SEGMENT])
      assert.deepEqual(await list(`${folder}720p/`), [SEGMENT])
      assert.deepEqual(await list('aaa'), [A])
      assert.deepEqual(await list(`${'9'.repeat(64)}/`), [])
      for (const path of more) await store.remove(path)
      assert.deepEqual(await list(''), [A, SEGMENT, BUNDLED])
    })

    test('removes only files put before the time, and a new put renews a file', async () => {
      await put(A, 'x')
      assert.equal(await store.removeOlder(A, Date.now() - 60_000), false)
      assert.ok(await store.find(A))
      assert.equal(await store.removeOlder(A, Date.now() + 60_000), true)
      assert.equal(await store.find(A), undefined)
    })

    test('rejects paths that lead out of the store before touching any file', async () => {
      const file = staging.newFile()
      writeFileSync(file, 'x')
      for (const path of [
        '../x',
        'a/../../x',
        '/etc/passwd',
        '.x',
        'a/.x',
        'a//b',
        'a\\b',
        'A',
        '',
        'a\0',
      ]) {
        assert.ok(!isPath(path), path)
        for (const act of [
          () => store.put(path, file, 'image/png'),
          () => store.find(path),
          () => store.read(path),
          () => store.remove(path),
          () => store.removeOlder(path, 0),
        ]) {
          await assert.rejects(act, TypeError, path)
        }
      }
      assert.equal(readFileSync(file, 'utf8'), 'x')
      rmSync(file)
    })

    test('leaves no staged files behind', () => {
      assert.deepEqual(readdirSync(staging.folder), [])
    })

    test('is healthy', async () => {
      assert.equal(await store.isHealthy(), true)
    })
  })
}
