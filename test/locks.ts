import type { TestApp } from './app.ts'
import { until } from './receiver.ts'

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

/** Waits until exactly `count` transactions wait for a lock. Needs PostgreSQL. */
export async function untilWaiting(app: TestApp, count: number): Promise<void> {
  const waiting = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await app.count(waiting)) === count, `${count} waiting transactions`)
}
