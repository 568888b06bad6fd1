import { readArgs } from './args.ts'
import { readSchemaNumber, withDatabase } from './database.ts'

/** Applies the migrations that are missing. */
export async function migrateDatabase(args: string[]): Promise<void> {
  readArgs(args, { options: {} })
  await withDatabase(async ({ db, applied }) => {
    for (const name of applied) console.log(`applied ${name}`)
    console.log(`schema is up to date (${await readSchemaNumber(db)})`)
  })
}
