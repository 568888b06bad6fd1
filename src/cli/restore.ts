import { existsSync } from 'node:fs'
import { Backup } from '../backup/archive.ts'
import type { OnProgress } from '../backup/backup.ts'
import { NotEmpty } from '../backup/load.ts'
import { check, restore } from '../backup/restore.ts'
import type { Config } from '../config.ts'
import { inspectEmbedded } from '../db/embedded.ts'
import type { Db } from '../db/handle.ts'
import { migrate, SCHEMA } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { applyErasures, completeErasures } from '../erasure/apply.ts'
import { ErasureLog, erasureLogIn, readErasureLog } from '../erasure/log.ts'
import { hasSecrets, type StoredSecrets, keepSecrets } from '../secrets.ts'
import { openStore } from '../storage/open.ts'
import { readArgs, UsageError } from './args.ts'
import { findPlace, nameOf, readSettings } from './database.ts'
import { endSteps, secondsSince, showSteps, reportEarlier } from './progress.ts'

export async function restoreBackup(args: string[]): Promise<void> {
  const { words, values } = readArgs(args, {
    options: { erasures: { type: 'string' } },
    words: ['FILE'],
  })
  if (values.erasures !== undefined && !existsSync(values.erasures)) {
    throw new UsageError(`--erasures ${values.erasures} does not exist`)
  }
  const backup = await Backup.open(words[0] as string)
  try {
    await restoreFrom(backup, values.erasures)
  } finally {
    await backup.close()
  }
}

async function restoreFrom(backup: Backup, erasures: string | undefined): Promise<void> {
  const { manifest } = backup
  const started = performance.now()
  if (manifest.schema > SCHEMA) {
    throw new Error(
      `the backup has schema ${manifest.schema}, this version of Plaza supports ${SCHEMA}: use Plaza ${manifest.plaza} or later`,
    )
  }
  const onProgress = showSteps()
  const config = await prepare(backup, onProgress)
  const db = openDatabase(config)
  try {
    const { store, staging } = await openStore(config)
    try {
      await restore({ db, place: { store, staging }, backup, onProgress, onEarlier: reportEarlier })
    } catch (error) {
      if (!(error instanceof NotEmpty)) throw error
      throw new Error(`${nameOf(config)} is not empty: restore into an empty database`, {
        cause: error,
      })
    } finally {
      endSteps()
      staging.close()
      await store.close()
    }
    const applied = await migrate(db, Date.now)
    for (const name of applied) console.log(`applied ${name}`)
    await eraseAgain(db, config, [erasureLogIn(config.dataDir), ...(erasures ? [erasures] : [])])
  } finally {
    await db.close()
  }
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `restored ${rows.toLocaleString('en')} rows and ${manifest.files.count.toLocaleString('en')} files from ${manifest.taken_at} in ${secondsSince(started)} s`,
  )
  if (!manifest.files.included) {
    console.log('the backup contains no files: run plaza doctor to check that the storage has them')
  }
}

/** Repeats the erasures that took place after the backup. */
async function eraseAgain(db: Db, config: Config, logs: readonly string[]): Promise<void> {
  const begun = await applyErasures(db, config, logs.flatMap(readErasureLog))
  const { store, staging } = await openStore(config)
  try {
    await completeErasures({ db, store, now: Date.now })
    await new ErasureLog(config.dataDir).sync(db)
  } finally {
    staging.close()
    await store.close()
  }
  if (begun > 0) console.log(`erased ${begun} users and contents again that the backup contains`)
}

/**
 * Verifies the backup, and checks that the configured secrets match those of the backup. A new DATA_DIR gets the
 * secrets of the backup. Returns the settings.
 */
async function prepare(backup: Backup, onProgress: OnProgress): Promise<Config> {
  const bytes = await backup.read(backup.manifest.secrets)
  const secrets = JSON.parse(bytes.toString('utf8')) as Partial<StoredSecrets>
  const { dataDir, databaseUrl } = findPlace()
  const keeps = !databaseUrl && !hasSecrets(dataDir)
  if (!keeps) requireSecrets(readSettings({ restores: true }), secrets, backup)
  // A restore stores the secrets first, and DATA_DIR has none here. An existing schema is therefore not from an
  // interrupted restore.
  else if (!['missing', 'bare'].includes(inspectEmbedded(dataDir))) {
    throw new Error(`${dataDir} is not empty: restore into a new DATA_DIR`)
  }
  await check(backup, onProgress).finally(endSteps)
  if (keeps) keepSecrets(dataDir, secrets)
  const config = readSettings({ restores: true })
  requireSecrets(config, secrets, backup)
  return config
}

function requireSecrets(config: Config, secrets: Partial<StoredSecrets>, { file }: Backup): void {
  const { tokenSecret: TOKEN_SECRET, encryptionKey: ENCRYPTION_KEY } = config
  const set: Partial<StoredSecrets> = { TOKEN_SECRET, ENCRYPTION_KEY }
  const differ = (['TOKEN_SECRET', 'ENCRYPTION_KEY'] as const).filter(
    (name) => set[name] !== secrets[name],
  )
  if (differ.length > 0) {
    throw new Error(
      `${differ.join(' and ')} must match secrets.json in ${file}, or restore into a new DATA_DIR`,
    )
  }
}
