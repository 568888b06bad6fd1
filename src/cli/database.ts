import { type Config, readConfig, readPlace } from '../config.ts'
import type { Db } from '../db/handle.ts'
import { migrate, refuseNewerSchema } from '../db/migrate.ts'
import { hasEmbedded, openDatabase } from '../db/open.ts'

export interface Opened {
  db: Db
  config: Config
  /** Names of the migrations that this process applied. */
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

/** Returns where the data is stored, without reading the secrets. */
export function findPlace() {
  return readPlace(process.env)
}

/** Opens the configured database, migrates it, and closes it after `work`. */
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
 * Runs `work` on the existing database without migrating it. Throws when there is no database, and
 * NewerSchema when a later version created the schema.
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

/** Describes the configured database for messages to the operator. Contains no password. */
export function nameOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (!databaseUrl) return `the database in ${dataDir}`
  const { host, pathname } = new URL(databaseUrl)
  const name = `the PostgreSQL database ${decodeURIComponent(pathname.slice(1))}`
  return host ? `${name} at ${host}` : name
}

/** Throws unless the folder contains an embedded database. */
export function requireEmbedded(dataDir: string): void {
  if (!hasEmbedded(dataDir)) {
    throw new Error(`there is no database in ${dataDir}: set DATA_DIR, or DATABASE_URL`)
  }
}
