import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Backup } from '../src/backup/archive.ts'
import { backUp, type OnProgress } from '../src/backup/backup.ts'
import { listTables } from '../src/backup/catalog.ts'
import type { Manifest, Part } from '../src/backup/manifest.ts'
import { check, restore } from '../src/backup/restore.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { Db } from '../src/db/handle.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { withSnapshot } from '../src/db/snapshot.ts'
import { examineDatabase } from '../src/doctor/examine.ts'
import { examineStorage } from '../src/doctor/storage.ts'
import { openStore } from '../src/storage/open.ts'
import type { Staging } from '../src/storage/staging.ts'
import type { Store } from '../src/storage/store.ts'
import { type Place, testSecrets } from './app.ts'
import { hash } from './filled.ts'
import { temporaryFolder } from './files.ts'

export type Somewhere = Place & { storageUrl?: string }

export const env = { FFMPEG: 'off', CHROMIUM: 'off', ...testSecrets() }
export const ignore = () => {}

const root = temporaryFolder('plaza-backups-')

let made = 0

export function newFile(): string {
  return join(root, `backup-${++made}.tar`)
}

export async function withPlace<T>(
  place: Somewhere,
  action: (opened: { config: Config; db: Db; store: Store; staging: Staging }) => Promise<T>,
): Promise<T> {
  const { dataDir: DATA_DIR, databaseUrl: DATABASE_URL, storageUrl: STORAGE_URL } = place
  const config = readConfig({ ...env, DATA_DIR, DATABASE_URL, STORAGE_URL, PORT: '0' })
  const db = openDatabase(config)
  const { store, staging } = await openStore(config)
  try {
    return await action({ config, db, store, staging })
  } finally {
    staging.close()
    await Promise.all([db.close(), store.close()])
  }
}

export async function takeBackup(place: Somewhere, withFiles = true): Promise<string> {
  const file = newFile()
  await withPlace(place, async ({ db, store: from }) => {
    const secrets = testSecrets()
    const store = withFiles ? from : undefined
    await backUp({ db, store, file, secrets, now: Date.now, onProgress: ignore })
  })
  return file
}

export async function withBackup<T>(file: string, action: (backup: Backup) => Promise<T>) {
  const opened = await Backup.open(file)
  try {
    return await action(opened)
  } finally {
    await opened.close()
  }
}

export function readManifest(file: string): Promise<Manifest> {
  return withBackup(file, async ({ manifest }) => manifest)
}

export function restoreInto(place: Somewhere, file: string, onProgress: OnProgress = ignore) {
  return withPlace(place, ({ db, store, staging }) =>
    withBackup(file, async (backup) => {
      await check(backup, ignore)
      await restore({ db, place: { store, staging }, backup, onProgress })
      await migrate(db, Date.now)
    }),
  )
}

export function listFaults(place: Somewhere): Promise<string[]> {
  return withPlace(place, async ({ config, db }) => {
    const { counts, damage } = await examineDatabase(db)
    const drifted = counts.filter(({ drift }) => drift > 0).map(({ name }) => name)
    return [...drifted, ...damage, ...(await examineStorage(db, config))]
  })
}

export function tryStart(place: Place): Promise<unknown> {
  return withPlace(place, ({ db }) => migrate(db, Date.now).catch((error: unknown) => error))
}

export function digestsOf({ tables }: Manifest) {
  return tables.map(({ name, rows, sha256 }) => ({ name, rows, sha256 }))
}

export function filesIn(place: Somewhere): Promise<Record<string, string>> {
  return withPlace(place, async ({ store }) => {
    const files: Record<string, string> = {}
    for await (const { path } of store.list('')) {
      files[path] = hash(await buffer(await store.read(path)))
    }
    return files
  })
}

/** Returns the recorded SHA-256 of each file in the backup, by path. Throws when a file does not match its hash. */
export async function filesOf(file: string): Promise<Record<string, string>> {
  const parts = await partsIn(file)
  return withBackup(file, async (backup) => {
    for (const part of parts) await backup.read(part)
    return Object.fromEntries(parts.map(({ path, sha256 }) => [path.replace('files/', ''), sha256]))
  })
}

export function partsIn(file: string): Promise<Part[]> {
  return withBackup(file, async (backup) => {
    const lists = await Promise.all(
      backup.manifest.files.lists.map((list) => backup.readLines(list)),
    )
    const parts = lists.flat().map((line) => JSON.parse(line) as Part)
    return parts.map((part) => ({ ...part, path: `files/${part.path}` }))
  })
}

/** Tables of rate limit counters and of responses stored for retries. Their rows expire within a day. */
const EXPIRING = ['attempts', 'idempotency_keys']

/**
 * Returns the tables whose rows contain one of the words, as texts such as `comments: hello`. Skips tables whose rows
 * expire.
 */
export function findWords(place: Somewhere, words: readonly string[]): Promise<string[]> {
  return withPlace(place, ({ db }) =>
    withSnapshot(db, async (run) => {
      const found: string[] = []
      for (const { name } of await listTables(db.engine, run)) {
        if (EXPIRING.includes(name)) continue
        const rows = JSON.stringify(await run(`select * from ${name}`))
        found.push(...words.filter((word) => rows.includes(word)).map((word) => `${name}: ${word}`))
      }
      return found
    }),
  )
}
