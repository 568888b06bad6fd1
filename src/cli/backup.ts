import { resolve } from 'node:path'
import { backUp } from '../backup/backup.ts'
import { openStore } from '../storage/open.ts'
import { readArgs } from './args.ts'
import { withDatabaseAsItIs } from './database.ts'
import { endSteps, secondsSince, showSteps, toMegabytes } from './progress.ts'

/** Writes a backup into a new file, beside running servers. */
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
      return await backUp({
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
    `${count(rows)} rows (${toMegabytes(bytes)}) and ${count(files.count)} files (${toMegabytes(files.size)}) are in ${file}, in ${secondsSince(started)} s`,
  )
  if (files.missing === 0) return
  console.error(
    `plaza: ${count(files.missing)} files that the database tells of are not in the store; the backup has all the rest`,
  )
  process.exitCode = 1
}
