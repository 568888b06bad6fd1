import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf } from '../../test/make.ts'
import { DatabaseUnavailable } from '../db/handle.ts'
import { checkHealth } from './rules.ts'

const app = await startApp()

test('returns 200 when every check is ok, with and without strict', async () => {
  for (const query of ['', '?strict=true', '?strict=false']) {
    const health = dataOf(await app.anon.get(`/api/health${query}`))
    assert.equal(health.status, 'ok')
    assert.deepEqual(health.checks, { database: 'ok', storage: 'ok', jobs: 'ok' })
  }
})

test('returns 422 when strict is neither true nor false', async () => {
  for (const value of ['1', 'yes', '']) {
    assertInvalid(await app.anon.get(`/api/health?strict=${value}`), 'strict')
  }
})

test('returns degraded, and with strict=true 503 naming the check, when files cannot be stored', async () => {
  const files = join(app.deps.config.dataDir, 'files')
  renameSync(files, `${files}.away`)
  try {
    const health = dataOf(await app.anon.get('/api/health?strict=false'))
    assert.equal(health.status, 'degraded')
    assert.deepEqual(health.checks, { database: 'ok', storage: 'failed', jobs: 'ok' })
    const refused = await app.anon.get('/api/health?strict=true')
    assertError(refused, 503, 'SERVICE_UNAVAILABLE')
    assert.deepEqual(
      refused.error?.details?.map(({ field }) => field),
      ['storage'],
    )
    assert.ok(refused.headers.get('retry-after'))
  } finally {
    renameSync(`${files}.away`, files)
  }
  assert.equal(dataOf(await app.anon.get('/api/health?strict=true')).status, 'ok')
})

test('returns 503 naming the database when it cannot be reached, with and without strict', async () => {
  const db = { first: () => Promise.reject(new DatabaseUnavailable('gone')) } as never
  for (const isStrict of [false, true]) {
    await assert.rejects(checkHealth(db, app.deps, { isStrict }), {
      code: 'SERVICE_UNAVAILABLE',
      problems: [{ field: 'database', key: 'invalid.health_check' }],
    })
  }
})
