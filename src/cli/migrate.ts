import { SCHEMA } from '../db/migrate.ts'
import { readArgs } from './args.ts'
import { withDatabase } from './database.ts'

export async function migrateDatabase(args: string[]): Promise<void> {
  readArgs(args, { options: {} })
  await withDatabase(async ({ applied }) => {
    for (const name of applied) console.log(`applied ${name}`)
    console.log(`schema is up to date (${SCHEMA})`)
  })
}
