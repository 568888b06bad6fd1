import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { after, beforeEach, test } from 'node:test'
import { temporaryFolder } from '../../test/files.ts'
import { type Fault, startS3, type TestS3 } from '../../test/s3.ts'
import { S3Store } from './s3.ts'
import { parseStorageUrl } from './s3-url.ts'
import { Staging } from './staging.ts'
import { StorageFull, StorageUnavailable } from './store.ts'

const staging = new Staging(temporaryFolder('plaza-s3-'))
const stores: S3Store[] = []
const s3 = await startS3()
const store = open(s3)
after(() => Promise.all(stores.map((opened) => opened.close())))
beforeEach(() => {
  s3.requests = []
  s3.faults = []
})

const PATH = `${'a'.repeat(64)}.mp4`
const KEY = `some/place/${PATH}`

function open({ storageUrl }: Pick<TestS3, 'storageUrl'>): S3Store {
  const made = new S3Store(parseStorageUrl(storageUrl), { staging, partSize: 100_000, pauseMs: 20 })
  stores.push(made)
  return made
}

function staged(bytes: Buffer | string): string {
  const file = staging.newFile()
  writeFileSync(file, bytes)
  return file
}

test('stores an object with its type, below the prefix, in one request', async () => {
  await store.put(PATH, staged('video'), 'video/mp4')
  assert.deepEqual(s3.requests, [`PUT ${KEY}`])
  const object = s3.objects.get(KEY)
  assert.equal(object?.type, 'video/mp4')
  assert.equal(object?.bytes.toString(), 'video')
})

test('does not retry a failed removal, so that a file put in between is kept', async () => {
  await store.put(PATH, staged('old'), 'video/mp4')
  // The response to HEAD has no body to cut off, so only the DELETE fails.
  s3.faults = [{ cutAfter: 1_000_000 }, { status: 503 }]
  const removal = store.removeOlder(PATH, Date.now() + 86_400_000)
  await assert.rejects(removal, StorageUnavailable)
  assert.deepEqual(s3.requests.slice(1), [`HEAD ${KEY}`, `DELETE ${KEY}`])
  assert.ok(s3.objects.has(KEY))
})

test('uploads a large file in parts and stores it completely', async () => {
  for (const size of [100_001, 200_000, 250_000]) {
    const bytes = randomBytes(size)
    await store.put(PATH, staged(bytes), 'video/mp4')
    assert.deepEqual(s3.objects.get(KEY)?.bytes, bytes)
  }
  assert.equal(s3.pending.size, 0)
})

test('aborts a multipart upload when a part fails permanently, and leaves the object unchanged', async () => {
  s3.objects.delete(KEY)
  const file = staged(randomBytes(250_000))
  // The first fault hits the request that starts the upload, and the others hit the first parts.
  s3.faults = [{ cutAfter: 0 }, { cutAfter: 0 }, { status: 403, code: 'AccessDenied' }]
  await assert.rejects(store.put(PATH, file, 'video/mp4'), StorageUnavailable)
  assert.equal(s3.pending.size, 0)
  assert.equal(s3.objects.get(KEY), undefined)
  assert.ok(existsSync(file), 'the caller’s file still exists')
  await store.put(PATH, file, 'video/mp4')
  assert.equal(s3.objects.get(KEY)?.bytes.length, 250_000)
})

test('fails before sending any part when a multipart upload gets no upload id', async () => {
  s3.faults = [{ status: 200 }]
  await assert.rejects(
    store.put(PATH, staged(randomBytes(250_000)), 'video/mp4'),
    StorageUnavailable,
  )
  assert.deepEqual(s3.requests, [`POST ${KEY}?uploads=`])
})

test('retries temporary failures of the service', async () => {
  const passing: Fault[] = [
    { status: 500 },
    { status: 503, code: 'SlowDown' },
    { status: 429, code: 'TooManyRequests' },
  ]
  for (const fault of passing) {
    s3.faults = [fault]
    await store.put(PATH, staged('once more'), 'video/mp4')
    s3.faults = [fault, fault]
    assert.equal((await store.find(PATH))?.sizeBytes, 9)
    s3.faults = [fault]
    assert.equal((await buffer(await store.read(PATH))).toString(), 'once more')
  }
})

test('resumes reading where the connection broke', async () => {
  const bytes = randomBytes(90_000)
  await store.put(PATH, staged(bytes), 'video/mp4')
  await store.find(PATH)
  s3.requests = []
  s3.faults = [{ cutAfter: 10_000 }, { cutAfter: 20_000 }]
  assert.deepEqual(
    await buffer(await store.read(PATH, { start: 5, end: 80_000 })),
    bytes.subarray(5, 80_001),
  )
  assert.deepEqual(
    s3.requests,
    Array.from({ length: 3 }, () => `GET ${KEY}`),
  )
  s3.faults = Array.from({ length: 4 }, () => ({ cutAfter: 1000 }))
  await assert.rejects(buffer(await store.read(PATH)), StorageUnavailable)
})

test('frees the connection when a reader stops early', async () => {
  await store.put(PATH, staged(randomBytes(90_000)), 'video/mp4')
  for (let turn = 0; turn < 20; turn++) (await store.read(PATH)).destroy()
  assert.equal((await buffer(await store.read(PATH))).length, 90_000)
})

test('requests the size of a file only once', async () => {
  await store.put(PATH, staged('12345'), 'video/mp4')
  const reopened = open(s3)
  s3.requests = []
  for (let turn = 0; turn < 3; turn++) await buffer(await reopened.read(PATH))
  assert.deepEqual(s3.requests, [`HEAD ${KEY}`, `GET ${KEY}`, `GET ${KEY}`, `GET ${KEY}`])
})

test('reports wrong credentials and missing buckets without retries and without the secret', async () => {
  const wrong: [string, RegExp][] = [
    [s3.storageUrl.replace('wJalr', 'wrong'), /403/],
    [s3.storageUrl.replace('AKID', 'other'), /403/],
    [s3.storageUrl.replace('test-region-1', 'another'), /400 AuthorizationHeaderMalformed/],
    [s3.storageUrl.replace('plaza-files', 'no-bucket'), /404 NoSuchBucket/],
  ]
  for (const [storageUrl, message] of wrong) {
    const misconfigured = open({ storageUrl })
    s3.requests = []
    const failure = await assert.rejects(
      async () => {
        for await (const file of misconfigured.list('')) assert.fail(file.path)
      },
      (error: Error) => {
        assert.ok(error instanceof StorageUnavailable)
        assert.match(error.message, message)
        assert.doesNotMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), /wJalr|wrong/)
        return true
      },
    )
    assert.equal(failure, undefined)
    assert.equal(s3.requests.length, 1)
    assert.equal(await misconfigured.isHealthy(), false)
  }
})

test('throws StorageFull when the service is full, and StorageUnavailable when it is unreachable', async () => {
  const file = staged('x')
  for (const fault of [{ status: 507 }, { status: 403, code: 'QuotaExceeded' }]) {
    s3.faults = [fault]
    await assert.rejects(store.put(PATH, file, 'video/mp4'), StorageFull)
  }
  const going = await startS3()
  const reopened = open(going)
  await reopened.put(PATH, file, 'video/mp4')
  await going.stop()
  const start = performance.now()
  await assert.rejects(reopened.find(PATH), StorageUnavailable)
  assert.ok(performance.now() - start < 5000)
})

test('checks its health at most once in ten seconds', async () => {
  const reopened = open(s3)
  for (let turn = 0; turn < 5; turn++) assert.equal(await reopened.isHealthy(), true)
  assert.deepEqual(s3.requests, ['HEAD '])
})

test('parses STORAGE_URL, or explains the mistake without the secret', () => {
  const bucket = parseStorageUrl('s3://key:se%2Fcret@example.com/files?region=eu-1')
  assert.deepEqual(bucket, {
    accessKeyId: 'key',
    secretAccessKey: 'se/cret',
    region: 'eu-1',
    url: 'https://example.com/files',
    prefix: '',
  })
  for (const [scheme, origin] of [
    ['s3+https', 'https://example.com:9000'],
    ['s3+http', 'http://example.com:9000'],
    ['https', 'https://example.com:9000'],
    ['http', 'http://example.com:9000'],
  ]) {
    const { url, prefix } = parseStorageUrl(`${scheme}://k:s@example.com:9000/b1b/a/b/`)
    assert.equal(url, `${origin}/b1b`)
    assert.equal(prefix, 'a/b/')
  }
  for (const text of [
    'ftp://key:hidden@example.com/files',
    's3://key:hidden@example.com',
    's3://key:hidden@example.com/',
    's3://hidden@example.com/files',
    's3://key:hid%den@example.com/files',
    's3://key:hidden@example.com/files/../x',
    's3://key:hidden@example.com/files/A%20B',
    's3:///files',
    'files',
  ]) {
    assert.throws(
      () => parseStorageUrl(text),
      (error: Error) => {
        assert.match(error.message, /^must /)
        assert.doesNotMatch(error.message, /hid/)
        return true
      },
    )
  }
})
