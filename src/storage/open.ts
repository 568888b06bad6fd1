import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LocalStore } from './local.ts'
import { parseStorageUrl } from './s3-url.ts'
import { Staging } from './staging.ts'
import { syncFolderNow } from './sync.ts'
import { type Store, StorageFull, toStorageError } from './store.ts'

export interface StorageSettings {
  /** URL of an S3-compatible service, or undefined for the local disk. */
  storageUrl: string | undefined
  /** Folder for incomplete files and for the local store. */
  dataDir: string
}

/**
 * Opens the configured store and its staging area. Rejects with a one-line message when DATA_DIR cannot
 * be used.
 */
export async function openStore({ storageUrl, dataDir }: StorageSettings): Promise<{
  store: Store
  staging: Staging
}> {
  const bucket = storageUrl === undefined ? undefined : parseStorageUrl(storageUrl)
  try {
    const incoming = makeFolder(dataDir, 'incoming')
    if (bucket) {
      // Loaded lazily, because it is large and only used with S3.
      const { S3Store } = await import('./s3.ts')
      const staging = new Staging(incoming)
      return { store: new S3Store(bucket, { staging }), staging }
    }
    const files = makeFolder(dataDir, 'files')
    // The files folder may be a separate disk. Staged files must be on the same disk, so that they can
    // be renamed into place.
    const staged = canMove(incoming, files) ? incoming : makeFolder(files, '.incoming')
    return { store: new LocalStore(files), staging: new Staging(staged) }
  } catch (error) {
    throw new Error(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function makeFolder(parent: string, name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  syncFolderNow(parent)
  return realpathSync(folder)
}

/**
 * Tries a rename, since mounts of the same disk can look alike. This also verifies that both folders
 * are writable.
 */
function canMove(from: string, to: string): boolean {
  const name = `.${randomUUID()}`
  const [there, here] = [join(to, name), join(from, name)]
  try {
    writeFileSync(here, '')
    renameSync(here, there)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EXDEV') return false
    // On a full disk the server still starts and serves reads.
    if (toStorageError(error) instanceof StorageFull) return true
    throw error
  } finally {
    rmSync(here, { force: true })
    rmSync(there, { force: true })
  }
}
