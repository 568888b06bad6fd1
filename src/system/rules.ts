import { access, constants } from 'node:fs/promises'
import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { VERSION } from '../version.ts'

const anyRow = statement((q, _p: Record<never, never>) =>
  q.selectFrom('post_timeline').select('id').limit(1),
)

/**
 * What works. `degraded` when something beside the database does not.
 * Errors: 503 SERVICE_UNAVAILABLE when the database is away.
 */
export async function checkHealth(db: Handle, { config, chores }: Deps) {
  await db.first(anyRow, {})
  const checks = {
    database: 'ok' as const,
    storage: (await isWritable(config.dataDir, config.databaseUrl))
      ? ('ok' as const)
      : ('failed' as const),
    jobs: chores.isHealthy() ? ('ok' as const) : ('failed' as const),
  }
  const good = Object.values(checks).every((check) => check === 'ok')
  return {
    status: good ? ('ok' as const) : ('degraded' as const),
    version: VERSION,
    uptime_s: Math.round(process.uptime() * 10) / 10,
    checks,
  }
}

/** With PostgreSQL nothing is kept in the folder, so it need not exist. */
async function isWritable(dataDir: string, databaseUrl: string | undefined): Promise<boolean> {
  if (databaseUrl) return true
  return access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  )
}
