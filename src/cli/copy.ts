import { copyDatabase } from '../backup/copy.ts'
import { NotEmpty } from '../backup/load.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/handle.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { examineSealed } from '../doctor/sealed.ts'
import { hasSecrets, readSecrets } from '../secrets.ts'
import { readArgs, UsageError } from './args.ts'
import { findPlace, nameOf, readSettings, requireEmbedded } from './database.ts'
import { endSteps, secondsSince, showSteps, reportEarlier } from './progress.ts'

export async function copyToPostgres(args: string[]): Promise<void> {
  readArgs(args, { options: {} })
  const { dataDir, databaseUrl } = findPlace()
  if (!databaseUrl) throw new UsageError('DATABASE_URL must name the PostgreSQL to copy to')
  requireEmbedded(dataDir)
  const config = readSettings()
  const started = performance.now()
  const from = openDatabase({ dataDir, databaseUrl: undefined })
  const to = openDatabase(config)
  try {
    await migrate(from, Date.now)
    await requireSecrets(from, config)
    const digests = await copyDatabase({
      from,
      to,
      onProgress: showSteps(),
      onEarlier: reportEarlier,
    })
      .catch((error: unknown) => {
        if (!(error instanceof NotEmpty)) throw error
        throw new Error(
          `${nameOf(config)} is not empty, so nothing was copied: use an empty database, or start the server if this is the copy`,
        )
      })
      .finally(endSteps)
    const rows = digests.reduce((sum, digest) => sum + digest.rows, 0)
    console.log(
      `copied ${rows.toLocaleString('en')} rows of ${digests.length} tables in ${secondsSince(started)} s; counts and hashes are equal`,
    )
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}

/**
 * Checks the configured secrets against the data to copy. Warns when TOKEN_SECRET may differ from that of the
 * embedded database.
 * Errors: an Error unless ENCRYPTION_KEY decrypts the data.
 */
async function requireSecrets(from: Db, { dataDir, encryptionKey, tokenSecret }: Config) {
  const [shut] = await examineSealed(from, encryptionKey)
  if (shut) throw new Error(`${shut}: set it to the value in secrets.json of the embedded database`)
  if (!hasSecrets(dataDir) || tokenSecret !== readSecrets(dataDir).TOKEN_SECRET) {
    console.error(
      'plaza: TOKEN_SECRET differs from secrets.json in DATA_DIR: every session ends at its next refresh, unless the embedded database ran with this TOKEN_SECRET',
    )
  }
}
