import { type Config, readConfig, readPlace } from '../config.ts'
import type { Db } from '../db/handle.ts'
import { migrate, refuseNewerSchema } from '../db/migrate.ts'
import { hasEmbedded, openDatabase } from '../db/open.ts'

export interface Opened {
  db: Db
  config: Config
  /** Names of the migrations that were missing. */
  applied: string[]
}

/** Adds the settings of a file to the environment, where they are not set yet (Node's `--env-file` grammar). */
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

/** Reads all settings of the environment. Errors: those of `readConfig`. */
export function readSettings(options?: { listens?: boolean; restores?: boolean }): Config {
  return readConfig(process.env, options)
}

/** Where the environment says that data are, without a look at secrets. */
export function findPlace() {
  return readPlace(process.env)
}

/** Opens the database that the environment names, brings its schema up to date, and closes it after `work`. */
export async function withDatabase<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
  const config = readSettings()
  const db = openDatabase(config)
  try {
    const applied = await migrate(db, Date.now)
    return await work({ db, config, applied })
  } finally {
    await db.close()
  }
}

/**
 * Runs `work` with the existing database, and changes no schema. Throws when there is no database, and
 * NewerSchema when a later version made the schema.
 */
export async function withDatabaseAsItIs<T>(
  work: (opened: Omit<Opened, 'applied'>) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = findPlace()
  if (!databaseUrl) requireEmbedded(dataDir)
  const config = readSettings()
  const db = openDatabase(config)
  try {
    await refuseNewerSchema(db)
    return await work({ db, config })
  } finally {
    await db.close()
  }
}

/** The database that these settings name, as its operator calls it; tells no password. */
export function nameOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (!databaseUrl) return `the database in ${dataDir}`
  const { host, pathname } = new URL(databaseUrl)
  const name = `the PostgreSQL database ${decodeURIComponent(pathname.slice(1))}`
  return host ? `${name} at ${host}` : name
}

/** Throws where the folder has no embedded database. */
export function requireEmbedded(dataDir: string): void {
  if (!hasEmbedded(dataDir)) {
    throw new Error(`there is no database in ${dataDir}: set DATA_DIR, or DATABASE_URL`)
  }
}
