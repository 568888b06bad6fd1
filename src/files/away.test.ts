import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp, testSecrets } from '../../test/app.ts'
import { putFile, temporaryFolder } from '../../test/files.ts'
import { freePort } from '../../scripts/postgres.ts'
import { serve } from '../../test/process.ts'
import { startS3 } from '../../test/s3.ts'

const folder = temporaryFolder('plaza-away-')

test('answers 503 for files and reports the failure in health while the storage is unavailable', async () => {
  const s3 = await startS3()
  const app = await startApp({ STORAGE_URL: s3.storageUrl })
  const path = await putFile(app, 'here')
  const health = async () => (await app.anon.get('/api/health')).data
  assert.equal((await health()).checks.storage, 'ok')
  await s3.stop()
  const answer = await fetch(`${app.url}/uploads/${path}`)
  assert.equal(answer.status, 503)
  const body = (await answer.json()) as { error: { code: string } }
  assert.equal(body.error.code, 'SERVICE_UNAVAILABLE')
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal((await app.anon.get('/feeds')).status, 200)

  const second = await app.sibling()
  const { status, data } = await second.anon.get('/api/health')
  assert.equal(status, 200)
  assert.equal(data.status, 'degraded')
  assert.equal(data.checks.storage, 'failed')
})

test('starts without its storage and never logs the secret', async () => {
  const port = await freePort()
  const server = await serve({
    ...testSecrets(),
    DATA_DIR: join(folder, 'data'),
    STORAGE_URL: `s3+http://KEYID:very%2Dsecret@127.0.0.1:${port}/bucket`,
    LOG_LEVEL: 'trace',
  })
  const answer = await fetch(`${server.url}/uploads/${'a'.repeat(64)}.png`)
  assert.equal(answer.status, 503)
  for (let i = 0; i < 200 && !server.out().includes('the storage is unavailable'); i++) {
    await sleep(50)
  }
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.match(server.out(), /the storage is unavailable/)
  assert.doesNotMatch(server.out(), /very.{0,3}secret|KEYID/)
})
