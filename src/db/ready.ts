import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Db, DatabaseUnavailable, describeUnavailable } from './handle.ts'
import { findSchema, hasSchema, migrate, SCHEMA } from './migrate.ts'

const WAIT_MS = 30 * 60_000
const RETRY_MS = 1000
const LOG_EVERY_MS = 30_000

/**
 * Waits up to 30 minutes until PostgreSQL is available; returns immediately on SQLite. Errors other than
 * DatabaseUnavailable reject immediately.
 */
export async function untilDatabaseIsUp(db: Db, log: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  if (db.engine === 'sqlite') return
  const started = performance.now()
  let loggedAt: number | undefined
  for (;;) {
    try {
      await hasSchema(db)
      if (loggedAt !== undefined) log.info('the database is up')
      return
    } catch (error) {
      const waited = performance.now() - started
      if (!(error instanceof DatabaseUnavailable) || waited > WAIT_MS) throw error
      if (loggedAt === undefined || performance.now() - loggedAt > LOG_EVERY_MS) {
        loggedAt = performance.now()
        log.warn(
          `waiting for the database: ${describeUnavailable(error)} (for ${Math.round(waited / 1000)} s)`,
        )
      }
      await sleep(RETRY_MS)
    }
  }
}

/** Migrates the database. Logs both schema numbers if an existing schema changes. Errors: those of `migrate`. */
export async function bringUpToDate(
  db: Db,
  log: Pick<Logger, 'info' | 'warn'>,
  now: () => number,
): Promise<void> {
  const from = await findSchema(db)
  if (from > 0 && from < SCHEMA) {
    log.warn(
      `migrating: schema ${from} to ${SCHEMA}; to go back, restore a backup made by the older version`,
    )
  }
  const applied = await migrate(db, now)
  if (from > 0 && applied.length > 0) log.info(`migrated: schema ${from} to ${SCHEMA}`)
}
