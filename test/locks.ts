import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApp } from './app.ts'

/** Locks the selected rows in a separate transaction. Returns a function that commits it. Needs PostgreSQL. */
export async function hold(app: TestApp, text: string): Promise<() => Promise<void>> {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: begun } = Promise.withResolvers<void>()
  const done = app.db.script(async (run) => {
    await run('begin')
    await run(`${text} for update`)
    begun()
    await isOver
    await run('commit')
  })
  await isHeld
  return () => {
    end()
    return done
  }
}

/** Waits until exactly `count` transactions wait for a lock. Fails after 5 seconds. Needs PostgreSQL. */
export async function untilWaiting(app: TestApp, count: number): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const [row] = await app.sql(
      `select count(*) as n from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (Number(row?.['n']) === count) return
    await sleep(10)
  }
  assert.fail(`expected ${count} waiting transactions`)
}
