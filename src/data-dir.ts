import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createEmbedded, inspectEmbedded, isEmbeddedMissing } from './db/embedded.ts'
import { hasSecrets } from './secrets.ts'

/**
 * Matches the names of folders with stored files. A disk mounted at `files` may contain other folders, such as
 * `lost+found`.
 */
const STORED = /^[0-9a-f]{2}$|^bundles$/

/**
 * Creates the database in a new DATA_DIR, before the secrets are created. Secrets without a database therefore always
 * mean that the database was lost. `hasOwnSecrets` means that the environment sets the secrets.
 * Errors: an Error with one line when secrets or stored files exist without a database, or accounts without secrets.
 */
export function prepareDataDir(
  dataDir: string,
  { hasOwnSecrets }: { hasOwnSecrets: boolean },
): void {
  if (hasSecrets(dataDir)) {
    if (isEmbeddedMissing(dataDir)) throw lostDatabase(dataDir, 'secrets.json')
    return
  }
  const state = inspectEmbedded(dataDir)
  // Looks for the secrets again, because another starting process may have created them since the first check.
  if (state === 'used' && !hasOwnSecrets && !hasSecrets(dataDir)) {
    throw new Error(
      `${join(dataDir, 'secrets.json')} is missing, and the accounts in the database need its secrets: bring it back from a backup, or set TOKEN_SECRET and ENCRYPTION_KEY (with new ones all sessions end and webhooks need new secrets)`,
    )
  }
  if ((state === 'missing' || state === 'bare') && hasFiles(dataDir)) {
    throw lostDatabase(dataDir, 'stored files')
  }
  createEmbedded(dataDir)
}

function lostDatabase(dataDir: string, found: string): Error {
  return new Error(
    `DATA_DIR ${dataDir} has ${found}, but its database plaza.db is missing or empty: restore a backup, or set DATABASE_URL if the data is in PostgreSQL; to start over, set DATA_DIR to an empty folder`,
  )
}

function hasFiles(dataDir: string): boolean {
  try {
    return readdirSync(join(dataDir, 'files')).some((name) => STORED.test(name))
  } catch {
    return false
  }
}
