import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from './handle.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

interface DatabaseSettings {
  /** `postgres://...`, or undefined for the embedded engine. */
  databaseUrl: string | undefined
  /** Where the embedded engine keeps its file. */
  dataDir: string
}

/** Opens the database the settings name. */
export function openDatabase(
  settings: DatabaseSettings,
  onIdleError: (error: Error) => void = () => {},
): Db {
  if (settings.databaseUrl) return openPostgres(settings.databaseUrl, onIdleError)
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
  return openSqlite(join(settings.dataDir, 'plaza.db'))
}
