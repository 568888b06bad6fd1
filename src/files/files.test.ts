import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { startApp } from '../../test/app.ts'
import { askOnWire, putFile } from '../../test/files.ts'
import { startS3 } from '../../test/s3.ts'

const s3 = await startS3()
const apps = {
  'from the local disk': await startApp(),
  'from an S3-compatible service': await startApp({ STORAGE_URL: s3.storageUrl }),
}

for (const [name, app] of Object.entries(apps)) {
  suite(name, () => {
    const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${app.url}/uploads/${path}`, { method, headers })

    test('serves a file unchanged, publicly and with a permanent cache', async () => {
      const bytes = randomBytes(200_000)
      const path = await putFile(app, bytes)
      const answer = await ask(path)
      assert.equal(answer.status, 200)
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
      const headers = Object.fromEntries(answer.headers)
      const { date, connection, 'keep-alive': alive, 'x-request-id': id, ...lasting } = headers
      assert.ok(date && connection && alive)
      assert.match(id ?? '', /^[0-9a-f-]{36}$/)
      const policy = lasting['content-security-policy']
      assert.match(policy ?? '', /^sandbox; default-src 'none'; /)
      assert.doesNotMatch(policy ?? '', /script|allow-|\*|data:|frame-src|connect-src/)
      assert.deepEqual(lasting, {
        'x-api-version': 'v1',
        'content-type': 'image/png',
        'content-length': '200000',
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=31536000, s-maxage=3600, immutable',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': lasting['access-control-expose-headers'],
        etag: `"${path}"`,
        'accept-ranges': 'bytes',
      })
      assert.match(lasting['access-control-expose-headers'] ?? '', /Content-Range/)
    })

    test('answers HEAD like GET without a body, ignoring any range', async () => {
      const path = await putFile(app, randomBytes(200_000))
      const { headers: given } = await ask(path)
      const head = await ask(path, { range: 'bytes=0-9' }, 'HEAD')
      assert.equal(head.status, 200)
      for (const [header, value] of given) {
        if (!['date', 'x-request-id', 'keep-alive', 'connection'].includes(header)) {
          assert.equal(head.headers.get(header), value, header)
        }
      }
      assert.equal((await askOnWire(app.url, `/uploads/${path}`, 'HEAD')).body.length, 0)
    })

    test('derives the type from the name, and serves all but pictures, video and audio as downloads', async () => {
      const shown: Record<string, string> = {
        '.jpg': 'image/jpeg',
        '.avif': 'image/avif',
        '.mp4': 'video/mp4',
        '.mp3': 'audio/mpeg',
        '/hls/master.m3u8': 'application/vnd.apple.mpegurl',
        '/hls/720p.mp4': 'video/mp4',
      }
      const saved: Record<string, string> = {
        '.zip': 'application/zip',
        '.wasm': 'application/wasm',
        '.swf': 'application/x-shockwave-flash',
      }
      for (const [ending, type] of Object.entries({ ...shown, ...saved })) {
        const { status, headers } = await ask(
          await putFile(app, '<script>alert(1)</script>', ending),
        )
        assert.equal(status, 200, ending)
        assert.equal(headers.get('content-type'), type)
        const disposition = ending in saved ? 'attachment' : null
        assert.equal(headers.get('content-disposition'), disposition, ending)
      }
      for (const ending of [
        '.html',
        '.svg',
        '.js',
        '.constructor',
        '.png.exe',
        '/png',
        '',
        '.PNG',
      ]) {
        const path = `${'e'.repeat(64)}${ending}`
        if (ending !== '' && ending !== '.PNG') await putFile(app, 'x', ending)
        assert.equal((await ask(path)).status, 404, ending)
      }
    })

    test('serves exactly the bytes of any range, up to the end of the file', async () => {
      const size = 150_000
      const bytes = randomBytes(size)
      const path = await putFile(app, bytes, '.mp4')
      const place = fc.oneof(fc.nat(size + 10), fc.constantFrom(0, 1, size - 1, size))
      await fc.assert(
        fc.asyncProperty(place, fc.option(place), fc.boolean(), async (first, last, isSuffix) => {
          const range = isSuffix ? `bytes=-${first}` : `bytes=${first}-${last ?? ''}`
          const answer = await ask(path, { range })
          const start = isSuffix ? Math.max(0, size - first) : first
          const end = isSuffix ? size - 1 : Math.min(last ?? size - 1, size - 1)
          if (!isSuffix && last !== null && last < first) {
            assert.equal(answer.status, 200, range)
            assert.equal((await answer.arrayBuffer()).byteLength, size)
          } else if (start >= size) {
            assert.equal(answer.status, 416, range)
            assert.equal(answer.headers.get('content-range'), `bytes */${size}`)
            assert.equal(
              ((await answer.json()) as { error: { code: string } }).error.code,
              'RANGE_NOT_SATISFIABLE',
            )
            assert.equal(answer.headers.get('cache-control'), 'no-store')
            assert.equal(answer.headers.get('etag'), null)
          } else {
            assert.equal(answer.status, 206, range)
            assert.equal(answer.headers.get('content-range'), `bytes ${start}-${end}/${size}`)
            const expected = bytes.subarray(start, end + 1)
            assert.equal(answer.headers.get('content-length'), String(expected.length))
            assert.deepEqual(Buffer.from(await answer.arrayBuffer()), expected)
          }
        }),
        { numRuns: 60 },
      )
    })

    test('ignores a range that is invalid or has several parts', async () => {
      const path = await putFile(app, 'ten bytes!')
      const thousand = Array.from({ length: 1000 }, (_, n) => `${n}-`).join()
      for (const range of [
        'bytes=9-1',
        'bytes=-',
        'bytes=',
        'bytes=a-b',
        'bytes=1-2-3',
        'bytes=0x1-2',
        'bytes=1.5-2',
        'bytes 1-2',
        'lines=1-2',
        '1-2',
        'bytes=0-1,3-4',
        `bytes=${thousand}`,
      ]) {
        const answer = await ask(path, { range })
        assert.equal(answer.status, 200, range)
        assert.equal(await answer.text(), 'ten bytes!')
      }
      for (const range of [
        'bytes=10-',
        'bytes=18446744073709551616-',
        `bytes=${'9'.repeat(400)}-`,
        'bytes=-0',
      ]) {
        assert.equal((await ask(path, { range })).status, 416, range)
      }
      for (const range of ['bytes=0-18446744073709551616', 'BYTES=0-', 'bytes=-11', 'bytes= 0-9']) {
        const answer = await ask(path, { range })
        assert.equal(answer.status, 206, range)
        assert.equal(await answer.text(), 'ten bytes!')
      }
    })

    test('answers 304 for a known ETag, and sends the whole file when If-Range does not match', async () => {
      const path = await putFile(app, 'ten bytes!')
      const etag = `"${path}"`
      for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const answer = await ask(path, { 'if-none-match': tag, range: 'bytes=0-1' })
        assert.equal(answer.status, 304, tag)
        assert.equal(answer.headers.get('etag'), etag)
        assert.equal(answer.headers.get('content-length'), null)
        assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
      }
      assert.equal((await ask(path, { 'if-none-match': '"other"' })).status, 200)
      const range = 'bytes=2-3'
      assert.equal((await ask(path, { range, 'if-range': etag })).status, 206)
      for (const tag of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
        assert.equal((await ask(path, { range, 'if-range': tag })).status, 200, tag)
      }
    })

    test('answers 404 in the envelope, without caching, for a missing file', async () => {
      const answer = await ask(`${'0'.repeat(64)}.png`)
      assert.equal(answer.status, 404)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(answer.headers.get('etag'), null)
      const { error } = (await answer.json()) as { error: { code: string } }
      assert.equal(error.code, 'UPLOAD_NOT_FOUND')
    })

    test('answers 404 when a file with cached metadata has been removed', async () => {
      const path = await putFile(app, 'here today')
      assert.equal((await ask(path)).status, 200)
      if (app.deps.config.storageUrl) s3.objects.delete(`some/place/${path}`)
      else await app.deps.store.remove(path)
      const answer = await ask(path, { range: 'bytes=0-1' })
      assert.equal(answer.status, 404)
      assert.equal(answer.headers.get('content-range'), null)
    })

    test('answers 405 with Allow for other methods, and CORS headers for OPTIONS', async () => {
      const path = await putFile(app, 'x')
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await ask(path, {}, method)
        assert.equal(answer.status, 405, method)
        assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
      }
      const asked = await ask(path, { origin: 'https://a.example' }, 'OPTIONS')
      assert.equal(asked.status, 204)
      assert.equal(asked.headers.get('access-control-allow-origin'), '*')
      assert.match(asked.headers.get('access-control-allow-headers') ?? '', /Range/)
    })
  })
}
