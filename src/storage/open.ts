import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LocalStore } from './local.ts'
import { parseStorageUrl } from './s3-url.ts'
import { Staging } from './staging.ts'
import { syncFolderNow } from './sync.ts'
import { type Store, StorageFull, toStorageError } from './store.ts'

export interface StorageSettings {
  /** Address of the S3 bucket. Undefined for the local disk. */
  storageUrl: string | undefined
  dataDir: string
}

/**
 * Opens the store and the staging folder. Errors: an Error with a one-line message when DATA_DIR is unusable or
 * STORAGE_URL is invalid.
 */
export async function openStore({ storageUrl, dataDir }: StorageSettings): Promise<{
  store: Store
  staging: Staging
}> {
  const bucket = storageUrl === undefined ? undefined : parseStorageUrl(storageUrl)
  try {
    const incoming = makeFolder(dataDir, 'incoming')
    if (bucket) {
      // Imported only when S3 is configured, because the module is large.
      const { S3Store } = await import('./s3.ts')
      const staging = new Staging(incoming)
      return { store: new S3Store(bucket, { staging }), staging }
    }
    const files = makeFolder(dataDir, 'files')
    // Staged files are renamed into the files folder, so both folders must be on the same disk.
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
 * True if files can be renamed from one folder to the other, or if the disk is full. Tries a rename, which can fail
 * even between two mounts of one disk. Throws for unwritable folders.
 */
function canMove(from: string, to: string): boolean {
  const name = `.${randomUUID()}`
  const [target, here] = [join(to, name), join(from, name)]
  try {
    writeFileSync(here, '')
    renameSync(here, target)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EXDEV') return false
    // The server must start and serve reads when the disk is full.
    if (toStorageError(error) instanceof StorageFull) return true
    throw error
  } finally {
    rmSync(here, { force: true })
    rmSync(target, { force: true })
  }
}
