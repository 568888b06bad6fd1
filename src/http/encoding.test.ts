import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startApp } from '../../test/app.ts'
import { dataOf } from '../../test/make.ts'

const app = await startApp({ LOG_LEVEL: 'silent' })

async function read(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(app.url + path, { method, headers }).end()
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { headers: response.headers, status: response.statusCode, body: Buffer.concat(chunks) }
}

test('compresses JSON and pages over 1 KiB for clients that accept it', async () => {
  const user = await app.user()
  for (let i = 0; i < 5; i++) dataOf(await user.post('/posts', { body: 'text '.repeat(100) }), 201)
  for (const path of ['/api/v1/feed', '/openapi.json', '/docs/scalar.js']) {
    const plain = await read(path)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.match(String(plain.headers.vary), /Accept-Encoding/)
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const coded = await read(path, { 'accept-encoding': coding })
      assert.equal(coded.headers['content-encoding'], coding, path)
      assert.equal(Number(coded.headers['content-length']), coded.body.length)
      assert.ok(coded.body.length < plain.body.length / 2)
      assert.equal(coded.headers.etag, plain.headers.etag)
      const head = await read(path, { 'accept-encoding': coding }, 'HEAD')
      assert.equal(head.headers['content-encoding'], coding, `HEAD ${path}`)
      const etag = String(coded.headers.etag)
      const same = await read(path, { 'accept-encoding': coding, 'if-none-match': etag })
      assert.deepEqual([same.status, same.body.length], [304, 0])
      if (path === '/api/v1/feed') {
        const { data } = JSON.parse(decode(coded.body).toString())
        assert.deepEqual(data, JSON.parse(plain.body.toString()).data)
      } else assert.deepEqual(decode(coded.body), plain.body)
    }
    const refused = await read(path, { 'accept-encoding': 'gzip;q=0, identity' })
    assert.equal(refused.headers['content-encoding'], undefined)
  }
  const small = await read('/api/health', { 'accept-encoding': 'gzip' })
  assert.equal(small.headers['content-encoding'], undefined)
})

test('sends openapi.json in less than 40,000 bytes, and with gzip in 230 bytes per operation', async () => {
  const { paths } = JSON.parse((await read('/openapi.json')).body.toString())
  const operations = Object.values(paths as object).flatMap(Object.keys).length
  for (const [coding, bytes] of [
    ['gzip, br', 40_000],
    ['gzip', 230 * operations],
  ] as const) {
    const { body } = await read('/openapi.json', { 'accept-encoding': coding })
    assert.ok(body.length < bytes, `${coding}: ${body.length} bytes, ${operations} operations`)
  }
})
