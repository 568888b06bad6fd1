import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openForWriting } from './sqlite-file.ts'

const LOCK_WAIT_MS = 10_000

export function embeddedFile(dataDir: string): string {
  return join(dataDir, 'plaza.db')
}

/** `missing`: no file, or an empty one. `bare`: no schema. `unused`: a schema, but no accounts. `used`: accounts. */
type EmbeddedState = 'missing' | 'bare' | 'unused' | 'used'

export function isEmbeddedMissing(dataDir: string): boolean {
  const found = statSync(embeddedFile(dataDir), { throwIfNoEntry: false })
  return found === undefined || found.size === 0
}

/**
 * Returns the state of the database. Changes the file only to roll back an unfinished transaction. Errors: an Error
 * with a one-line message if the file is not a database.
 */
export function inspectEmbedded(dataDir: string): EmbeddedState {
  if (isEmbeddedMissing(dataDir)) return 'missing'
  const file = embeddedFile(dataDir)
  let db: DatabaseSync | undefined
  try {
    // A first start that was killed may leave a rollback journal, which only a writing connection can roll back.
    const readOnly = !existsSync(`${file}-journal`)
    db = new DatabaseSync(file, { timeout: LOCK_WAIT_MS, readOnly })
    const tables = db.prepare("select name from sqlite_master where type = 'table'").all()
    const names = tables.map(({ name }) => name)
    if (!names.includes('schema_migrations')) return 'bare'
    if (!names.includes('users')) return 'unused'
    return db.prepare('select 1 from users limit 1').get() ? 'used' : 'unused'
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error })
  } finally {
    db?.close()
  }
}

/** Creates a database file without a schema if none exists, and syncs it to disk. */
export function createEmbedded(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  openForWriting(embeddedFile(dataDir)).close()
}
