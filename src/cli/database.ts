import { type Config, readConfig } from '../config.ts'
import type { Db } from '../db/handle.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'

export interface Opened {
  db: Db
  config: Config
  /** Names of the migrations that were missing. */
  applied: string[]
}

/** Opens the database that the environment names, brings its schema up to date, and closes it after `work`. */
export async function withDatabase<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  const db = openDatabase(config)
  try {
    const applied = await migrate(db, Date.now)
    return await work({ db, config, applied })
  } finally {
    await db.close()
  }
}

/** The number of the schema the database has. */
export async function readSchemaNumber(db: Db): Promise<number> {
  let number = 0
  await db.script(async (run) => {
    const [row] = await run('select max(number) as number from schema_migrations')
    number = Number(row?.['number'])
  })
  return number
}
