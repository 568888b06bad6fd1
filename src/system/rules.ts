import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { VERSION } from '../version.ts'

const anyRow = statement((q) => q.selectFrom('post_timeline').select('id').limit(1))

/**
 * What works. `degraded` when something beside the database does not.
 * Errors: 503 SERVICE_UNAVAILABLE when the database is away.
 */
export async function checkHealth(db: Handle, { store, chores, worker }: Deps) {
  await db.first(anyRow, {})
  const checks = {
    database: 'ok' as const,
    storage: (await store.isHealthy()) ? ('ok' as const) : ('failed' as const),
    jobs: chores.isHealthy() && worker.isHealthy() ? ('ok' as const) : ('failed' as const),
  }
  const good = Object.values(checks).every((check) => check === 'ok')
  return {
    status: good ? ('ok' as const) : ('degraded' as const),
    version: VERSION,
    uptime_s: Math.round(process.uptime() * 10) / 10,
    checks,
  }
}
