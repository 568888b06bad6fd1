import { type Config, readConfig, readPlace } from '../config.ts'
import type { Db } from '../db/handle.ts'
import { migrate, refuseNewerSchema } from '../db/migrate.ts'
import { hasEmbedded, openDatabase } from '../db/open.ts'

export interface Opened {
  db: Db
  config: Config
  applied: string[]
}

/**
 * Reads environment variables from a file in the grammar of Node's `--env-file`. Existing variables take
 * precedence. Errors: an Error naming the file.
 */
export function loadSettingsFile(file: string): void {
  try {
    process.loadEnvFile(file)
  } catch (error) {
    throw new Error(`--env-file ${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

export function listEnvironment(): string[] {
  return Object.keys(process.env)
}

/** Reads the settings from the environment. Errors: those of `readConfig`. */
export function readSettings(options?: { listens?: boolean; restores?: boolean }): Config {
  return readConfig(process.env, options)
}

export function findPlace() {
  return readPlace(process.env)
}

/** Opens and migrates the configured database, passes it to the callback, and closes it. */
export async function withDatabase<T>(action: (opened: Opened) => Promise<T>): Promise<T> {
  const config = readSettings()
  const db = openDatabase(config)
  try {
    const applied = await migrate(db, Date.now)
    return await action({ db, config, applied })
  } finally {
    await db.close()
  }
}

/**
 * Opens the configured database without migrating, passes it to the callback, and closes it.
 * Errors: ConfigError, NewerSchema, UnfinishedRestore; an Error when DATA_DIR lacks the embedded database.
 */
export async function withDatabaseAsItIs<T>(
  action: (opened: Omit<Opened, 'applied'>) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = findPlace()
  if (!databaseUrl) requireEmbedded(dataDir)
  const config = readSettings()
  const db = openDatabase(config)
  try {
    await refuseNewerSchema(db)
    return await action({ db, config })
  } finally {
    await db.close()
  }
}

export function nameOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (!databaseUrl) return `the database in ${dataDir}`
  const { host, pathname } = new URL(databaseUrl)
  const name = `the PostgreSQL database ${decodeURIComponent(pathname.slice(1))}`
  return host ? `${name} at ${host}` : name
}

export function requireEmbedded(dataDir: string): void {
  if (!hasEmbedded(dataDir)) {
    throw new Error(`there is no database in ${dataDir}: set DATA_DIR, or DATABASE_URL`)
  }
}
