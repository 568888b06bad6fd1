import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { freePort } from '../../scripts/postgres.ts'

test('sends Strict-Transport-Security with every response only when PUBLIC_URL is https', async () => {
  for (const [PUBLIC_URL, policy] of [
    ['https://plaza.example', 'max-age=31536000'],
    ['http://plaza.example', null],
  ] as const) {
    const port = await freePort(1)
    await startApp({ PUBLIC_URL, PORT: String(port) })
    const paths = ['/', '/api/health', '/api/v1/feeds', '/api/v1/none', '/docs', '/uploads/x']
    const games = `http://127.0.0.1:${port + 1}/play/none`
    for (const path of [...paths.map((name) => `http://127.0.0.1:${port}${name}`), games]) {
      const { headers } = await fetch(path)
      assert.equal(headers.get('strict-transport-security'), policy, path)
    }
  }
})
