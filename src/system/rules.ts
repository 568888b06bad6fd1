import { DatabaseUnavailable, type Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import type { Store } from '../storage/store.ts'
import { VERSION } from '../package.ts'

const anyRow = statement((q) => q.selectFrom('post_timeline').select('id').limit(1))

export interface HealthDeps {
  store: Store
  maintenance: { isHealthy(): boolean }
  worker: { isHealthy(): boolean }
}

const CHECKS = ['database', 'storage', 'jobs'] as const

/**
 * Returns the health of the server. `degraded` means that storage or jobs fail. Errors: 503 SERVICE_UNAVAILABLE
 * when the database is unreachable or, with `isStrict`, when any check fails.
 */
export async function checkHealth(
  db: Handle,
  { store, maintenance, worker }: HealthDeps,
  { isStrict }: { isStrict: boolean },
) {
  const isWorking = {
    database: await canRead(db),
    storage: await store.isHealthy(),
    jobs: maintenance.isHealthy() && worker.isHealthy(),
  }
  const failing = CHECKS.filter((check) => !isWorking[check])
  if (!isWorking.database || (isStrict && failing.length > 0)) {
    const problems = failing.map((field) => ({ field, key: 'invalid.health_check' as const }))
    throw new ApiError('SERVICE_UNAVAILABLE', { problems })
  }
  const resultOf = (check: (typeof CHECKS)[number]) => (isWorking[check] ? 'ok' : 'failed')
  return {
    status: failing.length === 0 ? ('ok' as const) : ('degraded' as const),
    version: VERSION,
    uptime_s: Math.round(process.uptime() * 10) / 10,
    checks: {
      database: resultOf('database'),
      storage: resultOf('storage'),
      jobs: resultOf('jobs'),
    } as const,
  }
}

async function canRead(db: Handle): Promise<boolean> {
  try {
    await db.first(anyRow, {})
    return true
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return false
    throw error
  }
}
