import { resolve } from 'node:path'
import { backUp } from '../backup/backup.ts'
import { findSchema, SCHEMA } from '../db/migrate.ts'
import { updateLastBackup } from '../settings/queries.ts'
import { openStore } from '../storage/open.ts'
import { readArgs } from './args.ts'
import { withDatabaseAsItIs } from './database.ts'
import { endSteps, secondsSince, showSteps, toMegabytes } from './progress.ts'

export async function backUpDatabase(args: string[]): Promise<void> {
  const { values, words } = readArgs(args, {
    options: { 'without-files': { type: 'boolean', default: false } },
    words: ['FILE'],
  })
  const file = resolve(words[0] as string)
  const started = performance.now()
  const { tables, files } = await withDatabaseAsItIs(async ({ db, config }) => {
    const opened = values['without-files'] ? undefined : await openStore(config)
    try {
      const made = await backUp({
        db,
        store: opened?.store,
        file,
        secrets: {
          TOKEN_SECRET: config.tokenSecret,
          ENCRYPTION_KEY: config.encryptionKey,
          CAPTCHA_SECRET: config.captchaSecret,
        },
        now: Date.now,
        onProgress: showSteps(),
      })
      // A database with an earlier schema has no column for the time of the last backup.
      if ((await findSchema(db)) === SCHEMA) await updateLastBackup(db, Date.now())
      return made
    } finally {
      endSteps()
      opened?.staging.close()
      await opened?.store.close()
    }
  })
  const count = (sum: number) => sum.toLocaleString('en')
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const parts = tables.flatMap((table) => table.parts)
  const bytes = parts.reduce((sum, { size }) => sum + size, 0)
  console.log(
    `backed up ${count(rows)} rows (${toMegabytes(bytes)}) and ${count(files.count)} files (${toMegabytes(files.size)}) to ${file} in ${secondsSince(started)} s`,
  )
  if (files.missing === 0) return
  console.error(
    `plaza: ${count(files.missing)} files named in the database are missing from the storage; the backup contains everything else`,
  )
  process.exitCode = 1
}
