import { existsSync, mkdirSync } from 'node:fs'
import type { Logger } from 'pino'
import { embeddedFile } from './embedded.ts'
import type { Db } from './handle.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { Replica } from './replica.ts'
import { openSqlite } from './sqlite.ts'

interface DatabaseSettings {
  /** `postgres://...`, or undefined for the embedded engine. */
  databaseUrl: string | undefined
  /** Where the embedded engine keeps its file. */
  dataDir: string
}

/** Whether the folder has an embedded database. */
export function hasEmbedded(dataDir: string): boolean {
  return existsSync(embeddedFile(dataDir))
}

/** Opens the replica the settings name, if any. */
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
      if (isUsed) log.info('the replica of the database is used')
      else log.warn({ err: reason }, 'the replica of the database is not used for now')
    },
  })
}

/** Opens the database that the settings name. Calls `onReachable` when an outage of PostgreSQL begins and ends. */
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
