import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { deleteExpiredAttempts } from './queries.ts'
import { requireRoom, spend } from './rules.ts'

const app = await startApp()
const MINUTE = 60_000
const YEAR = 365 * 24 * 60 * MINUTE
const NOW = Date.now()

const limitOf = (bucket: string) => ({ bucket, max: 2, windowMs: 15 * MINUTE })
const isRefused = { code: 'RATE_LIMITED' }

async function buckets(): Promise<unknown[]> {
  const rows = await app.sql('select bucket from attempts order by bucket')
  return rows.map(({ bucket }) => bucket)
}

test('ignores a window that a clock running ahead opened', async () => {
  const limits = [limitOf('ahead')]
  for (let i = 0; i < 2; i++) await spend(app.db, limits, NOW + YEAR)
  await assert.rejects(requireRoom(app.db, limits, NOW + YEAR), isRefused)
  await requireRoom(app.db, limits, NOW)
  const [state] = await spend(app.db, limits, NOW)
  assert.deepEqual(state, { left: 1, resetsAt: NOW + 15 * MINUTE })
  await spend(app.db, limits, NOW)
  await assert.rejects(spend(app.db, limits, NOW), isRefused)
  await assert.rejects(requireRoom(app.db, limits, NOW), isRefused)
})

test('counts in the open window when the time of a request is slightly older than the window', async () => {
  const limits = [limitOf('late')]
  for (let i = 0; i < 2; i++) await spend(app.db, limits, NOW + 10_000)
  await assert.rejects(spend(app.db, limits, NOW), isRefused)
  await assert.rejects(requireRoom(app.db, limits, NOW), isRefused)
})

test('deletes only windows that have expired or end too far in the future', async () => {
  await app.sql('delete from attempts')
  await app.sql(`insert into attempts (bucket, count, resets_at) values
    ('over', 1, ${NOW}), ('open', 1, ${NOW + 1}), ('hour', 1, ${NOW + 60 * MINUTE}),
    ('ahead', 1, ${NOW + YEAR})`)
  await deleteExpiredAttempts(app.db, NOW)
  assert.deepEqual(await buckets(), ['hour', 'open'])
})
