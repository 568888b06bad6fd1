import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../test/app.ts'
import { deleteExpiredCaptchas } from './captcha/queries.ts'
import type { Handle } from './db/handle.ts'
import { deleteExpiredAnswers } from './idempotency/queries.ts'
import { deleteExpiredAttempts } from './limits/queries.ts'
import { deleteExpiredSessions } from './sessions/queries.ts'

const app = await startApp()
const NOW = Date.now()
const ROWS = 2500
/** Numbers and times of the rows: more expired rows than fit into two batches, and one row that has not expired. */
const numbers = Array.from({ length: ROWS + 1 }, (_, i) => ({
  i,
  time: NOW + (i === ROWS ? 1 : 0),
}))

const plant = (table: string, rowOf: (i: number, time: number) => string) =>
  app.sql(
    `insert into ${table} values ${numbers.map(({ i, time }) => `(${rowOf(i, time)})`).join()}`,
  )

function noting(taken: number[]): Handle {
  return new Proxy<Handle>(app.db, {
    get(db, name) {
      if (name !== 'run') return Reflect.get(db, name)
      return async (...given: Parameters<Handle['run']>) => {
        const changed = await db.run(...given)
        taken.push(changed)
        return changed
      }
    },
  })
}

const { id } = await app.user()
await app.sql('delete from sessions')

for (const [table, rowOf, forget] of [
  [
    'sessions',
    (i, time) => `'ses_${i}', '${id}', 'x', 1, null, null, 'x', 0, 1, ${time}, null, null, 1, 1`,
    deleteExpiredSessions,
  ],
  ['captcha_solutions', (i, time) => `'s${i}', ${time}`, deleteExpiredCaptchas],
  ['captcha_tokens', (i, time) => `'t${i}', ${time}, 0`, deleteExpiredCaptchas],
  ['attempts', (i, time) => `'b${i}', 1, ${time}`, deleteExpiredAttempts],
  [
    'idempotency_keys',
    (i, time) => `'caller', 'route', 'k${i}', 'x', 200, null, ${time}`,
    deleteExpiredAnswers,
  ],
] satisfies [string, (i: number, time: number) => string, typeof deleteExpiredSessions][]) {
  test(`deletes expired rows of ${table} in batches and keeps the rest`, async () => {
    await app.sql(`delete from ${table}`)
    await plant(table, rowOf)
    const taken: number[] = []
    await forget(noting(taken), NOW)
    assert.deepEqual(
      taken.filter((n) => n > 0),
      [1000, 1000, 500],
    )
    assert.equal(await app.count(table), 1)
  })
}
