import { StatementSync } from 'node:sqlite'
import { mock, test } from 'node:test'
import { ENGINE, startApp } from '../../test/app.ts'
import { assertError, dataOf } from '../../test/make.ts'

test('answers 503 when reading from the disk fails, and recovers with the next read', {
  skip: ENGINE === 'postgres' && 'its server reads the disk',
}, async () => {
  const app = await startApp()
  const ana = await app.user()
  // Error codes SQLITE_BUSY, SQLITE_IOERR and SQLITE_IOERR_READ.
  for (const errcode of [5, 10, 266]) {
    for (const method of ['all', 'get'] as const) {
      const failing = mock.method(StatementSync.prototype, method, () => {
        throw Object.assign(new Error('the disk'), { code: 'ERR_SQLITE_ERROR', errcode })
      })
      const path = method === 'all' ? '/feeds' : '/creators/nobody'
      assertError(await app.anon.get(path), 503, 'SERVICE_UNAVAILABLE')
      failing.mock.restore()
    }
  }
  dataOf(await app.anon.get('/feeds'))
  dataOf(await app.anon.get(`/creators/${ana.handle}`))
})
