import { existsSync, mkdirSync } from 'node:fs'
import type { Logger } from 'pino'
import { embeddedFile } from './embedded.ts'
import type { Db } from './handle.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { Replica } from './replica.ts'
import { openSqlite } from './sqlite.ts'

interface DatabaseSettings {
  /** Undefined for the embedded engine. */
  databaseUrl: string | undefined
  dataDir: string
}

export function hasEmbedded(dataDir: string): boolean {
  return existsSync(embeddedFile(dataDir))
}

export function openReplica(
  primary: Db,
  { databaseReplicaUrl: url }: { databaseReplicaUrl: string | undefined },
  log: Pick<Logger, 'info' | 'warn'>,
): Replica | undefined {
  if (url === undefined) return undefined
  return new Replica({
    primary,
    open: () => openPostgres(url, { setting: 'DATABASE_REPLICA_URL' }),
    onChange(isUsed, reason) {
      if (isUsed) log.info('replica: in use')
      else log.warn({ err: reason }, 'replica: not in use, reading from the primary')
    },
  })
}

/** Opens the configured database. `onReachable` reports the start and end of an outage of PostgreSQL. */
export function openDatabase(
  settings: DatabaseSettings,
  onReachable?: PostgresOptions['onReachable'],
): Db {
  const { databaseUrl: url } = settings
  if (url)
    return openPostgres(url, { setting: 'DATABASE_URL', ...(onReachable && { onReachable }) })
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
  return openSqlite(embeddedFile(settings.dataDir))
}
